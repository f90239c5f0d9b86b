/** Two clients and a worker ask the real store at once; its process dies at any moment, and another one reads the log. */

import { EVENT_TYPES, reduce } from '../../../src/core/workspace/reduce.ts';
import { openStore } from '../../../src/engine/state/openStore.ts';
import type { Store } from '../../../src/engine/state/store.ts';
import type { EventLog } from '../../../src/engine/state/storePorts.ts';
import type { Event } from '../../../src/shared/workspace/events.ts';
import { applyChanges, emptyState, type State, TABLE_NAMES } from '../../../src/shared/workspace/state.ts';
import { randomOf } from '../../support/suite/proof.ts';
import { fc } from '../../support/suite/property.ts';
import { FakeClock } from '../../support/time/fakeClock.ts';
import { draftOf, GOLDEN, TYPES } from './drafts.ts';
import { checkLaws } from './laws.ts';
import { isRefusal } from './refusal.ts';

/** The disk: what was written stays. A process that died writes no more. */
class Disk {
  readonly events: Event[];
  epoch = 1;

  constructor(events: readonly Event[]) {
    this.events = [...events];
  }

  log(scheduler: fc.Scheduler): EventLog {
    let mine = 0;
    const end = () => {
      const { epoch = 0, seq = 0 } = this.events.at(-1) ?? {};
      return seq === 0 ? null : { epoch, seq, mac: String(seq) };
    };
    return {
      size: async () => 0,
      read: async (after) => ({
        origin: 'own',
        events: this.events.filter(({ seq }) => seq > (after?.seq ?? 0)),
        end: end(),
        continues: true,
        problems: [],
      }),
      lastClaimed: async () => 0,
      claim: async () => {
        mine = ++this.epoch;
        return mine;
      },
      append: async (events) => {
        // Its first line is part of its beginning.
        if (events[0]?.type !== 'owner_started') await scheduler.schedule(Promise.resolve(), `append ${events.length}`);
        // Nobody hears of a process that died.
        if (mine !== this.epoch) return new Promise(() => undefined);
        this.events.push(...events);
        return end() ?? { epoch: 0, seq: 0, mac: '' };
      },
      close: async () => undefined,
    };
  }
}

interface Model {
  /** Events of which somebody was told that they are done. */
  readonly acknowledged: Event[];
}

interface Real {
  readonly disk: Disk;
  readonly scheduler: fc.Scheduler;
  store: Store;
  open(): Promise<void>;
  readonly asked: Promise<void>[];
}

async function opened(disk: Disk, scheduler: fc.Scheduler): Promise<Store> {
  const owner = { pid: 1, version: 'test' };
  const follower = folded(disk.events);
  const log = disk.log(scheduler);
  const clock = new FakeClock();
  const store = await openStore({ log, projection: null, reduce, clock, owner, eventTypes: EVENT_TYPES });
  for (const event of disk.events.slice(follower.seen)) follow(follower, event);
  store.subscribe((event) => follow(follower, event));
  return store;
}

interface Follower {
  readonly state: State;
  seen: number;
}

/** Folds what is told, in the order of the telling: seq rises by one, and every law holds. */
function follow(follower: Follower, event: Event): void {
  if (event.seq !== follower.state.meta.last_seq + 1)
    throw new Error(`${event.seq} after ${follower.state.meta.last_seq}`);
  const changes = reduce(follower.state, event);
  checkLaws(follower.state, event, changes);
  applyChanges(follower.state, changes);
}

function folded(events: readonly Event[]): Follower {
  const state = emptyState();
  for (const event of events) applyChanges(state, reduce(state, event));
  return { state, seen: events.length };
}

function same(one: State, other: State): boolean {
  const text = (state: State): string =>
    JSON.stringify([
      state.meta,
      ...TABLE_NAMES.map((table) => [...state[table].values()].toSorted((a, b) => (a.id < b.id ? -1 : 1))),
    ]);
  return text(one) === text(other);
}

/** Somebody asks, by what he knows now; he does not wait for the answer. */
class Ask implements fc.AsyncCommand<Model, Real, false> {
  readonly who: string;
  readonly nth: number;
  readonly seed: number;

  constructor(who: string, nth: number, seed: number) {
    this.who = who;
    this.nth = nth;
    this.seed = seed;
  }

  check(): boolean {
    return true;
  }

  async run(model: Model, real: Real): Promise<void> {
    const { store, scheduler } = real;
    const draft = draftOf(store.state, this.nth, randomOf(this.seed));
    const ask = async (): Promise<void> => {
      // What is wanted was decided before: meanwhile others may be quicker.
      await scheduler.schedule(Promise.resolve(), `${this.who} asks`);
      try {
        model.acknowledged.push(await store.commit(draft));
      } catch (thrown) {
        if (!isRefusal(thrown)) throw thrown;
      }
    };
    real.asked.push(ask());
  }

  toString(): string {
    return `${this.who}: ${TYPES[this.nth % TYPES.length]}(${this.seed})`;
  }
}

class Die implements fc.AsyncCommand<Model, Real, false> {
  check(): boolean {
    return true;
  }

  async run(_model: Model, real: Real): Promise<void> {
    await real.open();
  }

  toString(): string {
    return 'the process dies';
  }
}

const asks = (who: string): fc.Arbitrary<fc.AsyncCommand<Model, Real, false>> =>
  fc.tuple(fc.nat(TYPES.length - 1), fc.nat(2 ** 31)).map(([nth, seed]) => new Ask(who, nth, seed));

export async function interleaved(runs: number): Promise<{ acknowledged: number; lost: number }> {
  let [acknowledged, lost] = [0, 0];
  const commands = fc.commands<Model, Real, false>(
    [asks('client 1'), asks('client 2'), asks('worker'), asks('worker'), fc.constant(new Die())],
    { maxCommands: 60, size: 'max' },
  );
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), fc.nat(GOLDEN.length), commands, async (scheduler, cut, asked) => {
      const disk = new Disk(GOLDEN.slice(0, cut));
      const model: Model = { acknowledged: [] };
      const real: Real = {
        disk,
        scheduler,
        store: await opened(disk, scheduler),
        asked: [],
        async open() {
          this.store = await opened(disk, scheduler);
        },
      };
      await fc.scheduledModelRun(scheduler, () => ({ model, real }), asked);
      await scheduler.waitIdle();
      const kept = new Map(disk.events.map((event) => [event.seq, event]));
      acknowledged += model.acknowledged.length;
      lost += model.acknowledged.filter((event) => kept.get(event.seq) !== event).length;
      if (!same(real.store.state, folded(disk.events).state)) throw new Error('the state is not what the log folds to');
    }),
    { numRuns: runs },
  );
  return { acknowledged, lost };
}
