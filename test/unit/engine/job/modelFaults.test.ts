/** What the steward sees of a model that fails: the job waits, asks or goes on, and uses no retry. */
import { describe, expect, test } from 'vitest';
import { twice } from '../../../support/demo/briefs.ts';
import type { Fault } from '../../../support/provider/messagesServer.ts';
import { expectUnharmed, faultsInOrder, ROLES, type WalkRole } from '../../../support/world/jobWalks.ts';
import { LoopWorld } from '../../../support/world/loopWorld.ts';

function open(faults: readonly Fault[], roles?: readonly WalkRole[], skipSleeps = false): Promise<LoopWorld> {
  return LoopWorld.open({ scenario: twice(), faults: faultsInOrder(faults, roles), skipSleeps });
}

function unharmed(world: LoopWorld): void {
  expectUnharmed(world);
  expect(world.git.subjects('main^2')).toEqual(['A', 'Start']);
}

describe('later', () => {
  test('429 with Retry-After: the job waits until then, and goes on when it is resumed', async () => {
    await using world = await open([{ kind: 'status', status: 429, headers: { 'retry-after': '120' } }]);
    await world.submit();
    for (const role of ROLES) {
      const at = world.clock.now();
      const { wake_at, reason } = await world.is('waiting');
      expect(Date.parse(wake_at ?? '') - at).toBe(120_000);
      expect(reason).toContain('429');
      expect(world.sent(role)).toHaveLength(1);
      world.clock.setWall(Date.parse(wake_at ?? ''));
      await world.owner.request('resumeJob', { jobId: world.jobId });
      await world.until('it is sent again', () => world.sent(role).length > 1);
    }
    await world.is('completed');
    unharmed(world);
  });

  test('429 with Retry-After: woken without anybody, once its time is there', async () => {
    await using world = await open([{ kind: 'status', status: 429, headers: { 'retry-after': '70' } }], ROLES, true);
    await world.run();
    expect(world.happened('job_waiting')).toHaveLength(3);
    const woken = world.happened('job_woken').map(({ at }) => Date.parse(at));
    const due = world.happened('job_waiting').map(({ wake_at }) => Date.parse(wake_at));
    expect(woken.map((at, nth) => at >= (due[nth] ?? 0))).toEqual([true, true, true]);
    for (const role of ROLES) expect(world.sent(role)).toHaveLength(role === 'worker' ? 3 : 2);
    unharmed(world);
  });

  test('529 for as long as anybody tries: the job waits, and is woken by hand', async () => {
    await using world = await open(Array(6).fill({ kind: 'status', status: 529 }), ['worker']);
    await world.submit();
    const { wake_at } = await world.until('nobody tries any more', () => {
      if (world.job.status === 'waiting') return world.job;
      world.clock.advance(1_000);
      return undefined;
    });
    expect(Date.parse(wake_at ?? '')).toBeGreaterThan(Date.parse(world.happened('call_released').at(-1)?.at ?? ''));
    expect(world.sent('worker')).toHaveLength(6);
    expect([...world.state.attempts.values()].map((row) => row.status)).toEqual(['interrupted']);
    world.clock.setWall(Date.parse(wake_at ?? ''));
    await world.owner.request('resumeJob', { jobId: world.jobId });
    await world.is('completed');
    unharmed(world);
  });
});

describe('an answer that does not count', () => {
  test.each([
    ['max_tokens', 2, 'truncated'],
    ['refusal', 1, 'refusal'],
  ])('%s: no plan, no work, no verdict', async (stopReason, times, cause) => {
    await using world = await open(Array(times).fill({ kind: 'stopReason', stopReason }));
    await world.submit();
    const escalation = await world.asked('escalate');
    const refused = world.happened('plan_refused');
    expect(refused.map((event) => event.by)).toEqual(['engine']);
    expect(refused[0]?.feedback).toContain(cause);
    expect(world.attempts('A').map((row) => [row.status, row.cause, row.commit !== null])).toEqual([
      ['failed', cause, false],
      ['succeeded', 'done', true],
    ]);
    expect(escalation.detail).toContain(cause);
    expect(world.happened('phase_approved')).toEqual([]);
  });
});
