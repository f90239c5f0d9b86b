/** Verify commands in a fresh checkout of the commit: what a worker changed beside its commit makes nothing pass. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { approves, attempt, rejects, report, scenarioOf, write } from '../../support/demo/briefs.ts';
import { EngineWorld } from '../../support/world/engineWorld.ts';

const PROGRAM = 'node_modules/.bin/mytest';
/** A test that holds once a.txt is good, and a setup that installs it, and makes what git does not ignore. */
const FILES = {
  '.gitignore': 'node_modules\n',
  'a.txt': 'bad\n',
  'lock.txt': '1\n',
  'setup.sh': [
    'mkdir -p node_modules/.bin made/x',
    `echo 'grep good a.txt || exit 3' > ${PROGRAM}`,
    'echo 1 > made/x/index.js',
    'echo 2 > lock.txt\n',
  ].join('\n'),
  'check.sh': `test ! -e made && grep -q 1 lock.txt && sh ${PROGRAM}\n`,
};
const OPTIONS = {
  setup: ['sh setup.sh'],
  allowedCommands: [
    ['sh', 'setup.sh'],
    ['sh', 'check.sh'],
  ],
};

const cheats = attempt(write('b.txt', 'work\n'), write(PROGRAM, 'exit 0\n'), report('done'));
const works = attempt(write('a.txt', 'good\n'), report('done'));
const setups = (world: EngineWorld) => world.lives.filter(({ text }) => text.includes('setup of a fresh checkout'));

test('a worker that replaces the test program passes in its own tree alone, and what the setup made beside it is undone', async () => {
  const reviews = [rejects('Do it.', ['A']), approves];
  const scenario = scenarioOf([
    { verify: ['sh check.sh'], features: [{ name: 'A', attempts: [cheats, works] }], reviews },
  ]);
  await using world = await EngineWorld.open({ scenario, files: FILES, sandbox: true });
  await world.submit({ ...OPTIONS, gates: ['merge'] });
  const { detail } = await world.asked('merge');
  const removed = { paths: ['made/', 'lock.txt'], more: 0 };
  expect(world.happened('setup_finished')[0]?.removed).toEqual(removed);
  expect(world.job.setup_removed).toEqual(removed);
  expect(world.opening('worker')).toContain('made/; lock.txt');
  expect(detail).toContain(`"node_modules": 1 changed: "${PROGRAM}"`);
  expect(world.attempts('A')[0]).toMatchObject({ status: 'succeeded', evidence: [{ exitCode: 0 }] });
  const [rejected, approved] = [...world.state.attempts.values()].filter((row) => row.feature_id === null);
  expect(rejected?.evidence).toMatchObject([{ command: 'sh check.sh', exitCode: 3, fresh: { inTree: 'passed' } }]);
  expect(approved?.evidence).toMatchObject([{ command: 'sh check.sh', exitCode: 0, fresh: { inTree: 'passed' } }]);
  const shown = world.opening('reviewer');
  expect(shown).toContain("in a fresh checkout, but passed in the worker's tree");
  expect(shown).toContain(`"node_modules": 1 changed: "${PROGRAM}"`);
  expect(world.opening('worker', 1)).toContain('failed in a fresh checkout of the same commit');
  // Once for both: the second checkout takes the dependencies over.
  expect(setups(world)).toHaveLength(1);
  expect(existsSync(join(world.job.job_dir, 'fresh', 'tree'))).toBe(false);
  await world.approve('merge', { choice: 'merge' });
  await world.is('completed');
  expect(world.git('show', 'main:a.txt')).toBe('good');
  expect(world.git('ls-tree', '-r', '--name-only', 'main')).not.toContain('made');
});

test('a setup that only a lock file of the worker asks for is asked about; what a reviewer lets through does not pass the check before the merge', async () => {
  const adds = attempt(write('package-lock.json', '{}\n'), write(PROGRAM, 'exit 0\n'), report('done'));
  const scenario = scenarioOf([{ verify: ['sh check.sh'], features: [{ name: 'A', attempts: [adds] }] }]);
  await using world = await EngineWorld.open({ scenario, files: FILES, sandbox: true });
  await world.submit({ ...OPTIONS, setup: null });
  expect((await world.asked('setup')).detail).toBe('npm ci');
  await world.reject('setup', 'Go without.');
  // The approval of a reviewer that contradicts the evidence is the steward's to confirm.
  await world.approve('escalate');
  const [verified] = await world.until('the result is verified', () => {
    const found = world.happened('result_verified');
    return found.length > 0 && found;
  });
  // Without the setup the test program is not there, and nothing is merged.
  expect(verified?.feedback).toMatch(
    /sh check\.sh` failed in a fresh checkout.*passed in the worker's tree.*node_modules/s,
  );
  expect(world.git('log', '-1', '--format=%s', 'main')).toBe('Start');
  expect(setups(world)).toEqual([]);
  await world.owner.request('cancelJob', { jobId: world.jobId, reason: 'seen' });
});
