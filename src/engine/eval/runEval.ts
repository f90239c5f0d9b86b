/**
 * Runs an eval: chooses and validates its tasks, runs each variant on each task within one budget, checks each result by the hidden
 * tests, and records it. A run that was interrupted is resumed; a recorded result is not paid again.
 */
import { createHash } from 'node:crypto';
import {
  allRuns,
  missingRuns,
  type OpenRun,
  openRuns,
  type RunKey,
  runName,
  spentOn,
} from '../../core/eval/missingRuns.ts';
import { testCommandOf } from '../../core/eval/testCommand.ts';
import { DEFAULT_OPTIONS } from '../../core/job/defaults.ts';
import { isFields } from '../../core/text/json.ts';
import type { Clock } from '../../shared/clock.ts';
import { failure } from '../../shared/errors.ts';
import type { EvalResult } from '../../shared/eval/records.ts';
import type { RequestInput } from '../state/api.ts';
import { type Check, checkCode, faultOf } from './checks.ts';
import type { EvalRecords, EvalTask, RunEnd, TaskTrees, Variant, Workshop } from './ports.ts';
import { evalStopped } from './stopped.ts';

export interface EvalPlan {
  /** Number of tasks. */
  readonly count: number;
  readonly variants: readonly Variant[];
  readonly repeat: number;
  /** Micro-USD for all runs together, those of earlier invocations included. */
  readonly budgetMicroUsd: number;
  /** Null to detect the command. */
  readonly test: string | null;
  readonly setup: readonly string[];
}

export interface EvalPorts {
  readonly trees: TaskTrees;
  readonly workshop: Workshop;
  readonly records: EvalRecords;
  readonly clock: Clock;
  readonly release: string;
  /** Progress, one line. */
  say(text: string): void;
  readonly signal: AbortSignal;
}

export interface ChosenTask {
  readonly task: EvalTask;
  readonly check: Check;
}

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
function settingsOf({ request }: Variant, { test, setup }: EvalPlan): string {
  const { models, attempt } = DEFAULT_OPTIONS;
  const whole = { models: { ...models, ...request.models }, attempt: { ...attempt, ...request.attempt } };
  return sha([{ ...DEFAULT_OPTIONS, ...request, ...whole }, test, setup]);
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

interface Prepared {
  readonly tasks: readonly ChosenTask[];
  readonly settings: readonly string[];
  readonly runs: readonly RunKey[];
}

/** Returns why no further run was started, or null. */
async function runAll(ports: EvalPorts, plan: EvalPlan, { tasks, settings, runs }: Prepared): Promise<string | null> {
  const { records } = ports;
  const open = await settleOpenRuns(ports);
  const missing = missingRuns(records.results, runs);
  for (const [index, run] of missing.entries()) {
    stopIf(ports.signal);
    const chosen = tasks.find(({ task }) => task.id === run.task);
    const variant = plan.variants[settings.indexOf(run.settings)];
    if (chosen === undefined || variant === undefined) throw new Error(`no task or variant for ${runName(run)}`);
    const resumed = open.get(runName(run)) ?? null;
    const left = plan.budgetMicroUsd - spentOn(records.results, records.notes, runs) - reservedBy(open, run, runs);
    const needed = resumed?.reservedMicroUsd ?? variant.request.budgetMicroUsd;
    if (needed > left) return noMoney(left, needed, missing.length - index);
    ports.say(
      `${resumed === null ? 'Running' : 'Resuming'} "${chosen.task.title}" with ${variant.name}, ${run.repetition} of ${plan.repeat}`,
    );
    open.delete(runName(run));
    const result = await runOne(ports, { chosen, variant, run, resumed, setup: chosen.check.setup });
    if (result.outcome === 'void') return `a run could not be judged: ${result.reason}`;
  }
  return null;
}

/** Other runs of this eval that were interrupted may have spent up to their reservation. */
function reservedBy(open: ReadonlyMap<string, OpenRun>, next: RunKey, runs: readonly RunKey[]): number {
  const wanted = new Set(runs.map(runName));
  return [...open.values()]
    .filter(({ run }) => wanted.has(run) && run !== runName(next))
    .reduce((sum, { reservedMicroUsd }) => sum + reservedMicroUsd, 0);
}

const usd = (microUsd: number): string => `$${(Math.max(0, microUsd) / 1e6).toFixed(2)}`;

const noMoney = (left: number, needed: number, missing: number): string =>
  `the budget is used up: ${usd(left)} is left, the next run may cost ${usd(needed)}, and ${missing} ${missing === 1 ? 'run is' : 'runs are'} missing`;

/** The interrupted runs that can be resumed. The cost of the others is unknown: it counts at the reservation. */
async function settleOpenRuns(ports: EvalPorts): Promise<Map<string, OpenRun>> {
  const { records, workshop } = ports;
  const open = new Map<string, OpenRun>();
  const left = new Set(openRuns(records.results, records.notes).map(({ folder }) => folder));
  // A process that was killed after a result left its folder.
  for (const note of records.notes)
    if (note.type === 'started' && !left.has(note.folder)) await workshop.remove(note.folder);
  for (const one of openRuns(records.results, records.notes)) {
    if (await workshop.hasRun(one.folder)) open.set(one.run, one);
    else {
      const { run, folder, reservedMicroUsd: microUsd } = one;
      await records.addNote({ type: 'lost', version: 1, at: now(ports), run, folder, microUsd });
      ports.say(`The folder of an interrupted run is missing: ${usd(microUsd)} count as spent`);
    }
  }
  return open;
}

interface OneRun {
  readonly chosen: ChosenTask;
  readonly variant: Variant;
  readonly run: RunKey;
  readonly resumed: OpenRun | null;
  readonly setup: readonly string[];
}

async function runOne(ports: EvalPorts, one: OneRun): Promise<EvalResult> {
  const { workshop, records, signal } = ports;
  const { task } = one.chosen;
  const folder = one.resumed?.folder ?? (await startRun(ports, one));
  const end = await workshop.run(folder, requestOf(one), signal);
  const judged = await judge(ports, one.chosen, workshop.repositoryIn(folder), end);
  const result: EvalResult = {
    version: 1,
    at: now(ports),
    release: ports.release,
    task: task.id,
    title: task.title,
    category: task.category,
    variant: one.variant.name,
    settings: one.run.settings,
    repetition: one.run.repetition,
    ...end.facts,
    ...judged,
    passed: judged.outcome === 'passed',
  };
  await records.addResult(result);
  await workshop.remove(folder);
  return result;
}

/** No gate asks, because no one answers. The merge reaches only the repository of the run. */
const requestOf = ({ variant, chosen, setup }: OneRun): RequestInput<'submitBrief'> => ({
  ...variant.request,
  brief: chosen.task.brief,
  gates: [],
  mergeMode: 'merge',
  setup: [...setup],
});

/** Recorded before the first call of a model, so that its cost counts even if this process is killed. */
async function startRun(
  { trees, workshop, records, clock }: EvalPorts,
  { chosen, variant, run }: OneRun,
): Promise<string> {
  const folder = await workshop.makeFolder();
  await trees.startRepository(chosen.task, workshop.repositoryIn(folder));
  const at = new Date(clock.now()).toISOString();
  const reservedMicroUsd = variant.request.budgetMicroUsd;
  await records.addNote({ type: 'started', version: 1, at, run: runName(run), folder, reservedMicroUsd });
  return folder;
}

/** A job that did not complete has no result that the tests could pass on. */
async function judge(
  ports: EvalPorts,
  { task, check }: ChosenTask,
  repository: string,
  end: RunEnd,
): Promise<Pick<EvalResult, 'outcome' | 'reason'>> {
  if (end.outcome === 'void') return { outcome: 'void', reason: end.reason };
  if (end.outcome === 'stopped') return { outcome: 'failed', reason: end.reason };
  const verdict = await checkCode(ports, task, { repository }, check, ports.signal);
  switch (verdict.verdict) {
    case 'passed':
      return { outcome: 'passed', reason: '' };
    case 'failed':
      return { outcome: 'failed', reason: verdict.reason };
    case 'unknown':
      return { outcome: 'void', reason: verdict.reason };
  }
}

const now = ({ clock }: Pick<EvalPorts, 'clock'>): string => new Date(clock.now()).toISOString();

function stopIf(signal: AbortSignal): void {
  if (signal.aborted) throw evalStopped();
}
