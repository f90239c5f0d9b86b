import { describe, expect, test } from 'vitest';
import type { OwnerSettings } from '../../../../src/engine/workspace/workspace.ts';
import type { Verdict } from '../../../../src/shared/job/plan.ts';
import { isWorking } from '../../../support/provider/scriptedLoop.ts';
import { featureRow } from '../../../support/state/builders.ts';
import { masked, newestJob, terminalWorld, UNCONFINED } from '../../../support/world/terminalWorld.ts';

const REJECTED: Verdict = { verdict: 'REJECTED', reason: 'No tests.', feedback: 'Add tests.', reopen: ['peek'] };

const lines = (text: string): Record<string, unknown>[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

describe('run --backlog', () => {
  const imported = [featureRow({ id: 5, name: 'Log in' }), featureRow({ id: 9, name: 'Pay' })].map((row) => ({
    ...row,
    job_id: null,
    phase_id: null,
    created_by: 'import' as const,
  }));
  const withBacklog = async () => {
    const world = await terminalWorld();
    const draft = {
      type: 'imported',
      source: 'features.db.seed003-1.bak',
      features: imported,
      notes: [],
      sessions: [],
    } as const;
    await world.store.commit(draft);
    return world;
  };

  test('makes a job of the features that no job has; the board says how', async () => {
    const world = await withBacklog();
    expect(await world.run('board')).toBe(0);
    expect(world.out).toContain('2 pending features have no job. To run them: autonomous run --backlog');
    expect(await world.run('run', '--backlog', '--batch', '4', '--yes')).toBe(0);
    const job = newestJob(world);
    expect(job).toMatchObject({
      title: 'Backlog: 2 features',
      options: { batch: 4, maxRetries: 3, reviewEachFeature: true },
    });
    const rows = [...world.store.state.features.values()].map(({ id, job_id, status }) => [id, job_id, status]);
    expect(rows).toEqual([
      [5, job.id, 'completed'],
      [9, job.id, 'completed'],
    ]);
    expect(job.brief).toContain('Work through the backlog: 2 features (5, 9), in this order.');
    expect(await world.run('run', '--backlog', '--yes')).toBe(2);
    expect(world.err).toContain('the backlog is empty');
  });

  test.each([
    [['run', '--backlog', 'and', 'a', 'brief']],
    [['run', '--backlog', '--file', 'brief.md']],
    [['run', '--resume', '--backlog']],
  ])('%j is refused', async (argv) => {
    const world = await withBacklog();
    expect(await world.run(...argv)).toBe(2);
    expect(world.store.state.jobs.size).toBe(0);
  });
});

describe('run --yes', () => {
  test('goes from the brief to the merge, and says how', async () => {
    const world = await terminalWorld({ script: { attempts: { peek: ['failed'] }, verdicts: [REJECTED] } });
    expect(await world.run('run', 'Write', 'a stack', '--yes')).toBe(0);
    expect(newestJob(world).brief).toBe('Write a stack');
    expect(world.err).toBe('');
    expect(world.open).toBe(0);
    await expect(masked(world.out)).toMatchFileSnapshot('golden/run-yes.txt');
  });

  test('--json is one versioned object a line, the last one the job', async () => {
    const world = await terminalWorld({ provider: 'anthropic' });
    expect(await world.run('run', 'Write a stack', '--yes', '--json')).toBe(0);
    const all = lines(world.out);
    expect(all.every((line) => line['version'] === 1)).toBe(true);
    expect(all[0]?.['type']).toBe('brief_submitted');
    expect(all.map((line) => line['seq']).filter((seq) => seq !== undefined)).toEqual(
      [...all.keys()].slice(0, -1).map((index) => (all[0]?.['seq'] as number) + index),
    );
    expect(all.at(-1)).toMatchObject({
      type: 'job_finished',
      version: 1,
      job: { status: 'completed', outcome: 'completed', phases: 2, attempts: 3, turns: 13, simulated: false },
    });
    const job = all.at(-1)?.['job'] as Record<string, unknown>;
    for (const key of ['id', 'branch', 'baseline', 'costUsd', 'durationMs', 'features'])
      expect(job).toHaveProperty(key);
  });

  test('a key that is too short to be redacted is warned of', async () => {
    for (const [key, warned] of [
      ['dummy', true],
      ['sk-ant-0123456789', false],
    ] as const) {
      const world = await terminalWorld({ provider: 'anthropic' });
      Object.assign(world.deps, { env: { ANTHROPIC_API_KEY: key } });
      expect(await world.run('run', 'x', '--yes')).toBe(0);
      expect(world.out.includes('too short to be taken out of logs')).toBe(warned);
    }
  });

  test('a dirty tree gets the default; the merge goes the way that was chosen with the brief', async () => {
    const world = await terminalWorld({ script: { dirty: true } });
    expect(await world.run('run', 'x', '--yes', '--merge', 'branch')).toBe(0);
    const answers = [...world.store.state.approvals.values()].map((row) => [row.kind, row.choice, row.decided_by]);
    expect(answers).toEqual([
      ['dirty_tree', 'head', 'yes_flag'],
      ['plan', null, 'yes_flag'],
      ['merge', 'branch', 'yes_flag'],
    ]);
    expect(newestJob(world).merge?.mode).toBe('branch');
    expect(world.out).toMatch(/Result {4}branch autonomous\/\S+ at ccccccccc\n/);
  });

  test('files that would execute are printed loudly, also beside JSON', async () => {
    const script = { executables: ['package.json', '.husky/pre-commit'] };
    const world = await terminalWorld({ script });
    expect(await world.run('run', 'x', '--yes')).toBe(0);
    expect(world.out).toContain(
      'WARNING: after the merge these files would execute on your machine:\n    package.json\n',
    );
    const json = await terminalWorld({ script });
    expect(await json.run('run', 'x', '--yes', '--json')).toBe(0);
    expect(json.err).toContain('    .husky/pre-commit\n');
  });

  test('never answers a worker that is stuck: exit 3, and the rest was done before', async () => {
    const world = await terminalWorld({ script: { attempts: { 'push and pop': ['stuck'] } } });
    expect(await world.run('run', 'x', '--yes')).toBe(3);
    expect(masked(world.out)).toContain('Question 2 (stuck): Which port should it use?');
    expect(world.out).toMatch(/^Attempt 1 at feature \d+ "push and pop" is stuck: see question 2$/m);
    expect(world.out).toContain('Features  3: 1 completed, 1 pending, 1 waiting for you\n');
    expect([...world.store.state.features.values()].map((row) => row.status)).toEqual([
      'pending',
      'completed',
      'pending',
    ]);
    world.clear();
    expect(await world.run('approve', '2', '--answer', 'Port 80')).toBe(0);
    expect(world.out).toMatch(/^Answered: Which port should it use\?\n {2}-> Port 80\n/);
  });

  test('a job that fails exits 1', async () => {
    const verdicts = Array.from({ length: 3 }, () => REJECTED);
    const world = await terminalWorld({ script: { verdicts } });
    expect(await world.run('run', 'x', '--yes')).toBe(1);
    expect(world.out).toMatch(/Status {4}failed: phase 1 was rejected 3 times: Add tests\.\n/);
  });

  test('says when commands run unconfined', async () => {
    const world = await terminalWorld({ sandbox: UNCONFINED, script: { sandboxed: false } });
    expect(await world.run('run', 'x', '--yes')).toBe(0);
    expect(world.out).toContain('Commands run UNCONFINED, no sandbox: bubblewrap is missing\n  Install bubblewrap.\n');
    expect(world.out).toContain('Commands  3 of 3 verify commands ran UNCONFINED, without a sandbox\n');
  });

  test('a wait is told with its wake-up time, and ends by itself', async () => {
    const world = await terminalWorld({ script: { waitMs: 300_000 } });
    const run = world.run('run', 'x', '--yes');
    await world.until(
      () => [...world.store.state.jobs.values()].some((job) => job.status === 'waiting') && world.clock.pending > 0,
    );
    const [id] = world.store.state.jobs.keys();
    expect(world.out).toContain(
      `Waiting until 12:05 (5m 00s): the daily limit is reached. It is retried automatically. You can try now: autonomous job resume ${id}\n`,
    );
    world.clock.advance(300_000);
    expect(await run).toBe(0);
    expect(world.out).toContain('Continuing after 5m 00s\n');
  });
});

describe('run without a terminal and without --yes', () => {
  test('exits 3 at each gate; approve and run --resume go on to the end', async () => {
    const world = await terminalWorld();
    expect(await world.run('run', 'Write a stack')).toBe(3);
    await expect(masked(world.out)).toMatchFileSnapshot('golden/run-waits.txt');
    world.clear();
    expect(await world.run('approve', '1')).toBe(0);
    expect(masked(world.out)).toBe(
      'Approved: Is this plan right?\nContinue: autonomous run --resume 20261102-120000-abcd\n',
    );
    expect(await world.run('run', '--resume')).toBe(3);
    world.clear();
    expect(await world.run('approve', '2', '--choice', 'patch')).toBe(0);
    expect(masked(world.out)).toMatch(
      /^The result is not written yet, because no process works on the job\. To do it now: autonomous run --resume \S+\nThe next chat, run or window of VS Code in this folder does it too\.$/m,
    );
    world.clear();
    expect(await world.run('run', '--resume', newestJob(world).id)).toBe(0);
    expect(world.out).toContain('Result    patch /out/job.patch\n');
    // A job that is over has nothing to resume, and says how it ended.
    expect(await world.run('run', '--resume')).toBe(0);
  });

  test('--json ends in the job that waits', async () => {
    const world = await terminalWorld();
    expect(await world.run('run', 'x', '--json')).toBe(3);
    expect(lines(world.out).at(-1)).toMatchObject({
      type: 'job_finished',
      job: { status: 'awaiting_steward', outcome: 'open', approvals: [1] },
    });
  });

  test('a rejected plan is made again', async () => {
    const world = await terminalWorld();
    await world.run('run', 'x');
    expect(await world.run('reject', '1', '--feedback', 'smaller phases')).toBe(0);
    world.clear();
    expect(await world.run('run', '--resume')).toBe(3);
    expect(world.out).toContain('Plan refused by the steward: smaller phases\n');
    expect(newestJob(world).plan_version).toBe(2);
  });

  test('plan stops at the plan, with the plan shown, whatever gates were chosen', async () => {
    const world = await terminalWorld();
    expect(await world.run('plan', 'x', '--gates', 'none')).toBe(3);
    expect(newestJob(world).options.gates).toEqual(['plan']);
    expect(world.out).toContain('Question 1 (plan): Is this plan right?\n  What the plan says.\n');
  });

  test('no gate is no question', async () => {
    const world = await terminalWorld();
    expect(await world.run('run', 'x', '--gates', 'none', '--budget', '2.50', '--daily-limit', '10')).toBe(0);
    expect(newestJob(world).options.budgetMicroUsd).toBe(2_500_000);
    expect(world.store.state.meta.limits.dayMicroUsd).toBe(10_000_000);
    expect(world.store.state.approvals.size).toBe(0);
  });

  test('a brief comes from a file or the input, setup and scenario with it', async () => {
    const files = { '/home/me/project/brief.md': 'From a file\n' };
    const world = await terminalWorld({ files, stdin: 'From the input', provider: 'anthropic' });
    await world.run(
      'run',
      '--file',
      'brief.md',
      '--setup',
      'npm ci',
      '--setup',
      'npm test',
      '--scenario',
      'story.yaml',
    );
    expect(newestJob(world)).toMatchObject({
      brief: 'From a file\n',
      options: { setup: ['npm ci', 'npm test'], provider: 'simulated', scenario: '/home/me/project/story.yaml' },
    });
    await world.run('plan', '-', '--no-setup');
    expect(newestJob(world)).toMatchObject({ brief: 'From the input', options: { setup: [], provider: 'anthropic' } });
  });
});

describe('stopping', () => {
  const hanging = { attempts: { 'push and pop': ['hang' as const] } };

  test('the first signal pauses durably, says how to resume, and exits 0', async () => {
    const world = await terminalWorld({ script: hanging });
    const run = world.run('run', 'x', '--yes');
    await world.until(() => world.store.state.jobs.size > 0 && isWorking(world.store, newestJob(world).id));
    world.stop();
    expect(await run).toBe(0);
    const job = newestJob(world);
    expect(job.status).toBe('paused');
    expect(world.open).toBe(0);
    expect(world.out).toContain(
      `Paused (the job can be resumed at any time). Resume: autonomous run --resume ${job.id}\n`,
    );
    world.clear();
    expect(await world.run('run', '--resume', '--yes')).toBe(0);
    expect(world.out).toContain('Resumed attempt 1 at feature 1 "push and pop"\n');
  });

  test('the second one exits at once, without waiting for the owner', async () => {
    const world = await terminalWorld({ script: hanging });
    const opened = world.workspace.open;
    const never = new Promise<never>(() => undefined);
    Object.assign(world.workspace, {
      open: async (...args: Parameters<typeof opened>) => {
        const engine = await opened(...args);
        const request = engine.request.bind(engine);
        return Object.assign(engine, {
          request: ((name, input) => (name === 'pauseJob' ? never : request(name, input))) as typeof request,
          close: () => never,
        });
      },
    });
    const run = world.run('run', 'x', '--yes');
    await world.until(() => world.store.state.jobs.size > 0 && isWorking(world.store, newestJob(world).id));
    world.stop();
    world.stop();
    expect(await run).toBe(1);
    expect(world.out).toContain('Stopped at once; everything that was committed is kept.');
  });

  test('outside a repository nothing is opened, so nothing is left there', async () => {
    const { failure } = await import('../../../../src/shared/errors.ts');
    const opened: string[] = [];
    const world = await terminalWorld({
      workspace: {
        job: {
          checkFirst: async () => {
            throw failure('NOT_A_REPOSITORY', 'there is no git repository here');
          },
        },
      },
    });
    Object.assign(world.workspace, { open: async ({ work }: OwnerSettings) => void opened.push(work) });
    for (const verb of ['run', 'plan']) expect(await world.run(verb, 'x')).not.toBe(0);
    expect(opened).toEqual([]);
    expect(world.err).toContain('there is no git repository here');
  });

  test('before anything was begun it is a failure, not a job', async () => {
    const world = await terminalWorld();
    const opened = world.workspace.open;
    Object.assign(world.workspace, {
      open: async (...args: Parameters<typeof opened>) => {
        world.stop();
        return opened(...args);
      },
    });
    expect(await world.run('run', 'x')).toBe(1);
    expect(world.err).toBe('autonomous: stopped before the job was started\n');
    expect(world.store.state.jobs.size).toBe(0);
    expect(world.open).toBe(0);
  });
});

describe('another owner', () => {
  test('a living one does the work; this process answers', async () => {
    const world = await terminalWorld({ ownedElsewhere: true });
    expect(await world.run('run', 'x', '--yes')).toBe(0);
    expect(world.out).toContain(
      'Another process owns this workspace; this one looks on and answers. Ctrl-C pauses the job.\n',
    );
  });

  test('a stop of one that only looks on leaves the job to it', async () => {
    const world = await terminalWorld({ ownedElsewhere: true, script: { attempts: { 'push and pop': ['hang'] } } });
    const owner = await world.workspace.open({ work: 'all' });
    const { jobId } = await owner.request('submitBrief', { brief: 'Theirs', gates: [] });
    await world.until(() => isWorking(world.store, jobId));
    // It runs already: a second stand-in for the same owner would carry it out twice.
    const looksOn = Object.assign(owner, { request: async () => null, close: async () => undefined });
    Object.assign(world.workspace, { open: async () => looksOn });
    const run = world.run('run', '--resume');
    await world.until(() => world.out.includes('Ctrl-C leaves it, and the job continues.\n'));
    world.stop();
    expect(await run).toBe(0);
    expect(world.out).toContain('The job continues in its owner.\n');
    expect(newestJob(world).status).toBe('running');
  });

  test('one that goes away is followed by this process, which carries on', async () => {
    const world = await terminalWorld({ ownedElsewhere: true, script: { attempts: { 'push and pop': ['hang'] } } });
    const run = world.run('run', 'x', '--yes');
    await world.until(() => world.store.state.jobs.size > 0 && isWorking(world.store, newestJob(world).id));
    world.loseOwner();
    expect(await run).toBe(0);
    expect(world.out).toContain('The owner went away (the owner ended); taking over.\n');
    expect(newestJob(world).status).toBe('completed');
  });

  test('one that cannot be reached is exit 75', async () => {
    const world = await terminalWorld();
    const { failure } = await import('../../../../src/shared/errors.ts');
    Object.assign(world.workspace, {
      open: async () => {
        throw failure('OWNER_UNREACHABLE', 'the owner does not answer', { hint: 'Try again.' });
      },
    });
    expect(await world.run('run', 'x', '--json')).toBe(75);
    expect(world.err).toBe('autonomous: the owner does not answer\n  Try again.\n');
    expect(JSON.parse(world.out)).toEqual({
      version: 1,
      error: { code: 'OWNER_UNREACHABLE', message: 'the owner does not answer', hint: 'Try again.' },
    });
  });
});
