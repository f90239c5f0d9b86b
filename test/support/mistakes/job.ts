/** Jobs on real packages whose workers make ordinary mistakes, and what each mistake costs. */
import type { JobWorld } from '../world/jobWorld.ts';
import * as habits from './habits.ts';
import { type Change, licenseOf, PACKAGES, type Package } from './packages.ts';
import { PlayedModel, type Request, type Script, type Spent } from './player.ts';

interface Mistake {
  readonly name: string;
  readonly habit: habits.Habit;
  /** The only package with this mistake. Absent: every package has it. */
  readonly on?: Package;
}

const { MS, HE, SERVOR } = PACKAGES;

/** The mistakes of each job, in the order of its features. */
const SETS: readonly (readonly Mistake[])[] = [
  [
    { name: 'a failing first test', habit: habits.firstTestFails },
    { name: 'an edit with wrong spaces', habit: habits.wrongSpaces },
    { name: 'git checkout of a file', habit: habits.checkout },
    { name: 'a forgotten git stash', habit: habits.stash },
  ],
  [
    { name: 'a huge file', habit: habits.hugeFile, on: HE },
    { name: 'a wide grep', habit: habits.wideGrep },
    { name: 'a question in the middle', habit: habits.asks },
    { name: 'a report beside other calls', habit: habits.reportsBeside },
  ],
  [
    { name: 'a server in the background', habit: habits.server },
    { name: 'a command that never ends', habit: habits.endless },
    { name: 'a write to /tmp', habit: habits.writesToTmp },
    { name: 'done without a change', habit: habits.changesNothing },
  ],
];

interface Feature {
  readonly mistake: string;
  readonly habit: habits.Habit;
  readonly change: Change;
}

export interface MistakenJob {
  /** The package, and which set of mistakes. */
  readonly name: string;
  readonly of: Package;
  readonly features: readonly Feature[];
}

function jobOf(of: Package, set: number): MistakenJob {
  const mistakes = (SETS[set] ?? []).filter(({ on = of }) => on === of);
  const features = mistakes.map(({ name, habit }, index) => {
    const change = habit === habits.changesNothing ? licenseOf(of) : of.changes[index];
    if (change === undefined) throw new Error(`${of.name} has too few changes`);
    return { mistake: name, habit, change };
  });
  return { name: `${of.name} (${set + 1})`, of, features };
}

/** Each mistake once. */
export const JOBS: readonly MistakenJob[] = [jobOf(MS, 0), jobOf(HE, 1), jobOf(SERVOR, 2)];
/** Each mistake on each package. */
export const ALL_JOBS: readonly MistakenJob[] = [MS, HE, SERVOR].flatMap((of) => SETS.map((_, set) => jobOf(of, set)));

function planOf({ of: { name }, features }: MistakenJob): Record<string, unknown> {
  return {
    title: `Work on ${name}`,
    phases: [
      {
        title: 'Work',
        objective: `Change ${name}.`,
        acceptance_criteria: ['Each change is there, with a test.'],
        verify_commands: [habits.VERIFY],
        features: features.map(({ change }, index) => ({
          name: change.name,
          description: change.description,
          category: change.file,
          testing_steps: [],
          depends_on: features.slice(Math.max(0, index - 1), index).map((before) => before.change.name),
        })),
      },
    ],
  };
}

const APPROVED = { verdict: 'APPROVED', reason: 'Each criterion is met.' };

function* play(job: MistakenJob, first: Request): Script {
  const { assignment } = first;
  switch (assignment.role) {
    case 'planner':
      yield { calls: [{ tool: 'submit_plan', input: planOf(job) }] };
      return;
    case 'reviewer':
      yield { calls: [{ tool: 'submit_verdict', input: APPROVED }] };
      return;
    case 'summarizer':
      yield { text: 'Each change is there, with a test.' };
      return;
    case 'worker': {
      const at = job.features.findIndex(({ change }) => change.name === assignment.feature);
      const feature = job.features[at];
      if (feature === undefined) return;
      const accepted = job.features.slice(0, at).map(({ change }) => change);
      yield* feature.habit({ of: job.of, change: feature.change, accepted }, first);
    }
  }
}

export function mistakenModel(job: MistakenJob): PlayedModel {
  return new PlayedModel((first) => play(job, first));
}

/** The brief of the job. */
export const briefFor = (job: MistakenJob): string => `Change ${job.of.name}.`;

/** Answers the questions of a filed job until it is merged. Throws if it ends otherwise, or if the model has no reply to a request. */
export async function carryOut(world: JobWorld, model: PlayedModel): Promise<void> {
  // If the worker asks again, the steward answers in whole words.
  for (const words of habits.ANSWERS) {
    const asked = await world.until('the job is over, or asks', () => {
      if (model.faults.length > 0) throw new Error(model.faults.join('; '));
      const waiting = [...world.state.approvals.values()].find(({ status }) => status === 'pending');
      return waiting?.kind ?? (world.job.status === 'completed' && 'over');
    });
    if (asked === 'over') return;
    await world.approve('stuck', { feedback: words });
  }
  await world.is('completed');
}

/** What one mistake cost, or a role without one. */
export interface Cost {
  readonly name: string;
  readonly turns: number;
  readonly input: number;
  /** Of the input, what was not read from the cache. */
  readonly fresh: number;
  readonly output: number;
  readonly lacking: readonly string[];
}

export function costs(job: MistakenJob, spent: readonly Spent[]): Cost[] {
  const others = spent.filter(({ role }) => role !== 'worker');
  const features = job.features.map(({ mistake, change }) =>
    cost(
      mistake,
      spent.filter(({ role, feature }) => role === 'worker' && feature === change.name),
    ),
  );
  return [cost('planner, reviewer, summarizer', others), ...features];
}

function cost(name: string, spent: readonly Spent[]): Cost {
  const sum = (of: (usage: Spent['usage']) => number): number => spent.reduce((all, { usage }) => all + of(usage), 0);
  const fresh = sum(({ input, cacheWrite5m, cacheWrite1h }) => input + cacheWrite5m + cacheWrite1h);
  return {
    name,
    turns: spent.length,
    input: fresh + sum(({ cacheRead }) => cacheRead),
    fresh,
    output: sum(({ output }) => output),
    lacking: spent.flatMap(({ lacking }) => lacking ?? []),
  };
}

/** Features whose work is not in the files that `read` gives, by path. Null: there is no such file. */
export function lostWork(job: MistakenJob, read: (path: string) => string | null): string[] {
  const holds = (path: string, text: string): boolean => read(path)?.includes(text) ?? false;
  return job.features
    .filter(({ change: { file, edits, test } }) => {
      return !(edits.every(({ becomes }) => holds(file, becomes)) && holds(test.file, test.content));
    })
    .map(({ change }) => change.name);
}
