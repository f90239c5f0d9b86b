/** Collects what views of tasks need of the whole state, in one pass over each table: costs, questions, and earlier durations of steps. */
import type { ApprovalRow } from '../../../shared/approval.ts';
import type { SpendRow } from '../../../shared/money.ts';
import type { TaskRow, TaskStepRow } from '../../../shared/task/tasks.ts';
import type { State } from '../../../shared/workspace/state.ts';
import { type Waits, waitsIn } from '../../job/view/waiting.ts';
import { addSpend, noSums, type SpentSums } from '../../money/view/spent.ts';

export interface TaskFacts {
  readonly taskSums: Pick<ReadonlyMap<string, Readonly<SpentSums>>, 'get'>;
  readonly stepSums: Pick<ReadonlyMap<number, Readonly<SpentSums>>, 'get'>;
  /** Tasks with a simulated call. */
  readonly simulated: Pick<ReadonlySet<string>, 'has'>;
  /** Whether the step was simulated: then its duration is not used to estimate real steps. */
  isSimulated(step: TaskStepRow): boolean;
  /** Pending, by task, oldest first. */
  readonly questions: ReadonlyMap<string, readonly ApprovalRow[]>;
  readonly waits: Pick<Waits, 'task' | 'step'>;
  /** Median milliseconds of a project's completed real steps of this action and name, or of this action and model. Null if there are none. */
  usual(like: 'name' | 'model', task: TaskRow, step: TaskStepRow): number | null;
}

/** Computed once for many tasks: two passes over the ledger and the steps. */
export function taskFacts(state: State): TaskFacts {
  const taskSums = new Map<string, SpentSums>();
  const stepSums = new Map<number, SpentSums>();
  const simulated = new Set<string>();
  const played = new Set<number>();
  for (const row of state.spends.values()) {
    if (row.task_id === null) continue;
    addTo(taskSums, row.task_id, row);
    if (row.step_id !== null) addTo(stepSums, row.step_id, row);
    if (row.provider !== 'simulated') continue;
    simulated.add(row.task_id);
    if (row.step_id !== null) played.add(row.step_id);
  }
  const isSimulated = ({ id, job_id }: TaskStepRow): boolean =>
    played.has(id) || (job_id !== null && state.jobs.get(job_id)?.options.provider === 'simulated');
  return {
    taskSums,
    stepSums,
    simulated,
    isSimulated,
    questions: questionsOf(state),
    waits: waitsIn(state),
    usual: usualOf(state, (task, step) => isSimulatedTask(state, task) || isSimulated(step)),
  };
}

function addTo<Id>(all: Map<Id, SpentSums>, id: Id, row: SpendRow): void {
  const sums = all.get(id) ?? noSums();
  addSpend(sums, row);
  all.set(id, sums);
}

/** Whether a simulated model answers further steps of the task. */
export function isSimulatedTask({ projects }: State, { provider, project_id }: TaskRow): boolean {
  return (provider ?? projects.get(project_id)?.provider) === 'simulated';
}

function questionsOf(state: State): ReadonlyMap<string, readonly ApprovalRow[]> {
  const questions = new Map<string, ApprovalRow[]>();
  for (const row of state.approvals.values()) {
    if (row.task_id === null || row.status !== 'pending') continue;
    const before = questions.get(row.task_id);
    if (before === undefined) questions.set(row.task_id, [row]);
    else before.push(row);
  }
  return questions;
}

/** Read when it is first asked. */
function usualOf(state: State, isPlayed: (task: TaskRow, step: TaskStepRow) => boolean): TaskFacts['usual'] {
  let durations: Map<string, number[]> | null = null;
  const medians = new Map<string, number | null>();
  const medianOf = (key: string): number | null => {
    durations ??= durationsOf(state, isPlayed);
    const known = medians.get(key);
    if (known !== undefined) return known;
    const found = median(durations.get(key) ?? []);
    medians.set(key, found);
    return found;
  };
  return (like, task, step) => medianOf(keyOf(like, task, step));
}

const keyOf = (like: 'name' | 'model', task: TaskRow, step: TaskStepRow): string =>
  JSON.stringify([task.project_id, step.action, like, like === 'name' ? step.name : task.model]);

function durationsOf(state: State, isPlayed: (task: TaskRow, step: TaskStepRow) => boolean): Map<string, number[]> {
  const durations = new Map<string, number[]>();
  for (const step of state.task_steps.values()) {
    const task = state.tasks.get(step.task_id);
    const took = step.status === 'COMPLETED' ? stepDuration(step) : null;
    if (task === undefined || took === null || isPlayed(task, step)) continue;
    for (const key of [keyOf('name', task, step), keyOf('model', task, step)]) {
      const before = durations.get(key);
      if (before === undefined) durations.set(key, [took]);
      else before.push(took);
    }
  }
  return durations;
}

/** Duration of an ended step. */
export function stepDuration({ started_at, ended_at }: TaskStepRow): number | null {
  return started_at === null || ended_at === null ? null : Math.max(0, Date.parse(ended_at) - Date.parse(started_at));
}

export function median(numbers: readonly number[]): number | null {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle];
  if (upper === undefined) return null;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}
