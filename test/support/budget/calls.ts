/** Calls for money, as a gateway makes them, and what must hold once all of them ended. */
import { expect } from 'vitest';
import { type MessageRequest, passRequest } from '../../../src/adapters/gateway/send/request.ts';
import type { Store } from '../../../src/engine/state/store.ts';
import type { Usage } from '../../../src/shared/money.ts';
import type { fc } from '../suite/property.ts';

export const NOTHING_USED: Usage = { input: 0, output: 0, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0 };

/** A call for `maxTokens` tokens, at ten micro-USD each. */
export function callOf(sessionId: number, maxTokens: number): MessageRequest {
  const body = { model: 'claude-sonnet-5-5', max_tokens: maxTokens, messages: [{ role: 'user', content: 'hi' }] };
  const request = { path: '/v1/messages', method: 'POST', headers: {}, body: JSON.stringify(body), sessionId };
  const passed = passRequest(request);
  if (passed.kind !== 'message') throw new Error('not a message');
  return { ...passed, inputBound: 0 };
}

/** Waits for all of them in the scheduler's order: each was admitted or refused by a limit, and none left money reserved. */
export async function allEnd(s: fc.Scheduler, store: Store, calls: readonly Promise<void>[]): Promise<void> {
  const all = Promise.allSettled(calls);
  await s.waitFor(all);
  for (const result of await all) {
    if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'LIMIT_REACHED' });
  }
  expect(store.problems).toEqual([]);
  expect([...store.state.spends.values()].filter(({ status }) => status === 'reserved')).toEqual([]);
}
