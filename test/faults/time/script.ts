/** A script of what a machine and its people do to time, played on everything of ours that lives by the clock. */
import { randomOf } from '../../support/suite/proof.ts';
import type { Judged } from './judged.ts';
import { ledgerDays } from './ledgerDays.ts';
import { schedules } from './schedules.ts';
import { VirtualMachine } from './virtualMachine.ts';
import { alarms, jobs, providers, sleepers } from './wakeUps.ts';
import { agents, attempts, streams, threads } from './watchdogs.ts';
import type { Actor, TimePromise, TimeWorld } from './world.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const TEN_YEARS_MS = 3_652 * 24 * HOUR_MS;

/** Where clocks are changed, by half an hour too, or at midnight, and where they are not. */
const ZONES = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'America/Santiago', 'Asia/Kolkata', 'UTC'];
/** Around changes of the clock, the end of a year, a leap day. */
const BEGINNINGS = [
  '2027-03-28T00:00:00Z',
  '2026-10-25T00:00:00Z',
  '2027-03-14T06:00:00Z',
  '2026-11-01T05:00:00Z',
  '2026-10-03T15:00:00Z',
  '2027-04-03T14:30:00Z',
  '2026-09-06T03:30:00Z',
  '2026-12-31T23:59:00Z',
  '2028-02-28T23:00:00Z',
].map((iso) => Date.parse(iso));

export interface Broken {
  readonly promise: TimePromise;
  readonly how: string;
}

export interface Played {
  readonly broken: readonly Broken[];
  /** What was done, for whoever reads of a failure. */
  readonly told: readonly string[];
}

export async function playTime(judged: Judged, seed: number): Promise<Played> {
  const dice = randomOf(seed);
  const zone = ZONES[dice(ZONES.length)] ?? 'UTC';
  const begin = (BEGINNINGS[dice(BEGINNINGS.length)] ?? 0) + dice(4 * HOUR_MS) - 2 * HOUR_MS;
  const machine = new VirtualMachine(begin, dice(2) === 0);
  const broken: Broken[] = [];
  const told = [`in ${zone} from ${new Date(begin).toISOString()}`];
  const before = process.env['TZ'];
  process.env['TZ'] = zone;
  try {
    const clock = judged.systemClock(machine);
    const broke: TimeWorld['broke'] = (promise, how) => void broken.push({ promise, how });
    const world: TimeWorld = { judged, machine, clock, zone, dice, broke };
    const actors: readonly Actor[] = [
      ...[threads, agents, streams, attempts, alarms, sleepers, jobs, providers, ledgerDays].map((make) => make(world)),
      await schedules(world, ZONES),
    ];
    for (let steps = 4 + dice(8); steps > 0; steps--) {
      told.push(await step(world, actors));
      for (const actor of actors) await actor.look();
    }
    await machine.work(2 * MINUTE_MS);
    for (const actor of actors) await actor.look();
    for (const actor of actors) await actor.end();
  } finally {
    if (before === undefined) delete process.env['TZ'];
    else process.env['TZ'] = before;
  }
  return { broken, told };
}

async function step({ machine, dice }: TimeWorld, actors: readonly Actor[]): Promise<string> {
  const sign = dice(2) === 0 ? 1 : -1;
  const jumps = [SECOND_MS, HOUR_MS, 24 * HOUR_MS, TEN_YEARS_MS, dice(TEN_YEARS_MS)];
  switch (dice(9)) {
    case 0:
    case 1: {
      const ms = dice(2) === 0 ? 12 * HOUR_MS : dice(40 * HOUR_MS);
      machine.sleep(ms);
      await machine.work(dice(90 * SECOND_MS));
      return `sleep ${ms}`;
    }
    case 2:
    case 3: {
      const by = sign * (jumps[dice(jumps.length)] ?? 0);
      machine.setWall(by);
      await machine.work(dice(90 * SECOND_MS));
      return `clock ${by}`;
    }
    case 4: {
      const ms = dice(50 * SECOND_MS);
      machine.stall(ms);
      await machine.work(SECOND_MS);
      return `stall ${ms}`;
    }
    case 5:
      for (const actor of actors) await actor.restart?.();
      return 'restart';
    default: {
      const ms = dice(6 * MINUTE_MS);
      await machine.work(ms);
      return `work ${ms}`;
    }
  }
}
