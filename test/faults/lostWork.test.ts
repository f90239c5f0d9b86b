/**
 * No work is lost with a clone: whatever became of an attempt, its whole tree comes out of `.autonomous` and the user's own commits.
 * The oracle is git as the user calls it, on the trees that the attempts left.
 */
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, inject, test } from 'vitest';
import { previewCleanUp } from '../../src/app/owner/clones.ts';
import { restoreAttempt } from '../../src/app/workspace/attempts.ts';
import { messageOf } from '../../src/shared/errors.ts';
import { attempt, bash, ONE_FEATURE, report, scenarioOf, write, writes } from '../support/demo/briefs.ts';
import { plainGit } from '../support/git/gitFixture.ts';
import { snapshotOf } from '../support/git/snapshotOf.ts';
import { filesOf } from '../support/git/treeGuard.ts';
import { terminalProcess } from '../support/process/terminalProcess.ts';
import { testPrograms, WASM_FILE } from '../support/process/testPrograms.ts';
import { planted } from '../support/suite/planted.ts';
import { buildWith, type PlantedBug } from '../support/suite/plantedBug.ts';
import { figure } from '../support/suite/proof.ts';
import { EngineWorld } from '../support/world/engineWorld.ts';

/** What text tools do not write: bytes that are no text, modes, links, a file where a folder was, names that git quotes. */
const MESS = `import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
writeFileSync('data.bin', Uint8Array.from({ length: 3000 }, (_, at) => (at * at * 7) % 256));
writeFileSync('latin1.txt', Uint8Array.of(99, 97, 102, 233, 10));
symlinkSync('README.md', 'link');
writeFileSync('tool', '#!/bin/sh\\n');
chmodSync('tool', 0o755);
rmSync('folder', { recursive: true });
writeFileSync('folder', 'a file now\\n');
mkdirSync('sp ace');
writeFileSync('sp ace/ta"b', 'x\\n');
writeFileSync('empty', '');
mkdirSync('build', { recursive: true });
writeFileSync('build/out', 'ignored\\n');
`;
const FILES = {
  'README.md': 'A program.\n',
  'mess.mjs': MESS,
  'unmake.mjs':
    "import { rmSync, writeFileSync } from 'node:fs';\nrmSync('B.txt');\nwriteFileSync('data.bin', 'short');\n",
  'slow.mjs':
    "import { writeFileSync } from 'node:fs';\nwriteFileSync('began', 'half');\nsetInterval(() => undefined, 1000);\n",
  'folder/inside.txt': 'inside\n',
  '.gitignore': 'build/\n',
};
const PROGRAMS = ['mess', 'unmake', 'slow'].map((name) => ['node', `${name}.mjs`]);
const run = (name: string) => bash(`node ${name}.mjs`);

const turnsOf = (calls: readonly ReturnType<typeof write>[]) =>
  calls.map((call) => ({ text: '', calls: [call] as never }));

/** A success with everything odd, a failed try and its retry, one that comes to its limit, and one that is cancelled. */
const WHOLE = scenarioOf([
  {
    verify: ['cat B.txt'],
    features: [
      { name: 'A', attempts: [attempt(run('mess'), write('B.txt', 'by A\n'), report('done'))] },
      {
        name: 'B',
        after: ['A'],
        attempts: [
          attempt(run('unmake'), write('tried.txt', 'in vain\n'), report('done')),
          attempt(write('B.txt', 'by B\n'), report('done')),
        ],
      },
      {
        name: 'D',
        after: ['B'],
        attempts: [
          { turns: turnsOf(['1', '2', '3', '4'].map((name) => write(`D${name}.txt`, name))) },
          writes('D.txt'),
        ],
      },
      { name: 'E', after: ['D'], attempts: [{ turns: turnsOf([write('E.txt', 'E'), run('slow')]) }] },
    ],
  },
]);

/** The job's whole life, and what git says that each commit of it holds; then every clone is gone, by us or by somebody else. */
async function lived(world: EngineWorld, byCeiling: boolean): Promise<Map<number, string | null>> {
  await world.submit({ attempt: { turns: 3 }, batch: 1, allowedCommands: [...PROGRAMS, ['cat', 'B.txt']] });
  await world.approve('dirty_tree', { choice: 'snapshot' });
  await world.until('the last attempt is in its command', () => existsSync(join(world.job.clone_dir ?? '', 'began')));
  const { job_dir } = world.job;
  const git = (...args: string[]): string => plainGit(job_dir, ['--git-dir', join(job_dir, 'git'), ...args]).trim();
  const trees = [...world.state.attempts.values()]
    .filter((row) => row.feature_id !== null)
    .map((row) => [row.id, row.commit === null ? null : git('rev-parse', `${row.commit}^{tree}`)] as const);
  await world.owner.request('cancelJob', { jobId: world.jobId });
  if (byCeiling) {
    await world.until('its clone goes by itself', () => !existsSync(join(job_dir, 'git')));
    await world.until('it is told', () => world.owner.problems.some((text) => text.includes(world.jobId)));
  }
  await world.close();
  rmSync(world.places.jobsDir, { recursive: true });
  return new Map(trees);
}

const readOnlyOf = ({ places, clock }: EngineWorld) => ({ places, clock, wasmFile: WASM_FILE, env: process.env });

/** What each attempt should have left beside what it began with: letter and path, as git tells it. */
const DIFFERENCES: readonly string[] = [
  'A B.txt, A data.bin, A empty, A folder, D folder/inside.txt, A latin1.txt, A link, A "sp ace/ta\\"b", A tool',
  'D B.txt, M data.bin, A tried.txt',
  'M B.txt, M data.bin, A tried.txt',
  'A D1.txt, A D2.txt, A D3.txt',
  'A D.txt, A D1.txt, A D2.txt, A D3.txt',
  'A E.txt, A began',
];

/** The first and the last of them: all that the planted bugs spoil. */
const SHORT = scenarioOf([
  {
    verify: ['cat B.txt'],
    features: [
      { name: 'A', attempts: [attempt(run('mess'), write('B.txt', 'by A\n'), report('done'))] },
      { name: 'E', after: ['A'], attempts: [{ turns: turnsOf([write('E.txt', 'E'), run('slow')]) }] },
    ],
  },
]);

/** Restores every attempt as a branch; what is wrong with it, one line each. */
async function faultsOf(
  worker: URL,
  scenario = SHORT,
): Promise<{ readonly faults: string[]; readonly restored: number }> {
  const byCeiling = scenario === WHOLE;
  const owner = { workerScript: worker, ...(byCeiling ? { clonesBytes: 0 } : {}) };
  await using world = await EngineWorld.open({ scenario, files: FILES, owner });
  world.write({ 'README.md': 'edited\n', 'untracked.txt': 'mine\n', 'staged.txt': 'mine\n' });
  world.git('add', 'staged.txt');
  const mine = filesOf(world.repo);
  const trees = await lived(world, byCeiling);
  const before = repositoryOf(world);
  const faults: string[] = [];
  let restored = 0;
  for (const [id, tree] of trees) {
    const branch = `again/${id}`;
    try {
      await restoreAttempt(readOnlyOf(world), id, { branch });
      restored++;
    } catch (thrown) {
      faults.push(`attempt ${id}: ${messageOf(thrown)}`);
      continue;
    }
    if (tree !== null && world.git('rev-parse', `${branch}^{tree}`) !== tree)
      faults.push(`attempt ${id}: another tree`);
    const told = world.git('diff', '--no-renames', '--name-status', `${branch}^`, branch).split('\n');
    const expected =
      scenario === WHOLE ? DIFFERENCES[restored - 1] : [DIFFERENCES[0], DIFFERENCES.at(-1)][restored - 1];
    const found = told.map((line) => line.replace('\t', ' ')).join(', ');
    if (found !== expected) faults.push(`attempt ${id}: ${found} in place of ${expected}`);
  }
  faults.push(...changedIn(before, repositoryOf(world)));
  const fsck = world.git('fsck', '--strict', '--no-dangling');
  if (fsck !== '') faults.push(fsck);
  if (!isDeepStrictEqual(filesOf(world.repo), mine)) faults.push("the user's files changed");
  return { faults, restored };
}

/** Of the user's repository all that no restoring may touch: its index, HEAD, packed refs, locks, and the objects that it had. */
function repositoryOf(world: EngineWorld): Map<string, string> {
  const files = Object.entries(snapshotOf(join(world.repo, '.git'), true));
  return new Map(files.filter(([path]) => !/^(logs\/)?refs\/heads\/again/.test(path) && !path.endsWith('/')));
}

function changedIn(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] {
  const gone = [...before]
    .filter(([path, hash]) => after.get(path) !== hash)
    .map(([path]) => `${path} changed or went`);
  const come = [...after.keys()].filter((path) => !before.has(path) && !path.startsWith('objects/'));
  return [...gone, ...come.map((path) => `${path} came`)];
}

/** An attempt of two turns, of which the second is never answered. */
const HALF = scenarioOf([
  { features: [{ name: 'A', attempts: [{ turns: turnsOf([write('A.txt', 'half of A\n'), report('done')]) }] }] },
]);

test('the clean-up shows what would go, takes the clones of jobs that are over, and leaves all of their work', async () => {
  await using world = await EngineWorld.open({ scenario: ONE_FEATURE });
  const done = await world.run({ mergeMode: 'branch' });
  await world.run({ gates: ['plan'] }, 'awaiting_steward');
  const { job: waiting } = world;
  const readOnly = readOnlyOf(world);
  const shown = await previewCleanUp(readOnly, 0);
  expect(shown.go.map(({ jobId }) => jobId)).toEqual([done.id]);
  expect(shown.stay).toMatchObject([{ jobId: waiting.id, why: 'under_way' }]);
  expect((await previewCleanUp(readOnly, shown.bytes)).go).toEqual([]);
  expect(existsSync(done.clone_dir ?? '')).toBe(true);
  expect(await world.owner.request('cleanClones', { maxBytes: 0 })).toEqual(shown);
  expect(existsSync(join(done.job_dir, 'work')) || existsSync(join(done.job_dir, 'git'))).toBe(false);
  expect(existsSync(join(done.job_dir, 'job_manifest.json'))).toBe(true);
  expect(existsSync(waiting.clone_dir ?? '')).toBe(true);
  const [attempted] = [...world.state.attempts.keys()];
  const { target } = await restoreAttempt(readOnly, attempted ?? 0, { branch: 'again' });
  expect(world.git('rev-parse', `${target}^{tree}`)).toBe(world.git('rev-parse', `${done.branch}^{tree}`));
});

/** Each is caught by what is judged above. */
const BUGS: readonly (PlantedBug & { readonly bug: string })[] = [
  {
    bug: 'untracked files of a turn that was cut off are left out',
    file: 'src/engine/job/tree/keptWork.ts',
    find: 'await keepWork(context, attempt, commit);\n  } catch',
    put: 'await keepWork(context, attempt, commit === last ? commit : last);\n  } catch',
  },
  {
    bug: 'bytes that are no text are left out',
    file: 'src/adapters/git/job/change/change.ts',
    find: "  '--binary',\n",
    put: '',
  },
];

describe('with every clone gone', () => {
  test('each attempt comes out of .autonomous whole: done, failed, at its limit, cancelled in a command', async () => {
    const { faults, restored } = await faultsOf((await testPrograms(inject('tempRoot'))).program('worker'), WHOLE);
    expect(faults).toEqual([]);
    expect(restored).toBe(DIFFERENCES.length);
    figure({ method: 'item 6', what: 'attempts restored with every clone gone', value: restored, unit: '', aim: null });
  });

  for (const { bug, ...wrong } of BUGS)
    planted(bug, async () => {
      using worker = await buildWith(wrong, ['src/worker.ts']);
      const { faults } = await faultsOf(worker.program('worker'));
      expect(faults).not.toEqual([]);
    });

  test('what an attempt had at the last turn before a SIGKILL is there, by the terminal: as a branch, a patch, an export', async () => {
    await using world = await terminalProcess(await testPrograms(inject('tempRoot')), {
      scenario: HALF,
      silentAfter: 2,
    });
    const run = world.cli('run', '--yes', '--no-setup', 'Build it.');
    await world.silent;
    run.kill('SIGKILL');
    await run.exit;
    rmSync(world.jobsDir, { recursive: true });
    expect(await world.cli('restore', '1').exit).toMatchObject({ code: 0, stderr: '' });
    expect(world.git('show', 'autonomous/attempt-1:A.txt')).toBe('half of A\n');
    expect(await world.cli('restore', '1').exit).toMatchObject({ code: 1, stdout: '' });
    const patch = join(world.folder, 'a.patch');
    expect(await world.cli('restore', '1', '--patch', patch).exit).toMatchObject({ code: 0, stderr: '' });
    world.git('apply', '--index', patch);
    expect(world.git('write-tree')).toBe(world.git('rev-parse', 'autonomous/attempt-1^{tree}'));
    const listed = JSON.parse((await world.cli('attempts', '--json').exit).stdout) as { attempts: object[] };
    expect(listed.attempts).toMatchObject([{ id: 1, feature: { name: 'A' }, status: 'running' }]);
    const target = join(world.folder, 'taken');
    expect(await world.cli('export', target).exit).toMatchObject({ code: 0, stderr: '' });
    const elsewhere = ['--project-dir', world.another('elsewhere')];
    expect(await world.cli(...elsewhere, 'import', target).exit).toMatchObject({ code: 0, stderr: '' });
    const jobs = JSON.parse((await world.cli(...elsewhere, 'jobs', '--json').exit).stdout) as { jobs: object[] };
    expect(jobs.jobs).toMatchObject([{ status: 'cancelled' }]);
  });
});
