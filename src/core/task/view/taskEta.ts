/** Estimates when a task will end: known waits exactly, steps by the durations of similar steps, in parallel if they may run so. */
import type { Eta } from '../../../shared/task/taskApi.ts';
import type { TaskRow, TaskStepRow } from '../../../shared/task/tasks.ts';
import { isOver } from '../../state/rows.ts';
import { isStepOver, takesPlace } from '../next.ts';
import { graphOf, type TaskGraph } from '../script/graph.ts';
import { median, stepDuration, type TaskFacts } from './taskFacts.ts';

type Source = NonNullable<Eta['source']>;
interface Expected {
  readonly ms: number;
  readonly source: Source | null;
}

const UNKNOWN: Eta = { remainingMs: null, at: null, source: null };
/** Carried out by the owner itself. */
const AT_ONCE: ReadonlySet<string> = new Set(['conditional', 'aggregate', 'notify']);

/** Running time: without the time before its start and the time in which it was paused. */
export function taskElapsed(task: TaskRow, nowMs: number): number {
  if (task.started_at === null) return 0;
  const end = task.ended_at ?? task.paused_at;
  const until = end === null ? nowMs : Date.parse(end);
  return Math.max(0, until - Date.parse(task.started_at) - task.paused_ms);
}

/** `isSimulated`: a simulated model answers the task, so its own steps so far are alike. */
export function taskEta(
  task: TaskRow,
  steps: readonly TaskStepRow[],
  facts: TaskFacts,
  { nowMs, isSimulated }: { readonly nowMs: number; readonly isSimulated: boolean },
): Eta {
  if (isOver(task)) return { remainingMs: 0, at: task.ended_at, source: null };
  const found = steps.length === 0 ? null : bySteps(task, steps, facts, nowMs, isSimulated);
  const eta = found ?? byEstimate(task, nowMs);
  if (eta === null) return UNKNOWN;
  const remainingMs = Math.round(eta.ms);
  const at = task.status === 'RUNNING' ? new Date(nowMs + remainingMs).toISOString() : null;
  return { remainingMs, at, source: eta.source };
}

function byEstimate(task: TaskRow, nowMs: number): Expected | null {
  if (task.estimated_duration_minutes === null) return null;
  const ms = task.estimated_duration_minutes * 60_000 - taskElapsed(task, nowMs);
  return { ms: Math.max(0, ms), source: 'estimate' };
}

/** The larger of the longest path through the remaining steps, and all remaining work divided by the slots. */
function bySteps(
  task: TaskRow,
  steps: readonly TaskStepRow[],
  facts: TaskFacts,
  nowMs: number,
  isSimulated: boolean,
): Expected | null {
  const graph = graphOf(task, steps);
  const own = ownDurations(isSimulated ? steps : steps.filter((step) => !facts.isSimulated(step)));
  const ends = new Map<number, number>();
  let work = 0;
  let longest = 0;
  const sources = new Set<Source>();
  for (const position of graph.order) {
    const step = steps[position];
    if (step === undefined || isStepOver(step)) continue;
    const expected = expectedOf(task, step, facts, own, nowMs);
    if (expected === null) return null;
    if (expected.source !== null) sources.add(expected.source);
    const begins = Math.max(0, ...(graph.needs[position] ?? []).map((need) => ends.get(need) ?? 0));
    const end = endOf(step, begins, expected.ms, nowMs);
    ends.set(position, end);
    longest = Math.max(longest, end);
    if (takesPlace(step) && !isUndecided(graph, steps, position)) work += expected.ms;
  }
  const source = (['elapsed', 'history', 'waits'] as const).find((name) => sources.has(name)) ?? null;
  return { ms: Math.max(longest, work / task.max_parallel), source };
}

/** A wait until a time ends at that time, whenever it starts. */
function endOf(step: TaskStepRow, begins: number, ms: number, nowMs: number): number {
  const until =
    step.action === 'wait' && typeof step.params['until'] === 'string' ? Date.parse(step.params['until']) : NaN;
  return Number.isNaN(until) ? begins + ms : Math.max(begins, until - nowMs);
}

function expectedOf(
  task: TaskRow,
  step: TaskStepRow,
  facts: TaskFacts,
  own: ReadonlyMap<string, number | null>,
  nowMs: number,
): Expected | null {
  if (AT_ONCE.has(step.action)) return { ms: 0, source: null };
  // The time of a person's answer is unknown.
  if (step.approval_id !== null && step.status === 'RUNNING') return null;
  if (step.action === 'wait') return expectedWait(step, nowMs);
  const [ms, source] = durationOf(task, step, facts, own);
  if (ms === null) return null;
  const elapsed = step.status === 'RUNNING' && step.started_at !== null ? nowMs - Date.parse(step.started_at) : 0;
  const delay = step.wake_at === null ? 0 : Math.max(0, Date.parse(step.wake_at) - nowMs);
  return { ms: Math.max(0, ms - Math.max(0, elapsed)) + delay, source };
}

/** Steps of one name are most alike, then those of this task, then its project's with the same action and model. */
function durationOf(
  task: TaskRow,
  step: TaskStepRow,
  facts: TaskFacts,
  own: ReadonlyMap<string, number | null>,
): readonly [number | null, Source] {
  const before = facts.usual('name', task, step);
  if (before !== null) return [before, 'history'];
  const here = own.get(step.action) ?? null;
  return here === null ? [facts.usual('model', task, step), 'history'] : [here, 'elapsed'];
}

function expectedWait(step: TaskStepRow, nowMs: number): Expected | null {
  if (step.wake_at !== null) return { ms: Math.max(0, Date.parse(step.wake_at) - nowMs), source: 'waits' };
  const { minutes, until } = step.params;
  if (typeof minutes === 'number') return { ms: minutes * 60_000, source: 'waits' };
  const at = typeof until === 'string' ? Date.parse(until) : NaN;
  return Number.isNaN(at) ? null : { ms: Math.max(0, at - nowMs), source: 'waits' };
}

function isUndecided(graph: TaskGraph, steps: readonly TaskStepRow[], position: number): boolean {
  const branch = graph.branches[position];
  const conditional = branch ? steps[branch.of] : undefined;
  return conditional !== undefined && !isStepOver(conditional);
}

/** Durations of its completed steps, by action: a substitute if its project has no history. */
function ownDurations(steps: readonly TaskStepRow[]): ReadonlyMap<string, number | null> {
  const took = Map.groupBy(
    steps.filter(({ status }) => status === 'COMPLETED'),
    ({ action }) => action,
  );
  return new Map([...took].map(([action, rows]) => [action, median(rows.flatMap((row) => stepDuration(row) ?? []))]));
}
