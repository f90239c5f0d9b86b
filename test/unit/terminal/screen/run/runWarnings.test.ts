import { describe, expect, test } from 'vitest';
import type { ErrorCode, PlainFailure } from '../../../../../src/shared/errors.ts';
import { makeContext } from '../../../../../src/terminal/screen/context.ts';
import { connect } from '../../../../../src/terminal/screen/run/connection.ts';
import { watchStop } from '../../../../../src/terminal/screen/run/stop.ts';
import { lookingAt } from '../../../../support/editor/fakeWorkspace.ts';
import { isWorking } from '../../../../support/provider/scriptedLoop.ts';
import { newestJob, terminalWorld, type World } from '../../../../support/world/terminalWorld.ts';

const failed = (code: ErrorCode, message: string): PlainFailure => ({ code, message, hint: 'Do this.', details: {} });

/** A run whose worker is at work, and stays so until its job is paused. */
async function working(...flags: readonly string[]): Promise<{ world: World; jobId: string; run: Promise<number> }> {
  const world = await terminalWorld({ script: { attempts: { 'push and pop': ['hang', 'hang'] } } });
  const run = world.run('run', 'x', '--yes', ...flags);
  await world.until(() => world.store.state.jobs.size > 0 && isWorking(world.store, newestJob(world).id));
  return { world, jobId: newestJob(world).id, run };
}

const pause = (world: World, jobId: string, by: 'engine' | 'steward') =>
  world.store.commit({ type: 'job_paused', job_id: jobId, reason: 'the worker thread died', by });

describe('a loop that cannot go on', () => {
  test('is the failure of the run; the job is as it was', async () => {
    const { world, jobId, run } = await working();
    world.tell((to) => to.failed?.('another job', failed('INTERNAL', 'not ours')));
    world.tell((to) => to.failed?.(jobId, failed('STATE_DAMAGED', 'events were lost')));
    expect(await run).toBe(1);
    expect(world.err).toBe('autonomous: events were lost\n  Do this.\n');
    expect(world.open).toBe(0);
  });

  test('is forgotten when the job goes on again', async () => {
    const { world, jobId, run } = await working();
    const stop = watchStop(world.deps.signals);
    const connection = await connect(makeContext(world.deps, {}), stop.bell);
    // The run ends of it; this connection looks on.
    world.tell((to) => to.failed?.(jobId, failed('STATE_DAMAGED', 'events were lost')));
    expect(connection.stranded(jobId)).toMatchObject({ code: 'STATE_DAMAGED' });
    await pause(world, jobId, 'steward');
    expect(connection.stranded(jobId)).toBeNull();
    await Promise.all([connection.close(), run]);
    stop.forget();
  });

  test('on a full disk is told once, and waited for', async () => {
    const { world, jobId, run } = await working();
    const full = failed('DISK', 'no space left');
    world.tell((to) => to.failed?.(jobId, full));
    world.tell((to) => to.failed?.(jobId, full));
    const text = 'Warning: disk full or unwritable (no space left): trying again in 30 s\n';
    expect(world.out.split(text)).toHaveLength(2);
    await world.store.commit({ type: 'job_options_changed', job_id: jobId, budgetMicroUsd: null, by: 'steward' });
    world.tell((to) => to.failed?.(jobId, full));
    expect(world.out.split(text)).toHaveLength(3);
    await pause(world, jobId, 'steward');
    expect(await run).toBe(0);
  });
});

describe('a job that is paused', () => {
  test('by the engine has not finished normally: exit 1', async () => {
    const { world, jobId, run } = await working('--json');
    await pause(world, jobId, 'engine');
    expect(await run).toBe(1);
    const last = JSON.parse(world.out.trimEnd().split('\n').at(-1) ?? '') as object;
    expect(last).toMatchObject({ type: 'job_finished', job: { status: 'paused', outcome: 'failed' } });
  });

  test('by a person has: exit 0', async () => {
    const { world, jobId, run } = await working();
    await pause(world, jobId, 'steward');
    expect(await run).toBe(0);
    expect(world.out).toContain('Paused: the worker thread died\n');
  });
});

describe('a problem that ends nothing', () => {
  const what = 'features.db: it cannot be written: no space';

  test('is a warning of the run, once', async () => {
    const { world, jobId, run } = await working();
    for (let n = 0; n < 2; n++) world.tell((to) => to.problem?.(what));
    await pause(world, jobId, 'steward');
    expect(await run).toBe(0);
    expect(world.out.split(`Warning: ${what}\n`)).toHaveLength(2);
  });

  test('is on the error stream beside JSON, and beside other verbs', async () => {
    const json = await working('--json');
    json.world.tell((to) => to.problem?.(what));
    await pause(json.world, json.jobId, 'steward');
    await json.run;
    expect(json.world.err).toBe(`Warning: ${what}\n`);
    const world = await terminalWorld();
    const opened = world.workspace.open;
    const open: typeof opened = async (...args) => {
      const engine = await opened(...args);
      const follow: typeof engine.follow = (listener) => {
        listener.problem?.(what);
        return () => undefined;
      };
      return Object.assign(engine, { follow });
    };
    Object.assign(world.workspace, { open });
    expect(await world.run('note', '--global', 'Mind the gap')).toBe(0);
    expect(world.err).toBe(`autonomous: warning: ${what}\n`);
  });

  test('of a damaged history is named five times, then counted', async () => {
    const world = await terminalWorld();
    const problems = Array.from({ length: 1_000 }, (_, index) => `1-1.jsonl:${index + 1}: damaged line`);
    Object.assign(world.workspace, lookingAt(world.store.state, null, { problems }));
    expect(await world.run('board')).toBe(0);
    expect(world.err.trimEnd().split('\n')).toEqual([
      ...problems.slice(0, 5).map((text) => `autonomous: warning: ${text}`),
      'autonomous: warning: and 995 more',
      'autonomous: warning: what these places held is left out here, everything else counts; what to do: autonomous doctor',
    ]);
  });
});
