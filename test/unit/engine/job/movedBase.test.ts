/** The base branch moves on while a job works: it is taken in, verified and asked about again, or a person decides. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { scenarioOf, writes } from '../../../support/demo/briefs.ts';
import { type LoopOptions, LoopWorld, type Outcomes } from '../../../support/world/loopWorld.ts';

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
    expect(again.detail).toContain('Verify commands:\n- sh check.sh: passed, in a fresh checkout');
    expect(again.detail).toContain('Phases:\n- 1. Phase 1: completed\n  Phase 1 is done.');
    expect(again.detail).toContain('Features:\n- completed (1): A');
    expect(again.detail).toMatch(
      new RegExp(
        `You approved \\w{12} \\(question \\d+\\)\\.\\nThen main moved to ${theirs.slice(0, 12)}, 1 commit \\(By the user\\), and was`,
      ),
    );
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
    expect(world.opening('worker', 1)).toContain(
      '`sh check.sh` did not run on main alone, because without a sandbox each run needs a separate permission. It may fail there too.',
    );
    expect(world.git.files('main')['check.sh']).toBe('exit 0\n');
  });

  test('and breaks the result twice is mended twice, because it had passed in between; the failure of the base is named', async () => {
    const scenario = scenarioOf([{ verify: ['sh check.sh'], features: [{ name: 'A' }] }], {
      otherwise: { feature: { attempts: [writes('check.sh', '{{feature}}\n')] } },
    });
    const commands: Outcomes = {
      'sh check.sh': (cwd) => {
        const has = (path: string) => existsSync(join(cwd, path));
        const mended = readFileSync(join(cwd, 'check.sh'), 'utf8');
        const broken = (has('one.txt') && !mended.includes('Fix')) || (has('two.txt') && !mended.includes('Fix 2'));
        return broken ? { exitCode: 1, output: 'it is broken\n' } : { exitCode: 0 };
      },
    };
    await using world = await atTheGate({ scenario, commands, sandboxed: true });
    for (const [path, times] of [
      ['one.txt', 1],
      ['two.txt', 2],
    ] as const) {
      const passed = world.job.head?.slice(0, 12);
      const base = world.git.userCommits({ [path]: 'x\n' }).slice(0, 12);
      await world.approve('merge');
      await world.until('the base is merged', () => world.happened('base_merged').length === times);
      await world.asked('merge');
      const opening = world.opening('worker', times);
      expect(opening).toContain(`Every verify command passed on the result at ${passed}.`);
      expect(opening).toContain(`Then main moved to ${base}, 1 commit (By the user), and was merged at `);
      expect(opening).toContain(`On main alone, at ${base}, \`sh check.sh\` fails too (exit code 1).`);
      expect(opening).toContain(`\n- main moved to ${base}, 1 commit, and was merged at `);
      expect(opening).toMatch(/# The base branch moved while the job ran\n[^#]*<commits \w+>\nBy the user\n/);
      expect(opening).toContain('# The repository at the newest base\n');
      expect(opening).toContain('# Verify commands before any work, before the base branch moved, in a fresh checkout');
      expect(world.opening('reviewer', times)).toContain('# The base branch moved while the job ran');
    }
    expect(world.opening('worker', 0)).not.toContain('base branch moved');
    expect(world.job.result_failed).toEqual([]);
    await world.approve('merge');
    await world.is('completed');
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
    await world.owner.request('resumeJob', { jobId: world.job.id });
    expect((await world.asked('conflict')).id).toBeGreaterThan(second.id);
    await world.approve('conflict', { choice: 'branch' });
    await world.is('completed');
  });
});
