/** Waits of the gateway as everyone sees them, and their end by a person. */
import { describe, expect, it } from 'vitest';
import { anthropicProvider } from '../../../src/adapters/gateway/wire/messagesWire.ts';
import type { Provider } from '../../../src/engine/session/gatewayPorts.ts';
import { apiError, scriptedServer } from '../../support/provider/scriptedServer.ts';
import { addJob, addSession } from '../../support/state/memoryStore.ts';
import { FakeClock } from '../../support/time/fakeClock.ts';
import { ask, KEY, OK, outcome, until, type World, world } from '../../support/world/gatewayWorld.ts';

const waitOf = ({ store }: World) => store.state.jobs.get('a')?.wait ?? null;

describe('a call that the provider refuses for now', () => {
  const refused = () => apiError(429, 'rate_limit_error', 'slow down', { 'retry-after': '50' });

  it('is seen to wait until the time that the provider named, and to go on with the answer', async () => {
    const at = await world([refused(), refused(), OK]);
    expect(await outcome(ask(at))).toContain('hello');
    const waits = at.log.events.filter(({ type }) => type === 'wait_begun' || type === 'wait_ended');
    expect(waits).toMatchObject([
      { type: 'wait_begun', session_id: at.session, code: 'provider', until: expect.any(String) },
      { type: 'wait_begun', session_id: at.session, code: 'provider' },
      { type: 'wait_ended', session_id: at.session },
    ]);
    expect(waits[0]).toMatchObject({ reason: expect.stringContaining('HTTP 429') });
    expect(waitOf(at)).toBeNull();
  });

  it('is tried at once when a person says so', async () => {
    const clock = new FakeClock();
    const at = await world([refused(), OK], { clock });
    const asked = outcome(ask(at));
    await until(() => waitOf(at) !== null && clock.slept.length > 0);
    expect(clock.slept).toEqual([50_000]);
    at.gateway.tryNow('anthropic');
    expect(await asked).toContain('hello');
    expect(waitOf(at)).toBeNull();
  });

  it('waits again where the provider still refuses', async () => {
    const clock = new FakeClock();
    const at = await world([refused(), refused(), OK], { clock });
    const asked = outcome(ask(at));
    await until(() => clock.slept.length === 1);
    const since = waitOf(at)?.since;
    at.gateway.tryNow('anthropic');
    await until(() => clock.slept.length === 2);
    expect(waitOf(at)).toMatchObject({ code: 'provider', since });
    at.gateway.tryNow('anthropic');
    expect(await asked).toContain('hello');
  });
});

describe('two providers that refuse for now', () => {
  it('are tried apart: a person who tries one leaves the back-off of the other', async () => {
    const clock = new FakeClock();
    const refused = apiError(429, 'rate_limit_error', 'slow down', { 'retry-after': '50' });
    await using server = await scriptedServer(refused, refused, OK);
    const anthropic = anthropicProvider({ baseUrl: server.baseUrl, key: async () => KEY });
    const others: Provider = { ...anthropic, name: 'simulated' };
    const at = await world([], { clock, providerOf: ({ job_id }) => (job_id === 'a' ? anthropic : others) });
    await addJob(at.store, 'b');
    const ofB = { ...at, session: await addSession(at.store, 'b') };
    const first = outcome(ask(at));
    await until(() => clock.slept.length === 1);
    const second = outcome(ask(ofB));
    await until(() => clock.slept.length === 2);
    at.gateway.tryNow('anthropic');
    expect(await first).toContain('hello');
    expect(at.store.state.jobs.get('b')?.wait).toMatchObject({ code: 'provider' });
    expect(server.seen).toHaveLength(3);
    // The next call to the other provider meets its back-off.
    const third = outcome(ask(ofB));
    await until(() => clock.slept.length === 3);
    expect(server.seen).toHaveLength(3);
    at.gateway.tryNow('simulated');
    expect([await second, await third]).toEqual([expect.stringContaining('hello'), expect.stringContaining('hello')]);
  });
});

describe('a call that has no turn', () => {
  it('is seen to wait for one, and leaves with the next', async () => {
    const clock = new FakeClock();
    const at = await world([apiError(429, 'rate_limit_error', 'x', { 'retry-after': '50' }), OK, OK], {
      clock,
      concurrency: 1,
    });
    const first = outcome(ask(at));
    await until(() => clock.slept.length === 1);
    const second = outcome(ask(at));
    // The timer of the second is set once the kept answers were looked at.
    await until(() => clock.pending === 2);
    clock.advance(5_000);
    await until(() => waitOf(at)?.code === 'queue');
    expect(waitOf(at)?.reason).toBe('the most model calls at once are in flight: 1');
    at.gateway.tryNow('anthropic');
    expect(await first).toContain('hello');
    expect(await second).toContain('hello');
    expect(waitOf(at)).toBeNull();
  });
});
