/** What the budget proofs judge: the admission of the gateway over the real store and reducer. An entry of its own, so that it is also built with a bug in it. */
import { Admission, type Reservation } from '../../../src/adapters/gateway/door/admission.ts';
import type { MessageRequest } from '../../../src/adapters/gateway/send/request.ts';
import { PRICES } from '../../../src/core/money/price/prices.ts';
import type { EventLog } from '../../../src/engine/state/storePorts.ts';
import type { Clock } from '../../../src/shared/clock.ts';
import type { EventDraft } from '../../../src/shared/workspace/events.ts';
import { openMemoryStore } from '../state/memoryStore.ts';
import { beginSessions, type Ceilings, makePayers, type Payer } from './payers.ts';

export type WantedMessage = Pick<MessageRequest, 'model' | 'maxTokens' | 'inputBound' | 'cacheWrite'>;

/** One life of the owner. */
export interface Till {
  readonly sessions: Readonly<Record<Payer, number>>;
  reserve(payer: Payer, wanted: WantedMessage, counted: number | null, signal: AbortSignal): Promise<Reservation>;
  commit(draft: EventDraft): Promise<unknown>;
}

/** `ceilings`: of a new log, whose payers are made. */
export async function openTill(clock: Clock, log: EventLog, ceilings: Ceilings | null): Promise<Till> {
  const store = await openMemoryStore(clock, log);
  if (ceilings !== null) await makePayers(store, ceilings);
  const sessions = await beginSessions(store);
  const admission = new Admission(store, PRICES, clock);
  return {
    sessions,
    reserve(payer, wanted, counted, signal) {
      const request = { path: '/v1/messages', method: 'POST', headers: {}, body: '', sessionId: sessions[payer] };
      const call: MessageRequest = { kind: 'message', request, stream: true, thinking: 0, countBody: '', ...wanted };
      return admission.reserve(call, { name: 'anthropic' }, counted === null ? null : async () => counted, signal);
    },
    commit: (draft) => store.commit(draft),
  };
}
