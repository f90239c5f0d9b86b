/** The engine's process on a disk that fails or loses power, and what must be the same in the end. */
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readEvents } from '../../../src/app/open/store.ts';
import { outcomeOf, underWay } from '../crash/crashOutcome.ts';
import { crashScenario } from '../crash/crashScenario.ts';
import { crashWorld } from '../crash/crashWorld.ts';
import { smallScenario } from '../demo/smallJob.ts';
import { moneyIn } from '../invariants/money.ts';
import { SHORT_LIVED, shortProcess } from '../process/shortProcess.ts';
import { eventsIn } from '../state/eventFiles.ts';
import type { Built } from '../suite/plantedBug.ts';
import { LONG } from '../suite/proof.ts';
import { type DiskPlan, planEnv, type ThreadPlan } from './plan.ts';
import { type Lost, losePower, type Note } from './powerLoss.ts';

export const DISK_PROGRAMS = [
  new URL('./diskOwner.ts', import.meta.url),
  new URL('./diskWorker.ts', import.meta.url),
].map((url) => fileURLToPath(url));
/** A run is over by then, or hangs. */
const MOST_MS = 1_200_000;

type Plans = Pick<DiskPlan, 'owner' | 'worker'>;

export interface Run {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stderr: string;
  /** `<seq> <type>` of the events that were told. */
  readonly told: readonly string[];
  /** Code and message of what could not go on. */
  readonly failed: readonly string[];
  readonly faults: readonly string[];
}

export interface DiskWorld extends AsyncDisposable {
  run(plans: Plans): Promise<Run>;
  /** In a file system of two megabytes that is full. */
  runInFull(): Promise<Run>;
  /** Power is lost where it ends. */
  runToLoss(
    plans: Pick<DiskPlan, 'owner' | 'worker'>,
    random: (below: number) => number,
  ): Promise<Run & { lost: Lost }>;
  /** What a person sees of it in the end. */
  outcome(): Promise<object>;
  /** Of the events that were told, those that are not in the log. */
  lostOf(told: readonly string[]): Promise<string[]>;
  /** What is wrong with it in the end: those, rows under way, and money. */
  wrong(told: readonly string[]): Promise<string[]>;
}

export const failing = (plan: Partial<ThreadPlan>): ThreadPlan => ({
  fault: 'EIO',
  single: null,
  from: null,
  dieAt: null,
  ...plan,
});

export async function diskWorld(built: Built): Promise<DiskWorld> {
  const program = fileURLToPath(built.program('diskOwner'));
  const world = await crashWorld(built, 0, LONG ? crashScenario : smallScenario);
  const { stateDir, configDir, projectDir } = world.places;
  const roots = [stateDir, configDir];
  const [mended, file, removed] = ['mended', 'notes', 'removed'].map((name) => join(projectDir, '..', name)) as [
    string,
    string,
    string,
  ];
  mkdirSync(removed);
  const carriedOut = async (env: Readonly<Record<string, string>>): Promise<Run> =>
    runOf(await shortProcess(process.execPath, [...SHORT_LIVED, program], env, MOST_MS).exit);
  const start = (plans: Plans, noting: boolean): Promise<Run> => {
    rmSync(mended, { force: true });
    const plan: DiskPlan = { ...plans, roots, mended, notes: noting ? { file, removed } : null };
    return carriedOut({ ...world.env, ...planEnv(plan) });
  };
  const lostOf = async (told: readonly string[]): Promise<string[]> => {
    const kept = new Set((await readEvents(world)).map(({ seq, type }) => `${seq} ${type}`));
    return told.filter((line) => !kept.has(line));
  };
  return {
    run: (plans) => start(plans, false),
    runInFull: async () => {
      const [copy, ballast] = [join(projectDir, '..', 'state'), join(stateDir, 'ballast')];
      mkdirSync(stateDir);
      const plan: DiskPlan = { owner: null, worker: null, roots: [], mended, notes: null };
      const script = [
        'set -e',
        `mount -t tmpfs -o size=2m,mode=700 tmpfs "${stateDir}"`,
        `head -c 2020000 /dev/zero > "${ballast}"`,
        `PATH="${world.env['PATH']}" "${process.execPath}" ${SHORT_LIVED.join(' ')} "${program}"`,
        `cp -a "${stateDir}" "${copy}"`,
      ].join('\n');
      const env = { ...world.env, ...planEnv(plan), BALLAST: ballast };
      const run = runOf(await world.script(script, env));
      rmSync(stateDir, { recursive: true });
      cpSync(copy, stateDir, { recursive: true });
      return run;
    },
    runToLoss: async (plans, random) => {
      rmSync(file, { force: true });
      const run = await start(plans, true);
      const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
      const notes = lines.filter((line) => line.endsWith('}')).map((line) => JSON.parse(line) as Note);
      return { ...run, lost: run.signal === null ? { names: 0, bytes: 0 } : losePower(notes, roots, random) };
    },
    outcome: async () => withoutIds(outcomeOf(world, await world.state())),
    lostOf,
    wrong: async (told) => {
      const state = await world.state();
      const { invented, lost, overReserved } = moneyIn(eventsIn(stateDir), world.server.bill);
      return [
        ...(await lostOf(told)).map((line) => `told, and not in the log: ${line}`),
        ...underWay(world, state),
        ...(invented > 0 ? [`${invented} calls settled and never billed`] : []),
        ...(overReserved > 0 ? [`${overReserved} calls dearer than what was reserved`] : []),
        ...(lost > 0 ? [`${lost} calls billed and not in the ledger`] : []),
      ];
    },
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  };
}

/** What failed had taken numbers, and left them out. */
function withoutIds(outcome: object): object {
  const text = JSON.stringify(outcome).replaceAll(/Feature \d+ /g, 'Feature ');
  const { notes, ...rest } = JSON.parse(text) as { readonly notes: readonly (readonly unknown[])[] };
  return { ...rest, notes: notes.map(([feature, ...other]) => [feature === null ? null : 'of a feature', ...other]) };
}

/** A line that a kill cut off was never told. */
function runOf({ stdout, ...end }: Pick<Run, 'code' | 'signal' | 'stderr'> & { readonly stdout: string }): Run {
  const lines = stdout.split('\n').slice(0, -1);
  const rest = (word: string): string[] =>
    lines.filter((line) => line.startsWith(`${word} `)).map((line) => line.slice(word.length + 1));
  return { ...end, told: rest('told'), failed: rest('failed'), faults: rest('fault') };
}
