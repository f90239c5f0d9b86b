/**
 * What the steward sees of a model that fails, over HTTP: the job waits, asks or goes on. More of it: test/unit/engine/job/modelFaults.test.ts;
 * what each fault does to a session: test/faults/provider.test.ts.
 */
import { describe, expect, test } from 'vitest';
import { twice } from '../../support/demo/briefs.ts';
import type { Fault, ServedRequest } from '../../support/provider/messagesServer.ts';
import { QuickClock } from '../../support/time/quickClock.ts';
import { EngineWorld } from '../../support/world/engineWorld.ts';
import { expectUnharmed, faultsInOrder, ROLES } from '../../support/world/jobWalks.ts';
import { assignmentOf } from '../../support/world/jobWorld.ts';

function unharmed(world: EngineWorld): void {
  expectUnharmed(world);
  expect(world.git('log', '--format=%s', 'main^2')).toBe('A\nStart');
}

describe('only a person can help', () => {
  test.each([['401, 402, 400', [401, 402, 400], ['KEY_REFUSED', 'NO_CREDIT', 'MODEL_REQUEST_REFUSED']]])(
    '%s for one role after the other: the steward is asked, and the same call goes out again',
    async (_, statuses, codes) => {
      const left = new Map<string | undefined, number>(ROLES.map((role, index) => [role, statuses[index] ?? 0]));
      const faults = (request: ServedRequest): Fault | null => {
        const role = assignmentOf(request)?.role;
        const status = left.get(role);
        left.delete(role);
        return status === undefined ? null : { kind: 'status', status };
      };
      await using world = await EngineWorld.open({ scenario: twice(), faults });
      await world.submit();
      for (const [index, role] of ROLES.entries()) {
        const asked = await world.asked('provider');
        expect(asked.subject).toContain(codes[index]);
        expect(asked.detail).toContain(`HTTP ${statuses[index]}`);
        expect(world.sent(role)).toHaveLength(1);
        await world.approve('provider');
        await world.until('it is sent again', () => world.sent(role).length > 1);
        expect(world.sent(role)[1]?.body).toBe(world.sent(role)[0]?.body);
      }
      await world.is('completed');
      unharmed(world);
    },
  );

  test('a key that is gone after the brief was filed: asked at once, nothing is sent; refused, the job ends', async () => {
    let isThere = true;
    await using world = await EngineWorld.open({ key: () => (isThere ? 'sk-secret-of-the-user' : null) });
    await world.submit();
    isThere = false;
    expect((await world.asked('provider')).subject).toContain('KEY_MISSING');
    await world.reject('provider', 'I have none.');
    await world.is('failed');
    expect(world.server.requests).toEqual([]);
  });
});

describe('later', () => {
  test('429 with Retry-After: woken without anybody', async () => {
    // The clock of the owner is behind that of its worker thread, which wakes at once and asks until it may.
    const clock = new QuickClock({ now: Date.now() - 10 * 86_400_000 });
    const faults = faultsInOrder([{ kind: 'status', status: 429, headers: { 'retry-after': '70' } }]);
    await using world = await EngineWorld.open({ scenario: twice(), faults, clock });
    // Time passes only while the job or a call waits, never while a call is in flight. Waits of less than a minute are the call's.
    const event = ({ type }: { readonly type: string }): void => {
      if (type === 'job_waiting') clock.skip(4_000);
      if (type === 'wait_begun') clock.skip(60_000);
    };
    world.owner.follow({ event, failed: () => undefined });
    await world.run();
    expect(world.happened('job_waiting').length).toBeGreaterThanOrEqual(3);
    expect(world.happened('job_woken').length).toBe(world.happened('job_waiting').length);
    for (const role of ROLES) expect(world.sent(role)).toHaveLength(role === 'worker' ? 3 : 2);
    unharmed(world);
  });
});
