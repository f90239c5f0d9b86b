import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { scenarioOf, writes } from '../../support/briefs.ts';
import { EngineWorld, type WorldOptions } from '../../support/engineWorld.ts';

const OURS = scenarioOf([
  {
    verify: ['sh check.sh'],
    features: [{ name: 'A', attempts: [writes('A.txt', 'ours\n'), writes('A.txt', 'ours\n')] }],
  },
]);
const CHECK = { 'README.md': 'A program.\n', 'check.sh': 'test ! -f broken.txt || { echo "it is broken"; exit 1; }\n' };

/** How often the engine began to run the verify command. */
const verifications = (world: EngineWorld) => world.lives.filter((line) => line.text.endsWith(': sh check.sh')).length;

async function atTheGate(options: WorldOptions = {}): Promise<EngineWorld> {
  const world = await EngineWorld.open({ scenario: OURS, files: CHECK, ...options });
  await world.submit({ gates: ['merge'] });
  await world.asked('merge');
  return world;
}

describe('a base branch that moved on', () => {
  test('without conflict is merged in the clone, verified again, and asked about again', async () => {
    await using world = await atTheGate();
    const theirs = world.userCommits({ 'B.txt': 'theirs\n' });
    const verified = verifications(world);
    await world.approve('merge');
    await world.until('the base is merged', () => world.happened('base_merged').length === 1);
    const again = await world.asked('merge');
    expect(verifications(world)).toBeGreaterThan(verified);
    expect(world.git('rev-parse', 'main')).toBe(theirs);
    await world.approve('merge');
    await world.is('completed');
    expect(world.git('log', '-1', '--format=%P', 'main')).toBe(`${theirs} ${again.commit}`);
    expect(world.git('ls-tree', '--name-only', 'main').split('\n')).toEqual([
      'A.txt',
      'B.txt',
      'README.md',
      'check.sh',
    ]);
    expect(world.git('status', '--porcelain')).toBe('');
  });

  test('and breaks what was made: it is mended first, then asked again', async () => {
    const scenario = scenarioOf([{ verify: ['sh check.sh'], features: [{ name: 'A' }] }], {
      otherwise: { feature: { attempts: [writes('check.sh', 'exit 0\n')] } },
    });
    await using world = await atTheGate({ scenario });
    world.userCommits({ 'broken.txt': 'x\n' });
    await world.approve('merge');
    await world.until('it is mended', () => world.sent('worker').length === 2);
    await world.approve('merge');
    await world.is('completed');
    expect(world.opening('worker', 1)).toContain('it is broken');
    expect(world.git('show', 'main:check.sh')).toBe('exit 0');
  });

  test('between the approval and the merge', async () => {
    await using world = await EngineWorld.open({ scenario: OURS, files: CHECK });
    await world.submit({ gates: ['merge'] });
    await world.asked('merge');
    // The commit is there before the loop hears of the answer.
    const stop = world.owner.follow({
      event: (event) => {
        if (event.type === 'approval_decided') world.userCommits({ 'late.txt': 'theirs\n' });
      },
    });
    await world.approve('merge');
    stop();
    await world.until('the base is merged', () => world.happened('base_merged').length === 1);
    await world.approve('merge');
    await world.is('completed');
    expect(world.git('log', '--format=%s', '--first-parent', 'main')).toMatch(/^Merge .*\nBy the user\nStart$/);
  });
});

describe('a conflict', () => {
  async function inConflict(): Promise<{ world: EngineWorld; theirs: string }> {
    const world = await atTheGate();
    const theirs = world.userCommits({ 'A.txt': 'theirs\n' });
    await world.approve('merge');
    return { world, theirs };
  }

  test('parks the job, with both sides and the paths named, and touches nothing', async () => {
    const { world, theirs } = await inConflict();
    await using _ = world;
    const asked = await world.asked('conflict');
    await world.is('awaiting_steward');
    expect(asked.detail).toContain(`Theirs: main at ${theirs}`);
    expect(asked.detail).toContain(`Ours: ${world.job.branch} at ${world.job.head}`);
    expect(asked.detail).toContain('A.txt');
    expect(asked.choices).toEqual(['retry', 'branch', 'patch']);
    expect(world.git('rev-parse', 'main')).toBe(theirs);
    expect(world.git('status', '--porcelain')).toBe('');
    await world.approve('conflict', { choice: 'branch' });
    const { merge } = await world.is('completed');
    expect(merge).toMatchObject({ mode: 'branch', target: world.job.branch, checkedOut: false });
    expect(world.git('show', `${world.job.branch}:A.txt`)).toBe('ours');
    expect(world.git('rev-parse', 'main')).toBe(theirs);
  });

  test('is tried again when the user has made room', async () => {
    const { world } = await inConflict();
    await using _ = world;
    await world.asked('conflict');
    world.git('revert', '--no-edit', 'HEAD');
    await world.approve('conflict', { choice: 'retry' });
    await world.until('the base is merged', () => world.happened('base_merged').length === 1);
    await world.approve('merge');
    await world.is('completed');
    expect(world.git('show', 'main:A.txt')).toBe('ours');
  });

  test('is asked about again when nothing changed', async () => {
    const { world } = await inConflict();
    await using _ = world;
    const first = await world.approve('conflict', { choice: 'retry' });
    const second = await world.asked('conflict');
    expect(second.id).toBeGreaterThan(first.id);
    expect(second.detail).toContain(`branch ${world.job.branch} of your repository`);
    await world.reject('conflict', 'Leave it.');
    expect((await world.is('paused')).reason).toContain('refused by the steward');
    await world.owner.wish('resumeJob', { jobId: world.job.id });
    expect((await world.asked('conflict')).id).toBeGreaterThan(second.id);
    await world.approve('conflict', { choice: 'branch' });
    await world.is('completed');
  });
});

describe('roll back', () => {
  test('takes the merge back with one commit, once', async () => {
    await using world = await EngineWorld.open();
    await world.run();
    const before = world.git('rev-parse', 'main');
    const { commit } = await world.owner.wish('rollBack', { jobId: world.jobId });
    expect(world.git('rev-parse', 'main')).toBe(commit);
    expect(world.git('rev-parse', 'main^')).toBe(before);
    expect(world.git('rev-parse', 'main^{tree}')).toBe(world.git('rev-parse', `${before}^1^{tree}`));
    expect(world.git('status', '--porcelain')).toBe('');
    expect(world.job.merge?.rolledBack).toBe(true);
    const again = world.owner.wish('rollBack', { jobId: world.jobId });
    await expect(again).rejects.toMatchObject({ code: 'NOT_PERMITTED' });
  });

  test('that was killed leaves no lock behind: the next owner takes it off, whatever became of the job', async () => {
    await using world = await EngineWorld.open();
    await world.run();
    const [gitDir, nonce] = [join(world.repo, '.git'), 'autonomous that-was-killed'];
    const [from, to] = [world.git('rev-parse', 'main'), world.git('rev-parse', 'main^')];
    const journal = join(world.job.job_dir, 'git', 'move.json');
    writeFileSync(journal, JSON.stringify({ root: world.repo, gitDir, ref: 'refs/heads/main', from, to, nonce }));
    writeFileSync(join(gitDir, 'index.lock'), nonce);
    await world.restart();
    expect([existsSync(join(gitDir, 'index.lock')), existsSync(journal)]).toEqual([false, false]);
    await world.owner.wish('rollBack', { jobId: world.jobId });
    expect(world.git('status', '--porcelain')).toBe('');
  });

  test('is refused once something was built on the merge', async () => {
    await using world = await EngineWorld.open();
    await world.run();
    const tip = world.userCommits({ 'more.txt': 'x\n' });
    const late = world.owner.wish('rollBack', { jobId: world.jobId });
    await expect(late).rejects.toMatchObject({ code: 'NOT_PERMITTED', message: expect.stringContaining('moved on') });
    expect(world.git('rev-parse', 'main')).toBe(tip);
    expect(world.job.merge?.rolledBack).toBe(false);
  });
});
