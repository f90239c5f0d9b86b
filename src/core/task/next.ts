/** What a task does next, by its rows alone: one pass over them. */
import type { TaskRow, TaskStepRow } from '../../shared/task/tasks.ts';
import { graphOf, type TaskGraph } from './script/graph.ts';

export interface NextSteps {
  /** Pending steps of branches that are not taken, and of branches within them. */
  readonly skip: readonly TaskStepRow[];
  /** Whose turn it is, in the task's order; none while it is paused, a summary is due, or all places are taken. */
  readonly start: readonly TaskStepRow[];
  /** The steps whose checkpoint has no summary yet, in the task's order: nothing begins before it is there. */
  readonly checkpoints: readonly TaskStepRow[];
  /** Once what is to be skipped is: all its steps are over, one failed for good, or it goes on. */
  readonly end: 'completed' | { readonly failed: TaskStepRow } | null;
  /** The first time at which a step may be tried again. */
  readonly wakeAt: string | null;
}

/** As good as over for what needs it: also a failed one that its task goes on without. */
export function isStepOver({ status, on_error }: Pick<TaskStepRow, 'status' | 'on_error'>): boolean {
  return status === 'COMPLETED' || status === 'SKIPPED' || (status === 'FAILED' && on_error === 'continue');
}

/** Of `max_parallel`. What only waits, for a time or for a person, takes none. */
export const takesPlace = ({ action }: Pick<TaskStepRow, 'action'>): boolean =>
  action !== 'wait' && action !== 'approval';

/** `steps`: the task's, in its order. `nowMs`: of the wall clock. */
export function nextSteps(task: TaskRow, steps: readonly TaskStepRow[], nowMs: number): NextSteps {
  const graph = graphOf(task, steps);
  const over = new Uint8Array(steps.length);
  const skip = skipped(graph, steps, over);
  const failed = steps.find((step) => step.status === 'FAILED' && step.on_error !== 'continue');
  const checkpoints = steps.filter((step) => step.checkpoint === 'due');
  const fenced = failed !== undefined || checkpoints.length > 0 || task.status !== 'RUNNING';
  const { start, wakeAt } = fenced ? { start: [], wakeAt: null } : ready(task, graph, steps, over, nowMs);
  const isOver = checkpoints.length === 0 && over.every((flag) => flag === 1);
  return { skip, start, checkpoints, wakeAt, end: failed === undefined ? (isOver ? 'completed' : null) : { failed } };
}

/** Marks in `over` what is over, those that are skipped now included. */
function skipped(graph: TaskGraph, steps: readonly TaskStepRow[], over: Uint8Array): readonly TaskStepRow[] {
  const skip: TaskStepRow[] = [];
  const left = new Set<number>();
  for (const position of graph.order) {
    const step = steps[position];
    if (step === undefined) continue;
    if (isStepOver(step)) over[position] = 1;
    const branch = graph.branches[position];
    if (!branch || step.status !== 'PENDING') continue;
    const conditional = steps[branch.of];
    const isLeft = left.has(branch.of) || (conditional !== undefined && isNotTaken(conditional, branch.when));
    if (!isLeft) continue;
    left.add(position);
    over[position] = 1;
    skip.push(step);
  }
  return skip;
}

/** A conditional that gave no answer takes neither branch. */
function isNotTaken(conditional: TaskStepRow, when: boolean): boolean {
  return isStepOver(conditional) && (conditional.status !== 'COMPLETED' || conditional.result !== when);
}

function ready(
  task: TaskRow,
  graph: TaskGraph,
  steps: readonly TaskStepRow[],
  over: Uint8Array,
  nowMs: number,
): Pick<NextSteps, 'start' | 'wakeAt'> {
  const start: TaskStepRow[] = [];
  let wakeAt: string | null = null;
  let places = task.max_parallel;
  for (const step of steps) if (step.status === 'RUNNING' && takesPlace(step)) places--;
  for (const [position, step] of steps.entries()) {
    if (step.status !== 'PENDING' || over[position] === 1) continue;
    if (!graph.needs[position]?.every((need) => over[need] === 1)) continue;
    if (step.wake_at !== null && Date.parse(step.wake_at) > nowMs) {
      if (wakeAt === null || step.wake_at < wakeAt) wakeAt = step.wake_at;
      continue;
    }
    if (takesPlace(step) && places-- <= 0) continue;
    start.push(step);
  }
  return { start, wakeAt };
}
