/** The base branch moves on while a job works: it is taken in, verified and asked about again, or a person decides. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { scenarioOf, writes } from '../../support/briefs.ts';
import { type LoopOptions, LoopWorld, type Outcomes } from '../../support/loopWorld.ts';

const OURS = scenarioOf([
  {
    verify: ['sh check.sh'],
    features: [{ name: 'A', attempts: [writes('A.txt', 'ours\n'), writes('A.txt', 'ours\n')] }],
  },
]);
const FILES = { 'README.md': 'A program.\n', 'check.sh': 'no broken.txt\n' };
/** Fails over a broken.txt, as long as the script has not been mended. */
const CHECK: Outcomes = {
  'sh check.sh': (cwd) => {
    const mended = readFileSync(join(cwd, 'check.sh'), 'utf8') !== FILES['check.sh'];
    const broken = existsSync(join(cwd, 'broken.txt')) && !mended;
    return broken ? { exitCode: 1, output: 'it is broken\n' } : { exitCode: 0 };
  },
};

/** How often the engine began to run the verify command. */
const verifications = (world: LoopWorld) => world.lives.filter((line) => line.text.endsWith(': sh check.sh')).length;

async function atTheGate(options: LoopOptions = {}): Promise<LoopWorld> {
  const world = await LoopWorld.open({ scenario: OURS, files: FILES, commands: CHECK, ...options });
  await world.submit({ gates: ['merge'] });
  await world.asked('merge');
  return world;
}

describe('a base branch that moved on', () => {
  test('without conflict is merged in the clone, verified again, and asked about again', async () => {
    await using world = await atTheGate();
    const theirs = world.git.userCommits({ 'B.txt': 'theirs\n' });
    const verified = verifications(world);
    await world.approve('merge');
    await world.until('the base is merged', () => world.happened('base_merged').length === 1);
    const again = await world.asked('merge');
    expect(verifications(world)).toBeGreaterThan(verified);
    expect(world.git.commitOf('main')).toBe(theirs);
    await world.approve('merge');
    await world.is('completed');
    expect(world.git.commitOf('main^2')).toBe(again.commit);
    expect(Object.keys(world.git.files('main')).sort()).toEqual(['A.txt', 'B.txt', 'README.md', 'check.sh']);
  });

  test('and breaks what was made: it is mended first, then asked again', async () => {
    const scenario = scenarioOf([{ verify: ['sh check.sh'], features: [{ name: 'A' }] }], {
      otherwise: { feature: { attempts: [writes('check.sh', 'exit 0\n')] } },
    });
    await using world = await atTheGate({ scenario });
    world.git.userCommits({ 'broken.txt': 'x\n' });
    await world.approve('merge');
    await world.until('it is mended', () => world.sent('worker').length === 2);
    await world.approve('merge');
    await world.is('completed');
    expect(world.opening('worker', 1)).toContain('it is broken');
    expect(world.git.files('main')['check.sh']).toBe('exit 0\n');
  });

  test('between the approval and the merge', async () => {
    await using world = await atTheGate();
    // The commit is there before the loop hears of the answer.
    const stop = world.owner.follow({
      event: (event) => {
        if (event.type === 'approval_decided') world.git.userCommits({ 'late.txt': 'theirs\n' });
      },
    });
    await world.approve('merge');
    stop();
    await world.until('the base is merged', () => world.happened('base_merged').length === 1);
    await world.approve('merge');
    await world.is('completed');
    expect(world.git.subjects('main')).toEqual([expect.stringMatching(/^Merge /), 'By the user', 'Start']);
  });
});

describe('a conflict', () => {
  async function inConflict(): Promise<{ world: LoopWorld; theirs: string }> {
    const world = await atTheGate();
    const theirs = world.git.userCommits({ 'A.txt': 'theirs\n' });
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
    expect(world.git.commitOf('main')).toBe(theirs);
    await world.approve('conflict', { choice: 'branch' });
    const { merge } = await world.is('completed');
    expect(merge).toMatchObject({ mode: 'branch', target: world.job.branch, checkedOut: false });
    expect(world.git.files(world.job.branch)['A.txt']).toBe('ours\n');
    expect(world.git.commitOf('main')).toBe(theirs);
  });

  test('is tried again when the user has made room', async () => {
    const { world } = await inConflict();
    await using _ = world;
    await world.asked('conflict');
    world.git.userRemoves('A.txt');
    await world.approve('conflict', { choice: 'retry' });
    await world.until('the base is merged', () => world.happened('base_merged').length === 1);
    await world.approve('merge');
    await world.is('completed');
    expect(world.git.files('main')['A.txt']).toBe('ours\n');
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
