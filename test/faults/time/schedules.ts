/** Recurring tasks: each due time makes at most one, in their order, and what was missed is made up for by one. */

import type { Store } from '../../../src/engine/state/store.ts';
import type { EventLog } from '../../../src/engine/state/storePorts.ts';
import { failure } from '../../../src/shared/errors.ts';
import { taskSchema } from '../../../src/shared/task/tasks.ts';
import type { Event, EventOf } from '../../../src/shared/workspace/events.ts';
import type { Actor, TimeWorld } from './world.ts';

const MINUTE_MS = 60_000;
/** What a wake-up may be late. */
const LATE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const by = 'steward' as const;
const definition = taskSchema.parse({ name: 'T', steps: [{ name: 'S', action: 'notify', params: { title: 't' } }] });

interface Planned {
  readonly id: number;
  readonly zone: string;
  /** Of the day, in its zone; null: every quarter of an hour. */
  readonly minute: number | null;
}

/** An epoch's own handle of a log in memory: one that was superseded is refused. */
function logOf(events: Event[], epochs: { last: number }): EventLog {
  const end = () => {
    const { epoch = 0, seq = 0 } = events.at(-1) ?? {};
    return seq === 0 ? null : { epoch, seq, mac: String(seq) };
  };
  let mine = 0;
  return {
    size: async () => 0,
    read: async (after) => ({
      origin: events.length === 0 ? 'empty' : 'own',
      events: events.filter(({ seq }) => seq > (after?.seq ?? 0)),
      end: end(),
      continues: true,
      problems: [],
    }),
    lastClaimed: async () => 0,
    claim: async () => {
      mine = ++epochs.last;
      return mine;
    },
    append: async (more) => {
      if (mine !== epochs.last) throw failure('OWNER_LOST', 'superseded');
      events.push(...more);
      return end() ?? { epoch: 0, seq: 0, mac: '' };
    },
    close: async () => undefined,
  };
}

/** What its time of day is where the schedule lives: the oracle's own reading, by Intl. */
function minuteOfDay(zone: string, at: number): number {
  const [hour = 0, minute = 0] = clockOf(zone).format(at).split(':').map(Number);
  return hour * 60 + minute;
}

const CLOCKS = new Map<string, Intl.DateTimeFormat>();
function clockOf(timeZone: string): Intl.DateTimeFormat {
  const known = CLOCKS.get(timeZone);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  CLOCKS.set(timeZone, made);
  return made;
}

const dayOf = (timeZone: string, at: number): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(at);

/** The newest whole minute up to now at which it is due; null: none within two days. */
function newestDue({ zone, minute }: Planned, now: number): number | null {
  const last = now - (now % MINUTE_MS);
  // No zone is off by parts of a quarter of an hour.
  if (minute === null) return last - ((last / MINUTE_MS) % 15) * MINUTE_MS;
  // Most of the way at once: then minute by minute, for a clock that was changed in between.
  for (let at = last; at > last - 2 * DAY_MS; at -= MINUTE_MS) {
    const off = (minuteOfDay(zone, at) - minute + 1440) % 1440;
    // An hour that comes twice has its times once: the first.
    if (off === 0)
      return [60, 30].map((ago) => at - ago * MINUTE_MS).find((first) => minuteOfDay(zone, first) === minute) ?? at;
    if (off > 240) at -= (off - 200) * MINUTE_MS;
  }
  return null;
}

export async function schedules(world: TimeWorld, zones: readonly string[]): Promise<Actor> {
  const { judged, machine, clock, dice, broke } = world;
  const events: Event[] = [];
  const epochs = { last: 0 };
  const planned: readonly Planned[] = [
    { id: 1, zone: zones[dice(zones.length)] ?? 'UTC', minute: dice(2) === 0 ? 120 + dice(60) : dice(1440) },
    { id: 2, zone: zones[dice(zones.length)] ?? 'UTC', minute: null },
  ];
  let store!: Store;
  let run!: InstanceType<typeof judged.ScheduleRun>;

  async function open(): Promise<void> {
    const { openStore, reduce, EVENT_TYPES } = judged;
    const owner = { pid: 1, version: 'test' };
    store = await openStore({
      log: logOf(events, epochs),
      projection: null,
      reduce,
      clock,
      owner,
      eventTypes: EVENT_TYPES,
    });
    const mine = store;
    // Each task is over at once, and lets the next one begin.
    const finish = (task_id: string): void =>
      void mine.commit({ type: 'task_cancelled', task_id, reason: 'done', by }).catch(() => undefined);
    mine.subscribe((event) => {
      if (event.type === 'task_started') finish(event.task_id);
    });
    for (const task of mine.state.tasks.values()) if (task.status === 'RUNNING') finish(task.id);
    run = new judged.ScheduleRun({ store, clock, problem: (text) => broke('times that were not made up for', text) });
  }

  await open();
  await store.commit({ type: 'project_created', project: { id: 'p', model: null, workdir: null } });
  for (const { id, zone, minute } of planned) {
    const cron = minute === null ? '*/15 * * * *' : `${minute % 60} ${Math.floor(minute / 60)} * * *`;
    const schedule = { id, project_id: 'p', name: `s${id}`, cron, time_zone: zone, enabled: true, keep: 3, definition };
    await store.commit({ type: 'schedule_set', schedule, by } as Parameters<Store['commit']>[0]);
  }
  const since = machine.now();

  const made = (id: number) =>
    events.filter(
      (event): event is EventOf<'task_created'> => event.type === 'task_created' && event.schedule?.id === id,
    );

  function judgeMade({ id, zone, minute }: Planned): void {
    const days = new Set<string>();
    let last = '';
    for (const { schedule, at } of made(id)) {
      const due = schedule?.due_at ?? '';
      if (due <= last) broke('times that were run twice', `${due} after ${last}`);
      last = due;
      if (due > at) broke('wake-ups too early', `a task for ${due} was made at ${at}`);
      const day = dayOf(zone, Date.parse(due));
      if (minute !== null && days.has(day)) broke('times that were run twice', `twice on ${day} in ${zone}`);
      days.add(day);
    }
  }

  function judgeMissed(plan: Planned): void {
    const due = newestDue(plan, machine.now() - LATE_MS);
    const last = Date.parse(made(plan.id).at(-1)?.schedule?.due_at ?? '') || 0;
    // What was made by a clock that was ahead counts: it does not come again.
    if (due === null || due <= since || last >= due) return;
    // An hour that comes twice has its times once.
    if (plan.minute !== null && dayOf(plan.zone, due) === dayOf(plan.zone, last)) return;
    const time = new Date(due).toISOString();
    // Left out, since the one before still ran: that is told.
    const own = new Set(made(plan.id).map(({ task }) => task.id));
    const isTold = (event: Event): boolean =>
      event.type === 'task_noted' && own.has(event.task_id) && event.text.includes(`due at ${time}`);
    if (events.some(isTold)) return;
    const what = `${time} of ${JSON.stringify(plan)}, the last was ${new Date(last).toISOString()}`;
    broke('times that were not made up for', what);
  }

  return {
    look: () => undefined,
    async restart() {
      const old = run;
      await open();
      await old.close();
    },
    async end() {
      for (const plan of planned) judgeMade(plan);
      for (const plan of planned) judgeMissed(plan);
      await run.close();
      await store.close();
    },
  };
}
