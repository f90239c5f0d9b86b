/** Whoever waits for a time: woken when it is there by either clock, at most a minute after the machine is awake again. */
import type { Actor, TimeWorld } from './world.ts';

const LATE_MS = 60_000;
const HOUR_MS = 3_600_000;

interface Awaited {
  readonly name: string;
  /** By the clock of the wall, epoch milliseconds; null: it does not count. */
  readonly at: number | null;
  /** After so much time awake; time asleep may count too. null: it does not count. */
  readonly inMs: number | null;
}

/** Judges a wait that begins now: tell it of the wake-up, and look after each step. */
function waiting({ machine, broke }: TimeWorld, { name, at, inMs }: Awaited) {
  const began = { monotonic: machine.monotonic(), awakeMs: machine.awakeMs };
  let over = false;
  /** How long it was awake when the time was there first, and still is; null: it is not there. */
  let thereAt: number | null = null;
  const isThere = (gone: number): boolean =>
    (at !== null && machine.now() >= at) || (inMs !== null && gone >= inMs - 1);
  return {
    look(): void {
      if (over) return;
      if (!isThere(machine.awakeMs - began.awakeMs)) thereAt = null;
      else thereAt ??= machine.awakeMs;
      if (thereAt === null || machine.awakeMs - thereAt <= LATE_MS + machine.stalledMs) return;
      over = true;
      broke('wake-ups over 60 s late', `${name} is ${machine.awakeMs - thereAt} ms late`);
    },
    woken(): void {
      const may = isThere(machine.monotonic() - began.monotonic);
      if (!over && !may) broke('wake-ups too early', `${name} at ${new Date(machine.now()).toISOString()}`);
      over = true;
    },
  };
}

/** Alarms of both kinds, a storm of them now and then. */
export function alarms(world: TimeWorld): Actor {
  const { judged, machine, clock, dice } = world;
  const set = new Map<string, ReturnType<typeof waiting>>();
  const bell = new judged.Alarms(clock, (name) => set.get(name)?.woken());
  let count = 0;
  const add = (): void => {
    const name = `alarm ${++count}`;
    const ms = dice(3) === 0 ? dice(30 * HOUR_MS) : dice(300_000);
    const [at, inMs] = [[machine.now() + ms, null] as const, [null, ms] as const, [machine.now() + ms, ms] as const][
      dice(3)
    ] ?? [null, ms];
    set.set(name, waiting(world, { name, at, inMs }));
    bell.set(name, { ...(at === null ? {} : { at }), ...(inMs === null ? {} : { inMs }) });
  };
  for (let times = 0; times < 6; times++) add();
  return {
    look: () => {
      for (const one of set.values()) one.look();
      for (let storm = dice(5) === 0 ? 40 : 1; storm > 0; storm--) add();
    },
    end: () => bell.close(),
  };
}

export function sleepers(world: TimeWorld): Actor {
  const { machine, clock, dice } = world;
  const abort = new AbortController();
  const all: ReturnType<typeof waiting>[] = [];
  const begin = (): void => {
    const ms = dice(2) === 0 ? dice(20 * HOUR_MS) : dice(600_000);
    const one = waiting(world, { name: `a sleep of ${ms} ms`, at: machine.now() + ms, inMs: ms });
    all.push(one);
    void clock.sleep(ms, abort.signal).then(one.woken, () => undefined);
  };
  begin();
  return {
    look: () => {
      for (const one of all) one.look();
      if (all.length < 8) begin();
    },
    end: () => abort.abort(),
  };
}

/** A job's wait as its loop has it: looked at once a minute at least. */
export function jobs(world: TimeWorld): Actor {
  const { judged, machine, clock, dice } = world;
  const ms = dice(2) === 0 ? 60_000 + dice(300_000) : dice(20 * HOUR_MS);
  const until = machine.now() + ms;
  const judgement = waiting(world, { name: `a job that waits ${ms} ms`, at: until, inMs: ms });
  const wait = new judged.Wait(clock, new Date(until).toISOString());
  const abort = new AbortController();
  const run = async (): Promise<void> => {
    while (wait.leftMs > 0) await clock.sleep(Math.min(60_000, wait.leftMs), abort.signal);
    judgement.woken();
  };
  run().catch((thrown: unknown) => {
    if (!abort.signal.aborted) throw thrown;
  });
  return { look: judgement.look, end: () => abort.abort() };
}

/** Nobody asks a provider while its circuit is open, and nobody waits for it when its time is over by either clock. */
export function providers(world: TimeWorld): Actor {
  const { judged, machine, clock, dice, broke } = world;
  const circuit = new judged.Circuit(clock, () => dice(1_000) / 1_000);
  let opened: { readonly ms: number; readonly monotonic: number; readonly wall: number } | null = null;
  let mark = 0;
  return {
    look: async () => {
      const left = circuit.waitMs();
      if (opened !== null) {
        const gone = Math.max(machine.monotonic() - opened.monotonic, machine.now() - opened.wall);
        if (left > Math.max(0, opened.ms - gone) + 1)
          broke('wake-ups over 60 s late', `a circuit is open ${left} ms too long`);
      }
      if (left > 0) return;
      const asked = dice(2) === 0 ? null : dice(HOUR_MS);
      circuit.failed(mark, 'overloaded', asked);
      mark++;
      const ms = circuit.waitMs();
      if (asked !== null && ms < asked) broke('wake-ups too early', `a circuit is open ${ms} of ${asked} ms`);
      if (ms > Math.max(asked ?? 0, 5 * 60_000)) broke('wake-ups over 60 s late', `a circuit opened for ${ms} ms`);
      opened = { ms, monotonic: machine.monotonic(), wall: machine.now() };
    },
    end: () => undefined,
  };
}
