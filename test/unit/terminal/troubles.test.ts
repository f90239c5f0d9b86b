import { beforeAll, describe, expect, test } from 'vitest';
import type { ErrorCode, PlainFailure } from '../../../src/shared/errors.ts';
import { makeContext } from '../../../src/terminal/context.ts';
import { connect } from '../../../src/terminal/run/connection.ts';
import { watchStop } from '../../../src/terminal/run/stop.ts';
import { isWorking } from '../../support/scriptedLoop.ts';
import { newestJob, terminalWorld, type World } from '../../support/terminalWorld.ts';

beforeAll(() => {
  process.env['TZ'] = 'UTC';
});

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
