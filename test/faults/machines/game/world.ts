/** A workspace of one job whose every event is checked: what the property tests of the core are played in. */
import { nextAction } from '../../../../src/core/job/nextAction.ts';
import { reduce } from '../../../../src/core/workspace/reduce.ts';
import type { JobRow } from '../../../../src/shared/job/rows.ts';
import type { Event, EventDraft } from '../../../../src/shared/workspace/events.ts';
import {
  applyChanges,
  emptyState,
  type State,
  TABLE_NAMES,
  type TableName,
} from '../../../../src/shared/workspace/state.ts';
import { JOB_ID, START_MS } from '../../../support/state/builders.ts';
import { checkLegal } from './invariants.ts';
import { checkPromises, retryCounts } from './promises.ts';

/** A whole number from 0 up to, not including, `sides`. */
export type Dice = (sides: number) => number;

/** Deterministic dice (mulberry32). */
export function diceOf(seed: number): Dice {
  let a = seed >>> 0;
  return (sides) => {
    a = (a + 0x6d2b79f5) >>> 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % sides;
  };
}

/** Whether anything was done; if not, the loop waits for somebody or something. */
export type Progress = 'worked' | 'idle';

/** The process died between two events. */
export class Crash extends Error {}

/** What a loop has under way: an attempt's or a session's row, and for a batch how many features it took. */
export interface InFlight {
  readonly kind: 'attempt' | 'review' | 'planner' | 'summarizer';
  readonly id: number;
  readonly sessionId: number;
}

export interface World {
  readonly state: State;
  readonly events: Event[];
  now: number;
  epoch: number;
  inFlight: InFlight | null;
  conversation: { readonly sessionId: number; readonly phaseId: number; taken: number } | null;
  /** Events that the loop still gets to commit before its process dies; null: it lives. */
  fuse: number | null;
  nextId(table: TableName): number;
  /** Throws what the reducer throws, and an Error when a rule of the state is broken. */
  commit(draft: EventDraft): Progress;
  job(): JobRow;
}

/** A map that nobody may change while it is locked. */
class GuardedMap<K, V> extends Map<K, V> {
  static locked = false;
  override set(key: K, value: V): this {
    if (GuardedMap.locked) throw new Error('reduce changed its input');
    return super.set(key, value);
  }
  override delete(key: K): boolean {
    if (GuardedMap.locked) throw new Error('reduce changed its input');
    return super.delete(key);
  }
  override clear(): void {
    throw new Error('reduce cleared its input');
  }
}

function guardedState(): State {
  const maps = Object.fromEntries(TABLE_NAMES.map((name) => [name, new GuardedMap()]));
  return { ...emptyState(), ...(maps as unknown as Omit<State, 'meta'>) };
}

function deepFreeze(value: unknown): void {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return;
  Object.freeze(value);
  for (const part of Object.values(value)) deepFreeze(part);
}

/** The reducer, held to its promise of purity. */
function pureReduce(state: State, event: Event, judged: typeof reduce): ReturnType<typeof reduce> {
  const { meta } = state;
  deepFreeze(event);
  deepFreeze(meta);
  GuardedMap.locked = true;
  try {
    const changes = judged(state, event);
    if (state.meta !== meta) throw new Error('reduce changed its input');
    deepFreeze(changes);
    return changes;
  } finally {
    GuardedMap.locked = false;
  }
}

/** `judged`: ours, or one with a bug in it. */
export function createWorld(judged: typeof reduce = reduce): World {
  const ids = new Map<TableName, number>();
  const world: World = {
    state: guardedState(),
    events: [],
    now: START_MS,
    epoch: 1,
    inFlight: null,
    conversation: null,
    fuse: null,
    nextId(table) {
      const id = (ids.get(table) ?? 0) + 1;
      ids.set(table, id);
      return id;
    },
    commit(draft) {
      if (world.fuse === 0) throw new Crash();
      const seq = world.events.length + 1;
      const event: Event = { ...draft, seq, epoch: world.epoch, at: new Date(world.now).toISOString() };
      const before = retryCounts(world.state);
      applyChanges(world.state, pureReduce(world.state, event, judged));
      world.events.push(event);
      if (world.fuse !== null) world.fuse--;
      checkLegal(world.state);
      checkPromises(world.state, event, before);
      checkAction(world);
      return 'worked';
    },
    job() {
      const job = world.state.jobs.get(JOB_ID);
      if (job === undefined) throw new Error('no brief was submitted');
      return job;
    },
  };
  return world;
}

/** There is always something to do or to wait for, and a job that awaits the steward has a question open. */
function checkAction(world: World): void {
  const job = world.state.jobs.get(JOB_ID);
  if (job === undefined) return;
  const action = nextAction(world.state, JOB_ID, world.now);
  const stops = ['paused', 'completed', 'failed', 'cancelled'].includes(job.status);
  if (stops !== (action.do === 'stop')) throw new Error(`a job that is ${job.status} must not ${action.do}`);
  if (job.status === 'awaiting_steward' && !['await', 'continue'].includes(action.do) && world.inFlight === null)
    throw new Error(`the job awaits the steward, yet it could ${action.do}`);
}
