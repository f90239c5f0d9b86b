/** Decides the next steps of a task, from its rows alone, in one pass over them. */
import type { TaskRow, TaskStepRow } from '../../shared/task/tasks.ts';
import { graphOf, type TaskGraph } from './script/graph.ts';

export interface NextSteps {
  /** Pending steps of branches that are not taken, and of branches within them. */
  readonly skip: readonly TaskStepRow[];
  /** Steps to start, in the task's order. Empty while the task is paused, a summary is due, or all slots are taken. */
  readonly start: readonly TaskStepRow[];
  /** The steps whose checkpoint has no summary yet, in the task's order. No step starts before the summary is stored. */
  readonly checkpoints: readonly TaskStepRow[];
  /** The task's end, once the steps in `skip` are skipped: all its steps have ended, or one failed finally. Null if the task continues. */
  readonly end: 'completed' | { readonly failed: TaskStepRow } | null;
  /** The first time at which a step may be tried again. */
  readonly wakeAt: string | null;
}

/** Whether dependent steps may start: the step has ended, or it failed and the task continues without it. */
export function isStepOver({ status, on_error }: Pick<TaskStepRow, 'status' | 'on_error'>): boolean {
  return status === 'COMPLETED' || status === 'SKIPPED' || (status === 'FAILED' && on_error === 'continue');
}

/** Whether the step takes one of the `max_parallel` slots. A step that only waits, for a time or for a person, takes none. */
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

/** Marks the ended steps in `over`, including those that are skipped now. */
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

/** A conditional without a result takes neither branch. */
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
