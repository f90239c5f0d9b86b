/** The ledger of the log against the bill of the server. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BilledCall } from '../provider/messagesServer.ts';
import type { Logged } from '../state/eventFiles.ts';
import { wholeLines } from '../state/eventFiles.ts';
import { type Claim, pairsOf, priced } from './pairs.ts';

export interface MoneyTold {
  /** Settled calls that the server did not answer at that price while they were open. */
  readonly invented: number;
  /** Billed calls for which nothing stands in the ledger, not even a reservation of as much. */
  readonly lost: number;
  /** Settled calls that cost more than was reserved for them. */
  readonly overReserved: number;
  /** What the settled calls of the ledger are off the bill of the same calls. */
  readonly driftMicroUsd: number;
  readonly settledMicroUsd: number;
  /** Calls whose end nobody heard, and what is reserved for them. */
  readonly unsettled: number;
  readonly unsettledMicroUsd: number;
  /** Of those that a kill left: more than one of a session at one kill, or more than calls can be in flight. */
  readonly tooMany: readonly string[];
  /** More calls booked than there were different answers: one was paid for twice. */
  readonly paidTwice: number;
}

/** Calls in flight at once, by the gateway's own setting. */
const IN_FLIGHT = 4;

interface Call extends Claim {
  readonly session: number;
  readonly epoch: number;
  /** The most that is held for it. */
  reserved: number;
  end: 'open' | 'settled' | 'released' | 'unsettled' | 'killed';
  to: number;
  micro: number;
  price: string | null;
}

export function moneyIn(log: readonly Logged[], bill: readonly BilledCall[]): MoneyTold {
  const calls = [...callsIn(log).values()];
  const settled = calls.filter(({ end }) => end === 'settled');
  const held = calls.filter(({ end }) => end === 'unsettled' || end === 'killed' || end === 'open');
  const pairs = pairsOf(bill, [...settled, ...held]);
  const off = settled.map((call) => Math.abs((pairs.get(call)?.microUsd ?? call.micro) - call.micro));
  return {
    invented: settled.filter((call) => !pairs.has(call)).length,
    lost: bill.length - pairs.size,
    overReserved: settled.filter(({ micro, reserved }) => micro > reserved).length,
    driftMicroUsd: off.reduce((sum, one) => sum + one, 0),
    settledMicroUsd: settled.reduce((sum, { micro }) => sum + micro, 0),
    unsettled: held.length,
    unsettledMicroUsd: held.reduce((sum, { reserved }) => sum + reserved, 0),
    tooMany: tooMany(calls.filter(({ end }) => end === 'killed')),
    paidTwice: Math.max(0, settled.length - new Set(bill.map(({ id }) => id)).size),
  };
}

function callsIn(log: readonly Logged[]): Map<number, Call> {
  const calls = new Map<number, Call>();
  for (const event of log) {
    const at = Date.parse(event.at);
    if (event.type === 'call_reserved') {
      const { session_id: session, epoch, micro_usd: reserved, model } = event;
      const open = { end: 'open', from: at, to: Number.POSITIVE_INFINITY, micro: 0, price: null } as const;
      calls.set(event.id, { session, epoch, reserved, model, ...open });
    } else if (event.type === 'owner_started') {
      for (const call of calls.values()) if (call.end === 'open') [call.end, call.to] = ['killed', at];
    } else if (event.type === 'call_settled' || event.type === 'call_released' || event.type === 'call_unsettled') {
      const call = calls.get(event.id);
      if (call === undefined) throw new Error(`call ${event.id} ends and was never reserved`);
      call.end = event.type === 'call_settled' ? 'settled' : event.type === 'call_released' ? 'released' : 'unsettled';
      call.to = at;
      if (event.type === 'call_unsettled') call.reserved = event.micro_usd ?? call.reserved;
      if (event.type !== 'call_settled') continue;
      call.micro = event.micro_usd;
      call.price = priced(call.model, event.usage);
    }
  }
  return calls;
}

function tooMany(killed: readonly Call[]): string[] {
  const epochs = Map.groupBy(killed, ({ epoch }) => epoch);
  return [...epochs].flatMap(([epoch, calls]) => {
    const sessions = new Set(calls.map(({ session }) => session)).size;
    return sessions === calls.length && calls.length <= IN_FLIGHT
      ? []
      : [`${calls.length} calls of ${sessions} sessions in epoch ${epoch}`];
  });
}

/** Ids of the replies that a killed owner left on the disk: nobody may be asked for them again. */
export function repliesKept(stateDir: string, projectId: string): Set<string> {
  const journals = [join(stateDir, 'sessions'), join(stateDir, 'projects', projectId, 'session')];
  const texts = [
    ...journals.flatMap((folder) => filesIn(folder, /\.jsonl$/).flatMap((text) => wholeLines(text))),
    ...filesIn(join(stateDir, 'answers'), /^\d+\.json$/),
  ];
  return new Set(texts.flatMap((text) => text.match(/msg_simulated_[0-9a-f]{20}/g) ?? []));
}

function filesIn(folder: string, name: RegExp): string[] {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((file) => name.test(file));
  return names.map((file) => readFileSync(join(folder, file), 'utf8'));
}
