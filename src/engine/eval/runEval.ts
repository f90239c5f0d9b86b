/**
 * Runs an eval: chooses and validates its tasks, runs each variant on each task within one budget, checks each result by the hidden
 * tests, and records it. A run that was interrupted is resumed; a recorded result is not paid again.
 */
import { createHash } from 'node:crypto';
import { allRuns, type RunKey, spentOn } from '../../core/eval/missingRuns.ts';
import { testCommandOf } from '../../core/eval/testCommand.ts';
import { DEFAULT_OPTIONS } from '../../core/job/defaults.ts';
import { isFields } from '../../core/text/json.ts';
import { failure } from '../../shared/errors.ts';
import { faultOf } from './checks.ts';
import type { Check, ChosenTask, EvalPlan, EvalPorts, EvalTask, Variant } from './ports.ts';
import { runAll } from './runs.ts';
import { now, stopIf } from './stopped.ts';

export interface DroppedTask {
  readonly name: string;
  readonly reason: string;
}

export interface EvalEnd {
  readonly tasks: readonly ChosenTask[];
  readonly dropped: readonly DroppedTask[];
  /** Fingerprint of each variant, in the order of the plan. */
  readonly settings: readonly string[];
  readonly runs: readonly RunKey[];
  readonly spentMicroUsd: number;
  /** Why no further run was started. Null if every run has its result. */
  readonly stopped: string | null;
}

export async function runEval(ports: EvalPorts, plan: EvalPlan): Promise<EvalEnd> {
  const settings = distinctSettings(plan);
  const { tasks, dropped } = await chooseTasks(ports, plan);
  const runs = allRuns(
    tasks.map(({ task }) => task.id),
    settings,
    plan.repeat,
  );
  const stopped = await runAll(ports, plan, { tasks, settings, runs });
  const { results, notes } = ports.records;
  return { tasks, dropped, settings, runs, spentMicroUsd: spentOn(results, notes, runs), stopped };
}

/** The same for the same values, in whatever order their fields are. */
function sha(value: unknown): string {
  const sorted = (_: string, one: unknown): unknown =>
    isFields(one) ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1))) : one;
  return createHash('sha256').update(JSON.stringify(value, sorted)).digest('hex').slice(0, 16);
}

/** Results count for the same settings and the same commands only. A later version may have other defaults. */
function settingsOf({ request }: Variant, { test, setup, batchPrices }: EvalPlan): string {
  const { models, attempt } = DEFAULT_OPTIONS;
  const whole = { models: { ...models, ...request.models }, attempt: { ...attempt, ...request.attempt } };
  return sha([{ ...DEFAULT_OPTIONS, ...request, ...whole }, test, setup, ...(batchPrices ? ['batch prices'] : [])]);
}

/** Throws USAGE if two variants are the same: they would share their results. */
function distinctSettings(plan: EvalPlan): readonly string[] {
  const settings = plan.variants.map((variant) => settingsOf(variant, plan));
  for (const [index, one] of settings.entries()) {
    const first = settings.indexOf(one);
    if (first === index) continue;
    const [a, b] = [plan.variants[first]?.name, plan.variants[index]?.name];
    throw failure('USAGE', `the variants ${a} and ${b} have the same settings`, {
      hint: 'To run one variant several times, use --repeat.',
    });
  }
  return settings;
}

async function chooseTasks(
  ports: EvalPorts,
  plan: EvalPlan,
): Promise<{ tasks: readonly ChosenTask[]; dropped: readonly DroppedTask[] }> {
  const tasks: ChosenTask[] = [];
  const dropped: DroppedTask[] = [];
  for await (const candidate of ports.trees.candidates()) {
    stopIf(ports.signal);
    if ('refused' in candidate) dropped.push({ name: candidate.name, reason: candidate.refused });
    else {
      const { task } = candidate;
      const chosen = await validated(ports, plan, task);
      if ('check' in chosen) tasks.push({ task, check: chosen.check });
      else {
        dropped.push({ name: task.title, reason: chosen.fault });
        ports.say(`Dropped "${task.title}": ${chosen.fault}`);
      }
    }
    if (tasks.length >= plan.count) break;
  }
  return { tasks, dropped };
}

async function validated(
  ports: EvalPorts,
  plan: EvalPlan,
  task: EvalTask,
): Promise<{ readonly check: Check } | { readonly fault: string }> {
  const test = plan.test ?? task.test ?? testCommandOf(task.manifest);
  if (test === null) return { fault: 'no test command is known: give one by --test' };
  const check = { test, setup: task.setup ?? plan.setup };
  const print = sha(check);
  const isKnown = ports.records.notes.some(
    (note) => note.type === 'validated' && note.task === task.id && note.check === print,
  );
  if (isKnown) return { check };
  ports.say(`Checking the tests of "${task.title}"`);
  const fault = await faultOf(ports, task, check, ports.signal);
  if (fault !== null) return { fault };
  await ports.records.addNote({ type: 'validated', version: 1, at: now(ports), task: task.id, check: print });
  return { check };
}
