/** The whole demo, for a user whose git writes CRLF: Git for Windows is installed with these settings. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { demoSampleFiles, loadScenario } from '../../../src/app/assets/scenarios.ts';
import { carryOutDemo, demoPassesItsTests } from '../../support/demo/demoRun.ts';
import { EngineWorld } from '../../support/world/engineWorld.ts';

const config = join(process.env['HOME'] ?? '', '.gitconfig');
let world: EngineWorld;
let sample: readonly string[];

beforeAll(async () => {
  writeFileSync(config, '[core]\n\tautocrlf = true\n\teol = crlf\n');
  const files = await demoSampleFiles();
  sample = Object.keys(files);
  world = await EngineWorld.open({ scenario: await loadScenario('demo'), files, sandbox: true });
  for (const path of sample) rmSync(join(world.repo, path));
  world.git('checkout', '-q', '--', '.');
  expect(world.git('status', '--porcelain')).toBe('');
  await carryOutDemo(world);
});
afterAll(async () => {
  await world[Symbol.asyncDispose]();
  rmSync(config);
});

/** Each tracked file as the user's git describes it: the ends in the repository, in the checkout, and the path. */
const tracked = (): string[][] =>
  world
    .git('ls-files', '--eol')
    .split('\n')
    .map((line) => line.split(/\s+/))
    .map(([stored = '', written = '', ...rest]) => [stored, written, rest.at(-1) ?? '']);

test('the checkout is clean, and has CRLF in every file, of the merge or not', () => {
  expect(world.git('status', '--porcelain', '--untracked-files=all')).toBe('');
  const ends = tracked();
  expect(ends.length).toBeGreaterThan(sample.length);
  for (const [, written, path] of ends) {
    if (readFileSync(join(world.repo, path ?? ''), 'latin1').includes('\n'))
      expect([path, written]).toEqual([path, 'w/crlf']);
  }
});

test('the commits store LF, and change no line end', () => {
  expect(tracked().filter(([stored]) => stored !== 'i/lf' && stored !== 'i/none')).toEqual([]);
  const diff = world.git('diff', world.job.baseline ?? '', 'HEAD');
  expect(diff).toContain('\n+');
  expect(diff).not.toContain('\r');
  const counts = (...options: string[]) => world.git('diff', '--numstat', ...options, world.job.baseline ?? '', 'HEAD');
  expect(counts('--ignore-cr-at-eol')).toBe(counts());
});

test('no model was shown a CR, or told of CRLF', () => {
  // In JSON, `\\r` is a text of two characters.
  const told = world.server.requests.filter(({ body }) => /\\r|end in CRLF/.test(body.replaceAll('\\\\', '')));
  expect(told).toEqual([]);
});

test('the program passes its own tests in the checkout', () => demoPassesItsTests(world));
