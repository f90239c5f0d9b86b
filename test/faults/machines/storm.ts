/** A storm of requests on states that a life came by: commands of a model, whose model is the log itself. */

import type { reduce } from '../../../src/core/workspace/reduce.ts';
import type { Event } from '../../../src/shared/workspace/events.ts';
import { applyChanges, emptyState, type State, TABLE_NAMES } from '../../../src/shared/workspace/state.ts';
import { randomOf } from '../../support/suite/proof.ts';
import { fc } from '../../support/suite/property.ts';
import { draftOf, GOLDEN, TYPES } from './drafts.ts';
import { checkLaws } from './laws.ts';
import { isRefusal } from './refusal.ts';

export type Reduce = typeof reduce;

export interface Storm {
  readonly judged: Reduce;
  readonly state: State;
}

/** What was accepted, and how much was refused. */
export interface Log {
  readonly events: Event[];
  refused: number;
}

const EPOCH = 2;
const BEGIN_MS = Date.parse('2026-11-02T13:00:00.000Z');

function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const part of Object.values(value)) deepFreeze(part);
  return value;
}

/** As much of the golden log as was lived. */
export function begun(judged: Reduce, cut: number): { model: Log; real: Storm } {
  const events = GOLDEN.slice(0, cut);
  const state = emptyState();
  for (const event of events) {
    const changes = deepFreeze(judged(state, event));
    checkLaws(state, event, changes);
    applyChanges(state, changes);
  }
  return { model: { events: [...events], refused: 0 }, real: { judged, state } };
}

/** Which rows there are, by identity: a refusal leaves each as it was. */
function rowsOf(state: State): readonly unknown[] {
  return [state.meta, ...TABLE_NAMES.flatMap((table) => [...state[table].values()])];
}

class Request implements fc.Command<Log, Storm> {
  readonly nth: number;
  readonly seed: number;

  constructor(nth: number, seed: number) {
    this.nth = nth;
    this.seed = seed;
  }

  check(): boolean {
    return true;
  }

  run(model: Log, { judged, state }: Storm): void {
    const draft = draftOf(state, this.nth, randomOf(this.seed));
    const seq = state.meta.last_seq + 1;
    const event = deepFreeze({
      ...draft,
      seq,
      epoch: EPOCH,
      at: new Date(BEGIN_MS + seq * 1_000).toISOString(),
    } as Event);
    const before = rowsOf(state);
    let changes: ReturnType<Reduce>;
    try {
      // Rows are frozen: one that is changed in place is a TypeError, and no refusal.
      changes = deepFreeze(judged(state, event));
    } catch (thrown) {
      if (!isRefusal(thrown)) throw thrown;
      model.refused++;
      const after = rowsOf(state);
      const isSame = after.length === before.length && after.every((row, at) => row === before[at]);
      if (!isSame) throw new Error(`${event.type} was refused, and changed something`, { cause: thrown });
      return;
    }
    checkLaws(state, event, changes);
    applyChanges(state, changes);
    model.events.push(event);
  }

  toString(): string {
    return `${TYPES[this.nth % TYPES.length]}(${this.seed})`;
  }
}

export const requests = (most: number): ReturnType<typeof fc.commands<Log, Storm>> =>
  fc.commands([fc.tuple(fc.nat(TYPES.length - 1), fc.nat(2 ** 31)).map(([nth, seed]) => new Request(nth, seed))], {
    maxCommands: most,
    size: 'max',
  });
