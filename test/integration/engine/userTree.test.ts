/** Nothing of the user changes but a branch of ours and, with a merge, the branch that was merged into and its clean checkout. */
import { describe, expect, test } from 'vitest';
import { attempt, bash, ONE_FEATURE, report, scenarioOf, write, writes } from '../../support/briefs.ts';
import { EngineWorld } from '../../support/engineWorld.ts';
import { snapshotOf } from '../../support/gitFixture.ts';

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

async function dirtyWorld(scenario = ONE_FEATURE): Promise<{ world: EngineWorld; before: Record<string, string> }> {
  const world = await EngineWorld.open({ scenario, files: FILES });
  makeDirty(world);
  return { world, before: whole(world) };
}

describe('a dirty tree', () => {
  test('is asked about; from the last commit, to a branch: only the branch is new', async () => {
    const { world, before } = await dirtyWorld();
    await using _ = world;
    await world.submit({ mergeMode: 'branch' });
    const asked = await world.approve('dirty_tree', { choice: 'head' });
    expect(asked.choices).toEqual(['head', 'snapshot']);
    expect(asked.detail.split('\n')).toEqual(expect.arrayContaining(['edited.txt', 'staged.txt', 'untracked.txt']));
    await world.is('completed');
    const { branch } = world.job;
    expect(notObjects(changed(before, whole(world)))).toEqual(expect.arrayContaining([`.git/refs/heads/${branch}`]));
    expect(foreign(changed(before, whole(world)), branch)).toEqual([]);
    expect(world.git('show', `${branch}:edited.txt`)).toBe('one');
    expect(world.git('show', `${branch}:A.txt`)).toBe('A.txt');
  });

  test('from a snapshot, to a patch: the repository is as it was, and the work had what lay around', async () => {
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

  test('is refused as a place to merge: the steward takes a branch instead', async () => {
    const { world, before } = await dirtyWorld(
      scenarioOf([{ features: [{ name: 'A', attempts: [writes('edited.txt', 'ours\n')] }] }]),
    );
    await using _ = world;
    await world.submit({ gates: ['merge'] });
    await world.approve('dirty_tree', { choice: 'head' });
    await world.approve('merge');
    const refused = await world.asked('conflict');
    expect(refused.question).toContain('The merge was refused');
    expect(foreign(changed(before, whole(world)), world.job.branch)).toEqual([]);
    await world.approve('conflict', { choice: 'branch' });
    await world.is('completed');
    expect(foreign(changed(before, whole(world)), world.job.branch)).toEqual([]);
  });

  test('and no answer to it: the job pauses, and nothing was made', async () => {
    const { world, before } = await dirtyWorld();
    await using _ = world;
    await world.submit();
    await world.reject('dirty_tree', 'Not now.');
    await world.is('paused');
    expect(changed(before, whole(world))).toEqual([]);
    expect(world.server.requests).toEqual([]);
  });
});

describe('a tree with untracked files alone', () => {
  test('asks nothing, and starts from the last commit; the files stay', async () => {
    await using world = await EngineWorld.open({ scenario: ONE_FEATURE, files: FILES });
    world.write({ 'untracked.txt': 'mine\n', 'dir/untracked': 'mine\n' });
    await world.submit({ gates: [], mergeMode: 'merge' });
    await world.is('completed');
    expect([...world.state.approvals.values()]).toEqual([]);
    expect(world.job).toMatchObject({ snapshot: false, merge: { mode: 'merge' } });
    expect(world.git('status', '--porcelain')).toBe('?? dir/\n?? untracked.txt');
    expect(world.git('show', '--stat', 'HEAD')).not.toContain('untracked');
  });
});

describe('a tree that the merge would refuse', () => {
  test('is reported at the start, before a model is asked', async () => {
    await using world = await EngineWorld.open({ scenario: ONE_FEATURE, files: FILES });
    world.git('checkout', '-q', '--detach');
    await world.submit({ gates: [], mergeMode: 'merge' });
    const asked = await world.asked('unmergeable');
    expect(asked.detail).toContain('no branch is checked out (detached HEAD): check out the branch');
    expect(world.server.requests).toEqual([]);
    await world.reject('unmergeable', 'I check it out.');
    await world.is('paused');
    world.git('checkout', '-q', 'main');
    await world.owner.wish('resumeJob', { jobId: world.jobId, by: 'steward' });
    await world.is('completed');
    expect(world.job.merge).toMatchObject({ mode: 'merge', target: 'main' });
  });

  test('is no matter for a result that is taken as a branch', async () => {
    await using world = await EngineWorld.open({ scenario: ONE_FEATURE, files: FILES });
    world.git('checkout', '-q', '--detach');
    await world.submit({ gates: [], mergeMode: 'branch' });
    await world.is('completed');
    expect([...world.state.approvals.values()]).toEqual([]);
  });

  test('with uncommitted changes says so with the question about them', async () => {
    const { world } = await dirtyWorld();
    await using _ = world;
    await world.submit({ mergeMode: 'merge' });
    expect((await world.asked('dirty_tree')).detail).toContain('commit or stash them before it');
  });
});

describe('a clean tree', () => {
  test('is as it was while gates are refused', async () => {
    await using world = await EngineWorld.open({ files: FILES });
    world.write({ 'ignored/secret': 'mine\n' });
    const before = whole(world);
    await world.submit({ gates: ['plan', 'phase', 'merge'] });
    await world.reject('plan', 'No.');
    await world.until('planned again', () => world.job.plan_version === 2);
    await world.approve('plan');
    await world.reject('phase', 'No.');
    await world.until('rejected', () => world.happened('phase_rejected').length === 1);
    await world.approve('phase');
    await world.reject('merge', 'No.');
    await world.until('refused', () => world.happened('merge_refused').length === 1);
    await world.asked('phase');
    expect(changed(before, whole(world))).toEqual([]);
    await world.owner.wish('cancelJob', { jobId: world.jobId });
    await world.close();
    expect(changed(before, whole(world))).toEqual([]);
    await world.restart();
  });

  test('is as it was after a cancel in the middle of a command', async () => {
    const slow = attempt(write('A.txt', 'A'), bash('sleep 30'), report('done'));
    await using world = await EngineWorld.open({
      files: FILES,
      sandbox: true,
      scenario: scenarioOf([{ features: [{ name: 'A', attempts: [slow] }] }]),
    });
    const before = whole(world);
    await world.submit({ allowedCommands: [['ls'], ['sleep', '30']] });
    await world.until('an attempt runs', () => world.lives.some((line) => line.text.includes('sleep 30')));
    await world.owner.wish('cancelJob', { jobId: world.jobId });
    await world.is('cancelled');
    expect(changed(before, whole(world))).toEqual([]);
  });

  test('goes forward with a merge: the new files, the index and the two branches, and nothing else', async () => {
    await using world = await EngineWorld.open({ files: FILES });
    world.write({ 'ignored/secret': 'mine\n' });
    const before = whole(world);
    await world.run();
    const { branch } = world.job;
    const after = foreign(changed(before, whole(world)), branch);
    expect(after).toEqual([
      '.git/index',
      '.git/logs/HEAD',
      '.git/logs/refs/heads/main',
      '.git/refs/heads/main',
      'A.txt',
    ]);
    expect(world.git('status', '--porcelain')).toBe('');
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
