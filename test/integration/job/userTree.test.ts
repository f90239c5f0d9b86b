/** Nothing of the user changes but a branch of ours and, with a merge, the branch that was merged into and its clean checkout. */
import { describe, expect, test } from 'vitest';
import type { Scenario } from '../../../src/adapters/simulated/scenario.ts';
import { attempt, bash, ONE_FEATURE, report, scenarioOf, write } from '../../support/demo/briefs.ts';
import { snapshotOf } from '../../support/git/snapshotOf.ts';
import { EngineWorld } from '../../support/world/engineWorld.ts';

const FILES = {
  '.gitignore': 'ignored/\n',
  'kept.txt': 'kept\n',
  'edited.txt': 'one\n',
  'staged.txt': 'one\n',
  'gone.txt': 'one\n',
};

/** Work of every kind that git can have lying around. */
function makeDirty(world: EngineWorld): void {
  world.write({ 'staged.txt': 'two\n', 'edited.txt': 'two\n', 'gone.txt': null, 'ignored/secret': 'mine\n' });
  world.git('add', 'staged.txt');
  world.write({ 'staged.txt': 'three\n', 'untracked.txt': 'mine\n', 'dir/untracked': 'mine\n' });
}

/** Every file with its content and mode, `.git` included; what we keep in the workspace is left out. */
function whole(world: EngineWorld): Record<string, string> {
  const all = snapshotOf(world.repo, true);
  return Object.fromEntries(Object.entries(all).filter(([path]) => !path.startsWith('.autonomous/')));
}

function changed(before: Record<string, string>, after: Record<string, string>): string[] {
  const paths = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...paths].filter((path) => before[path] !== after[path]).sort();
}

/** New objects are never looked at again; everything else in `.git` is. */
const notObjects = (paths: readonly string[]) => paths.filter((path) => !path.startsWith('.git/objects/'));

async function dirtyWorld(scenario: Scenario): Promise<{ world: EngineWorld; before: Record<string, string> }> {
  const world = await EngineWorld.open({ scenario, files: FILES });
  makeDirty(world);
  return { world, before: whole(world) };
}

describe('a dirty tree', () => {
  test('is asked about: a no makes nothing; the merge is refused, and a branch from the last commit is all that is new', async () => {
    const work = attempt(write('A.txt', 'A'), write('edited.txt', 'ours\n'), report('done'));
    const { world, before } = await dirtyWorld(scenarioOf([{ features: [{ name: 'A', attempts: [work] }] }]));
    await using _ = world;
    await world.submit({ gates: ['merge'] });
    const asked = await world.reject('dirty_tree', 'Not now.');
    expect(asked.choices).toEqual(['head', 'snapshot']);
    expect(asked.detail.split('\n')).toEqual(expect.arrayContaining(['edited.txt', 'staged.txt', 'untracked.txt']));
    expect(asked.detail).toContain('commit or stash them before it');
    await world.is('paused');
    expect(changed(before, whole(world))).toEqual([]);
    expect(world.server.requests).toEqual([]);

    await world.owner.request('resumeJob', { jobId: world.jobId, by: 'steward' });
    await world.approve('dirty_tree', { choice: 'head' });
    await world.approve('merge');
    const refused = await world.asked('conflict');
    expect(refused.question).toContain('The merge was refused');
    const { branch } = world.job;
    expect(foreign(changed(before, whole(world)), branch)).toEqual([]);
    await world.approve('conflict', { choice: 'branch' });
    await world.is('completed');
    const after = notObjects(changed(before, whole(world)));
    expect(after).toContain(`.git/refs/heads/${branch}`);
    expect(foreign(after, branch)).toEqual([]);
    expect(world.git('show', `${branch}:staged.txt`, `${branch}:A.txt`)).toBe('one\nA');
  });

  test('from a snapshot, to a patch: the repository is as it was, and the work had the uncommitted files', async () => {
    const scenario = scenarioOf([
      {
        features: [
          { name: 'A', attempts: [attempt(bash('cat staged.txt untracked.txt'), write('A.txt', 'A'), report('done'))] },
        ],
      },
    ]);
    const { world, before } = await dirtyWorld(scenario);
    await using _ = world;
    await world.submit({ mergeMode: 'patch', allowedCommands: [['ls'], ['cat', 'staged.txt', 'untracked.txt']] });
    await world.approve('dirty_tree', { choice: 'snapshot' });
    const { merge } = await world.is('completed');
    expect(foreign(changed(before, whole(world)), world.job.branch)).toEqual([]);
    expect(world.attempts('A')).toHaveLength(1);
    expect(merge).toMatchObject({ mode: 'patch', commit: null });
    world.git('apply', '--check', merge?.target ?? '');
    expect(world.state.jobs.get(world.jobId)?.snapshot).toBe(true);
    expect(world.git('rev-parse', 'main')).not.toBe(world.job.baseline);
  });
});

describe('a clean tree', () => {
  test('on no branch is asked about before a model is asked; with untracked files alone it goes forward with the merge', async () => {
    await using world = await EngineWorld.open({ scenario: ONE_FEATURE, files: FILES });
    world.write({ 'ignored/secret': 'mine\n', 'untracked.txt': 'mine\n', 'dir/untracked': 'mine\n' });
    world.git('checkout', '-q', '--detach');
    await world.submit({ mergeMode: 'merge' });
    const { detail } = await world.reject('unmergeable', 'I check it out.');
    expect(detail).toContain('no branch is checked out (detached HEAD): check out the branch');
    await world.is('paused');
    expect(world.server.requests).toEqual([]);

    world.git('checkout', '-q', 'main');
    const before = whole(world);
    await world.owner.request('resumeJob', { jobId: world.jobId, by: 'steward' });
    await world.is('completed');
    expect(world.job).toMatchObject({ snapshot: false, merge: { mode: 'merge', target: 'main' } });
    expect([...world.state.approvals.values()].map(({ kind }) => kind)).toEqual(['unmergeable']);
    // The new file, the index and the two branches, and nothing else.
    expect(foreign(changed(before, whole(world)), world.job.branch)).toEqual([
      '.git/index',
      '.git/logs/HEAD',
      '.git/logs/refs/heads/main',
      '.git/refs/heads/main',
      'A.txt',
    ]);
    expect(world.git('status', '--porcelain')).toBe('?? dir/\n?? untracked.txt');
    expect(world.git('diff', '--name-only', world.job.baseline ?? '', 'HEAD')).toBe('A.txt');
  });

  test('is as it was while gates are refused, and after a cancel in the middle of a command', async () => {
    const slow = attempt(write('A.txt', 'A'), bash('sleep 3000'), report('done'));
    // The refused merge leads to the second fix.
    const fix = scenarioOf([{ features: [{ name: 'Fix 2: Phase 1', attempts: [slow] }] }]);
    const scenario = { ...ONE_FEATURE, features: { ...ONE_FEATURE.features, ...fix.features } };
    await using world = await EngineWorld.open({ files: FILES, sandbox: true, scenario });
    world.write({ 'ignored/secret': 'mine\n' });
    const before = whole(world);
    await world.submit({ gates: ['plan', 'phase', 'merge'], allowedCommands: [['ls'], ['sleep', '30']] });
    await world.reject('plan', 'No.');
    await world.until('planned again', () => world.job.plan_version === 2);
    await world.approve('plan');
    await world.reject('phase', 'No.');
    await world.until('rejected', () => world.happened('phase_rejected').length === 1);
    await world.approve('phase');
    await world.reject('merge', 'No.');
    await world.until('refused', () => world.happened('merge_refused').length === 1);
    await world.until('an attempt runs', () => world.lives.some((line) => line.text.includes('sleep 3000')));
    expect(changed(before, whole(world))).toEqual([]);
    await world.owner.request('cancelJob', { jobId: world.jobId });
    await world.is('cancelled');
    expect(changed(before, whole(world))).toEqual([]);
    await world.close();
    expect(changed(before, whole(world))).toEqual([]);
    await world.restart();
  });
});

/** What changed and is neither an object nor of the job's own branch. */
function foreign(paths: readonly string[], branch: string): string[] {
  const own = [
    `.git/refs/heads/${branch}`,
    `.git/logs/refs/heads/${branch}`,
    '.git/refs/heads/autonomous/',
    '.git/logs/refs/heads/autonomous/',
  ];
  return notObjects(paths).filter((path) => !own.includes(path));
}
