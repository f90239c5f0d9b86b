/** Whoever judges others by their silence: no machine's sleep and no jump of a clock is a death, and a death is noticed. */
import type { Actor, TimeWorld } from './world.ts';

const DAY_MS = 24 * 3_600_000;
const SLACK_MS = 15_000;
/** As which a sleep may count: a tick that was late. */
const SLEPT_MS = 12_000;

/** A life that ends by somebody's judgement, between `least` and `most` of awake time after its last sign; null: it must not. */
function life(world: TimeWorld, name: string, fate: { readonly least: number; readonly most: number } | null) {
  const { machine, broke } = world;
  let endedAt: number | null = null;
  return {
    end(): void {
      endedAt ??= machine.awakeMs;
      if (fate === null) broke('false deaths', `${name} was taken for dead`);
      else if (endedAt + SLEPT_MS * machine.sleeps < fate.least)
        broke('false deaths', `${name} was given up after ${endedAt} ms awake`);
    },
    look(): void {
      const most = (fate?.most ?? 0) + SLACK_MS + machine.stalledMs;
      if (fate !== null && endedAt === null && machine.awakeMs > most) {
        broke('deaths that were not noticed', `${name} after ${machine.awakeMs} ms awake`);
        endedAt = machine.awakeMs;
      }
    },
  };
}

/** Gives a sign from time to time, for ever. */
function everySoOften({ machine, dice }: TimeWorld, most: number, sign: () => void): void {
  const again = (): void => {
    sign();
    machine.after(1 + dice(most), again);
  };
  machine.after(1 + dice(most), again);
}

export function threads(world: TimeWorld): Actor {
  const { judged, machine, clock, dice } = world;
  const alive = life(world, 'a thread that answers', null);
  const deaf = life(world, 'a thread that does not answer', { least: 75_000, most: 75_000 });
  const answers = (): Promise<void> => new Promise((resolve) => void machine.after(1 + dice(5_000), resolve));
  const stops = [
    judged.watchThread({ ping: answers, kill: alive.end, patienceMs: 60_000 }, clock),
    judged.watchThread({ ping: () => new Promise(() => undefined), kill: deaf.end, patienceMs: 60_000 }, clock),
  ];
  return { look: deaf.look, end: () => stops.forEach((stop) => void stop()) };
}

export function agents(world: TimeWorld): Actor {
  const { judged, clock } = world;
  const alive = life(world, 'an agent that says something', null);
  const busy = life(world, 'an agent whose command runs', null);
  const mute = life(world, 'an agent that fell silent', { least: 60_000, most: 75_000 });
  const watch = (fallen: () => void, isBusy = false) =>
    judged.watchSilence(clock, { ms: 60_000, busy: () => isBusy, fallen });
  const watches = [watch(alive.end), watch(busy.end, true), watch(mute.end)];
  everySoOften(world, 20_000, () => watches[0]?.sign());
  return { look: mute.look, end: () => watches.forEach((one) => void one.stop()) };
}

export function streams(world: TimeWorld): Actor {
  const { judged, clock } = world;
  const alive = life(world, 'a stream with pings', null);
  const cut = life(world, 'a stream without a byte', { least: 90_000, most: 90_000 });
  const line = (end: () => void) => {
    const made = new judged.Connection(clock, { idleMs: 90_000, totalMs: DAY_MS }, new AbortController().signal);
    made.signal.addEventListener('abort', end);
    return made;
  };
  const lines = [line(alive.end), line(cut.end)];
  everySoOften(world, 30_000, () => lines[0]?.heard());
  return { look: cut.look, end: () => lines.forEach((one) => void one.close()) };
}

/** The seconds of an attempt are awake ones: it is looked at between its calls, which may be far apart. */
export function attempts({ judged, machine, clock, broke }: TimeWorld): Actor {
  const watch = new judged.Stopwatch(clock);
  watch.start();
  return {
    look: () => {
      const over = watch.ms - machine.awakeMs;
      if (over > SLEPT_MS * machine.sleeps) broke('false deaths', `an attempt is charged ${over} ms too much`);
      if (over < -machine.stalledMs - 1_000)
        broke('deaths that were not noticed', `${-over} ms of an attempt are free`);
    },
    end: () => watch.stop(),
  };
}
