/** A day's money: no day has more than its limit, none opens again, and each new one has its own. */
import { emptyState } from '../../../src/shared/workspace/state.ts';
import { sessionRow } from '../../support/state/builders.ts';
import type { Actor, TimeWorld } from './world.ts';

const LIMIT = 1_000;
const LIMITS = { callMicroUsd: null, projectMicroUsd: null, dayMicroUsd: LIMIT, totalMicroUsd: null };

export function ledgerDays(world: TimeWorld): Actor {
  const { judged, machine, zone, dice, broke } = world;
  const state = emptyState();
  state.sessions.set(1, sessionRow({ job_id: null }));
  const today = new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' });
  const spent = new Map<string, number>();
  let seq = 0;
  const call = (): void => {
    const wanted = 100 + dice(300);
    const day = judged.bookingDay(state.meta.last_day, machine.now());
    const last = [...spent.keys()].at(-1) ?? '';
    const real = today.format(machine.now());
    if (day < last) broke('days that were opened again', `${day} after ${last}`);
    if (day !== [real, last].toSorted().at(-1))
      broke('days that were opened again', `${day}, and it is ${real} in ${zone}`);
    const of = { project_id: 'default', job_id: null, attempt_id: null, task_id: null, provider: 'anthropic' } as const;
    const { ok } = judged.admit(state, { ...of, day, microUsd: wanted }, LIMITS);
    const before = spent.get(day) ?? 0;
    if (!ok && before + wanted <= LIMIT)
      broke('days that were opened again', `${day} refused ${wanted} after ${before}`);
    if (!ok) return;
    spent.set(day, before + wanted);
    if (before + wanted > LIMIT) broke('days with more than their budget', `${day}: ${before + wanted}`);
    const reserved = {
      id: ++seq,
      session_id: 1,
      provider: 'anthropic',
      model: 'm',
      micro_usd: wanted,
      price_version: '1',
    } as const;
    const at = new Date(machine.now()).toISOString();
    const changes = judged.reduce(state, { type: 'call_reserved', ...reserved, day, seq, epoch: 1, at });
    for (const change of changes) {
      if (change.table === 'meta') state.meta = change.put;
      else if (change.table === 'spends' && 'put' in change) state.spends.set(change.put.id, change.put);
    }
  };
  return {
    look: () => {
      for (let calls = 1 + dice(4); calls > 0; calls--) call();
    },
    end: call,
  };
}
