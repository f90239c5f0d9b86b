/**
 * T10, T12: programs that a repository brings, in folders that npm or direnv put on the PATH, are run by nobody out here: neither
 * git, nor what a sandbox is made of, nor what a library starts by its name. Over the program as it is built.
 */
import { chmodSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { findExecutable } from '../../src/adapters/platform/executables.ts';
import { attempt, bash, report, scenarioOf } from '../support/demo/briefs.ts';
import { terminalProcess } from '../support/process/terminalProcess.ts';
import { testPrograms } from '../support/process/testPrograms.ts';
import { shellGround } from '../support/shell/shell.ts';
import { planted } from '../support/suite/planted.ts';
import { buildWith, type PlantedBug } from '../support/suite/plantedBug.ts';
import { figure } from '../support/suite/proof.ts';

/** What we, or a library of ours, look up by name. */
const NAMES = ['git', 'bwrap', 'socat', 'rg', 'which', 'ps', 'pgrep', 'grep', 'npm', 'sh', 'env', 'cat', 'kill'];
/** Below the repository; `way` is a folder beside it that leads into it. */
const FOLDERS = ['node_modules/.bin', 'bin', '.direnv/bin', '../way'];
const REAL = process.env['PATH'] ?? '';

/** Leaves its name behind, and does what the real one does. */
function canary(name: string, nest: string): string {
  const real = findExecutable(name, REAL);
  return `#!/bin/sh\n: > '${join(nest, name)}'\n${real === null ? 'exit 1' : `exec ${real} "$@"`}\n`;
}

const WORKER = attempt(bash('echo made > made.txt'), report('done'));

interface ToolResult {
  /** Names of the programs that ran. */
  readonly fired: string[];
  readonly confined: boolean;
  readonly made: string;
}

/** What came of a look at the machine, and of a whole run that asks for nothing. */
async function runWith(bug: PlantedBug | null): Promise<ToolResult> {
  using built =
    bug === null ? await testPrograms(inject('tempRoot')) : await buildWith(bug, ['src/cli.ts', 'src/worker.ts']);
  await using world = await terminalProcess(built, {
    scenario: scenarioOf([{ features: [{ name: 'A', attempts: [WORKER] }] }]),
    path: (folder) => [...FOLDERS.map((name) => join(folder, 'repo', name)), REAL].join(delimiter),
  });
  const nest = join(world.folder, 'fired');
  mkdirSync(nest);
  for (const folder of FOLDERS.slice(0, 3))
    for (const name of NAMES) {
      const file = join(world.repo, folder, name);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, canary(name, nest));
      chmodSync(file, 0o755);
    }
  symlinkSync(join(world.repo, 'bin'), join(world.folder, 'way'));
  world.git('add', '-A');
  world.git('commit', '-q', '-m', 'Tools');
  const looked = await world.cli('doctor').exit;
  const run = await world.cli('run', '--yes', '--no-setup', '--gates', 'none', '--merge', 'merge', 'Build it.').exit;
  expect(run, looked.stdout).toMatchObject({ code: 0 });
  return {
    fired: readdirSync(nest).sort(),
    confined: /commands are confined|sandbox-write-outside/.test(looked.stdout),
    made: world.git('show', 'main:made.txt'),
  };
}

test('nothing that a repository brings is run by the doctor or a run, and the sandbox is the real one', async ({
  skip,
}) => {
  const ground = shellGround();
  const { mode } = await ground.runner.sandbox();
  await ground.close();
  skip(mode !== 'sandboxed', 'no sandbox on this machine');
  const told = await runWith(null);
  const tried = NAMES.length * FOLDERS.length;
  figure({ method: 'T10', what: 'hostile inputs tried: programs on the PATH', value: tried, unit: '', aim: null });
  figure({
    method: 'T10',
    what: 'programs on the PATH that ran',
    value: told.fired.length,
    unit: '',
    aim: { atMost: 0 },
  });
  expect(told).toEqual({ fired: [], confined: true, made: 'made\n' });
});

planted('the PATH is taken as it is', async () => {
  const bug = {
    file: 'src/adapters/platform/searchPath.ts',
    find: 'isAbsolute(entry) && !mayLeadInto(entry, folders)',
    put: 'isAbsolute(entry)',
  };
  expect((await runWith(bug)).fired).toEqual(expect.arrayContaining(['bwrap', 'git', 'which']));
});
