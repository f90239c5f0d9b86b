/** Waits of the real program in processes of its own: said once where it is followed, shown by every other process, ended by a try now. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { CRASH_BRIEF, oneFile } from '../../support/crash/crashScenario.ts';
import { type TerminalProcess, terminalProcess } from '../../support/process/terminalProcess.ts';
import { testPrograms } from '../../support/process/testPrograms.ts';
import { LONGEST_SILENCE_MS } from '../../support/time/silence.ts';

const programs = await testPrograms(inject('tempRoot'));

/** The commands of each line name their folder. */
const where = (text: string): string => text.replaceAll(/ --(?:project|jobs)-dir [^\s;]+/g, '');

/** Longer than any test: only a try now ends it. */
const AWAY = { kind: 'status', status: 429, type: 'rate_limit_error', headers: { 'retry-after': '3600' } } as const;

interface Seen {
  readonly id: string;
  readonly doing?: string;
  readonly waiting: { readonly code: string; readonly reason: string; readonly until: string } | null;
}

async function seen(world: TerminalProcess, ...verb: string[]): Promise<readonly Seen[]> {
  const { stdout } = await world.cli(...verb, '--json').exit;
  const { jobs, projects, tasks } = JSON.parse(stdout) as Record<string, readonly Seen[] | undefined>;
  return jobs ?? projects ?? tasks ?? [];
}

async function waits(world: TerminalProcess, ...verb: string[]): Promise<Seen> {
  for (const end = performance.now() + LONGEST_SILENCE_MS; performance.now() < end; ) {
    const one = (await seen(world, ...verb)).find(({ waiting }) => waiting !== null);
    if (one !== undefined) return one;
  }
  throw new Error(`nothing waits in ${verb.join(' ')}`);
}

/** The lines about waits. */
const told = (text: string): readonly string[] =>
  where(text)
    .split('\n')
    .filter((line) => /^(Waiting|Continuing)/.test(line));

test('a job whose provider is away', async () => {
  let isAway = true;
  let asked = 0;
  const faults = () => {
    asked += 1;
    return isAway ? AWAY : null;
  };
  await using world = await terminalProcess(programs, { scenario: oneFile, faults });
  const run = world.cli('run', '--yes', '--no-setup', CRASH_BRIEF);
  const { id, waiting } = await waits(world, 'jobs');
  expect(waiting).toMatchObject({ code: 'provider', who: 'provider', now: ['try_now'] });
  expect(waiting?.reason).toContain('HTTP 429');
  expect((await world.cli('jobs').exit).stdout).toMatch(new RegExp(`${id} +waiting.*\\n(.*\\n)*${id}: Waiting until `));
  expect((await world.cli('board').exit).stdout).toContain(`${id}: Waiting until `);
  const before = asked;
  // A provider that is still away answers with the wait.
  expect((await world.cli('job', 'resume').exit).stdout).toMatch(/\n {2}Waiting until .*HTTP 429/);
  await expect.poll(() => asked).toBeGreaterThan(before);
  isAway = false;
  // The command waits five seconds for the answer.
  expect((await world.cli('job', 'resume').exit).stdout).toMatch(/Nothing keeps it waiting now\.|Waiting until /);
  const { stdout } = await run.exit;
  expect(told(stdout)).toEqual([
    expect.stringMatching(new RegExp(`^Waiting until .*HTTP 429.* You can try now: .* job resume ${id}$`)),
    expect.stringMatching(/^Continuing after \d.*$/),
  ]);
});

test('a project at its daily limit', async () => {
  await using world = await terminalProcess(programs, { scenario: oneFile });
  await world.cli('project', 'new', 'api', 'Talk', '--provider', 'simulated').exit;
  await world.cli('project', 'limits', 'api', '--daily', '0.000001').exit;
  const send = world.cli('project', 'send', 'api', 'Hello', '--wait');
  const { doing, waiting } = await waits(world, 'project', 'list');
  expect({ doing, ...waiting }).toMatchObject({ doing: 'waiting', code: 'limit', now: ['raise_limit', 'try_now'] });
  expect((await world.cli('project', 'show', 'api').exit).stdout).toMatch(/Waiting: {2}Waiting until .*daily limit/);
  // A limit that still holds answers with the limit.
  expect((await world.cli('project', 'resume', 'api').exit).stdout).toMatch(/\n {2}Waiting until .*daily limit/);
  await world.cli('project', 'limits', 'api', '--daily', '5').exit;
  const { stdout } = await send.exit;
  expect(told(stdout)).toEqual([
    expect.stringMatching(
      /^Waiting until .*daily limit.* You can raise the limit: .* project limits api --daily USD; or try now: .* project resume api$/,
    ),
    expect.stringMatching(/^Continuing after \d.*$/),
  ]);
});

test('a task whose provider is away', async () => {
  let isAway = true;
  await using world = await terminalProcess(programs, { scenario: oneFile, faults: () => (isAway ? AWAY : null) });
  const file = join(world.folder, 'task.yaml');
  writeFileSync(file, 'name: Ask\nsteps:\n  - { name: List, action: llm_generate, params: { prompt: List them. } }\n');
  const follow = world.cli('task', 'new', file, '--start', '--follow');
  const { id, waiting } = await waits(world, 'task', 'list');
  expect(waiting).toMatchObject({ code: 'provider', now: ['try_now'] });
  expect((await world.cli('task', 'list').exit).stdout).toContain(`${id}: Waiting until `);
  expect((await world.cli('task', 'show', id).exit).stdout).toMatch(/Waiting until .*HTTP 429/);
  isAway = false;
  expect((await world.cli('task', 'resume', id).exit).code).toBe(0);
  const { code, stdout } = await follow.exit;
  expect(code, stdout).toBe(0);
  expect(told(stdout)).toEqual([
    expect.stringMatching(new RegExp(`^Waiting until .*HTTP 429.* You can try now: .* task resume ${id}$`)),
    expect.stringMatching(/^Continuing after \d.*$/),
  ]);
});
