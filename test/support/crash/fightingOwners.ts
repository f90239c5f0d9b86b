/** Several owners of one state, killed, frozen and thawed at random, and what each was told had been committed. */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { systemClock } from '../../../src/adapters/clock.ts';
import { openLog, type StateFolder } from '../state/stateFolder.ts';

const KILLED_OF_TEN = 3;
/** However fast they are: a fight has so many of both. */
const LEAST_KILLS = 2;
const LEAST_STOPS = 3;
/** A fight without a refusal continues to so many times its commits, because on a slow machine owners may start one after the other. */
const MOST_TIMES = 20;
const clock = systemClock();

export interface FightOptions {
  /** ownerProcess.ts, as it was built. */
  readonly program: URL;
  readonly owners: number;
  /** The fight ends after so many acknowledged commits, if one owner was refused by then. */
  readonly commits: number;
  readonly random: (below: number) => number;
}

export interface Fight {
  /** `<seq> <epoch> <number>` */
  readonly acknowledged: readonly string[];
  /** Times an owner was told that it is none any more. */
  readonly refusals: number;
  readonly kills: number;
  readonly stops: number;
  readonly errors: readonly string[];
}

interface Owner {
  readonly child: ChildProcessByStdio<null, Readable, Readable>;
  readonly gone: Promise<unknown>;
}

class Fighters {
  readonly acknowledged: string[] = [];
  readonly errors: string[] = [];
  refusals = 0;
  #lives = 0;
  readonly #folder: StateFolder;
  readonly #program: string;

  constructor(folder: StateFolder, program: URL) {
    this.#folder = folder;
    this.#program = fileURLToPath(program);
  }

  start(): Owner {
    this.#lives++;
    const key = Buffer.from(this.#folder.key).toString('hex');
    const child = spawn(process.execPath, [this.#program, this.#folder.root, key, String(this.#lives)], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    // A line that a kill cut off was never told.
    createInterface(child.stdout).on('line', (line) => {
      if (line === 'refused') this.refusals++;
      else if (/^\d+ \d+ \d+$/.test(line)) this.acknowledged.push(line);
    });
    child.stderr.on('data', (data: Buffer) => this.errors.push(data.toString()));
    return { child, gone: new Promise((resolve) => child.once('close', resolve)) };
  }
}

export async function fight(folder: StateFolder, options: FightOptions): Promise<Fight> {
  const { owners: many, commits, random } = options;
  const fighters = new Fighters(folder, options.program);
  let [kills, stops] = [0, 0];
  const owners = Array.from({ length: many }, () => fighters.start());
  try {
    const isOver = (): boolean => {
      const { length } = fighters.acknowledged;
      if (length < commits || kills < LEAST_KILLS || stops < LEAST_STOPS) return false;
      return fighters.refusals > 0 || length >= MOST_TIMES * commits;
    };
    while (!isOver() && fighters.errors.length === 0) {
      await clock.sleep(30 + random(100));
      const index = random(many);
      const { child, gone } = owners[index] as Owner;
      if (random(10) < KILLED_OF_TEN) {
        kills++;
        child.kill('SIGKILL');
        await gone;
        owners[index] = fighters.start();
      } else {
        stops++;
        child.kill('SIGSTOP');
        await clock.sleep(30 + random(200));
        child.kill('SIGCONT');
      }
    }
  } finally {
    for (const { child } of owners) child.kill('SIGKILL');
    await Promise.all(owners.map(({ gone }) => gone));
  }
  const { acknowledged, refusals, errors } = fighters;
  return { acknowledged, refusals, kills, stops, errors };
}

export interface Judged {
  /** Acknowledged, and not in the log at that place. */
  readonly lost: readonly string[];
  /** Places that two were told, numbers that stand in the log twice, and places that are not one after the other. */
  readonly doubled: readonly string[];
  readonly problems: readonly string[];
}

/** By the files of the log alone, as anyone reads them. */
export async function judge(folder: StateFolder, { acknowledged }: Fight): Promise<Judged> {
  const { events, problems } = await (await openLog(folder)).read(null);
  const kept = events.flatMap((event) => (event.type === 'limits_set' ? [event] : []));
  const lines = new Set(kept.map(({ seq, epoch, limits }) => `${seq} ${epoch} ${limits.totalMicroUsd}`));
  const doubles = (values: readonly (string | number | null)[]): string[] => {
    const seen = new Set<string | number | null>();
    return values.filter((value) => seen.has(value) || !seen.add(value)).map(String);
  };
  return {
    lost: acknowledged.filter((line) => !lines.has(line)),
    doubled: [
      ...doubles(acknowledged.map((line) => line.split(' ')[0] ?? '')),
      ...doubles(kept.map(({ limits }) => limits.totalMicroUsd)),
      ...events.filter(({ seq }, index) => seq !== index + 1).map(({ seq }) => `the place of ${seq}`),
    ],
    problems: problems.map(({ what }) => what).filter((what) => what !== 'unfinished line'),
  };
}
