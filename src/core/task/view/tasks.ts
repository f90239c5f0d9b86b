/** Builds the views of tasks from the state: one form for the terminal, the page, HTTP and the tool. */

import type { StepView, TaskDetails, TaskEvent, TaskProgress, TaskSummary } from '../../../shared/task/taskApi.ts';
import type { JsonObject, TaskLogRow, TaskRow, TaskStatus, TaskStepRow } from '../../../shared/task/tasks.ts';
import type { Waiting } from '../../../shared/waiting.ts';
import type { State } from '../../../shared/workspace/state.ts';
import { spentOf } from '../../money/view/spent.ts';
import { isOver, need, taskSteps } from '../../state/rows.ts';
import { graphOf, type TaskGraph } from '../script/graph.ts';
import { progressData } from '../taskLog.ts';
import { taskElapsed, taskEta } from './taskEta.ts';
import { isSimulatedTask, stepDuration, type TaskFacts, taskFacts } from './taskFacts.ts';

/** Most lines of the log that details have. */
const LOG_LINES = 200;

/** Casts a readonly row value to the JSON type of the schema. */
const given = (json: JsonObject) => json as StepView['params'];
const givenWait = (waiting: Waiting | null) => waiting as TaskSummary['waiting'];

export interface TaskFilter {
  readonly project?: string | undefined;
  readonly statuses?: readonly TaskStatus[] | undefined;
}

/** Tasks that are neither over nor still to be started. */
export const ACTIVE: readonly TaskStatus[] = ['RUNNING', 'PAUSED'];

/** Newest first. `facts` may be passed if they were built from the same state. */
export function taskList(state: State, filter: TaskFilter, nowMs: number, facts = taskFacts(state)): TaskSummary[] {
  const tasks = [...state.tasks.values()].filter(
    ({ project_id, status }) =>
      (filter.project === undefined || filter.project === project_id) &&
      (filter.statuses === undefined || filter.statuses.includes(status)),
  );
  return tasks.reverse().map((task) => summaryOf(state, task, taskSteps(state, task), facts, nowMs));
}

/** Throws NOT_FOUND, as all that follow. */
export function taskSummary(state: State, taskId: string, nowMs: number, facts = taskFacts(state)): TaskSummary {
  const task = need(state, 'tasks', taskId);
  return summaryOf(state, task, taskSteps(state, task), facts, nowMs);
}

function summaryOf(
  state: State,
  task: TaskRow,
  steps: readonly TaskStepRow[],
  facts: TaskFacts,
  nowMs: number,
): TaskSummary {
  const { percent, done, total } = progressData(steps);
  const questions = facts.questions.get(task.id) ?? [];
  const isPlayed = isSimulatedTask(state, task);
  // Stopped on its way: at 100 only if it is completed.
  const most = task.status === 'FAILED' || task.status === 'CANCELLED' ? 99 : 100;
  return {
    id: task.id,
    projectId: task.project_id,
    name: task.name,
    status: task.status,
    reason: task.reason,
    waiting: givenWait(facts.waits.task(task)),
    percent: Math.min(most, percent),
    stepsDone: done,
    stepsTotal: total,
    current: steps.filter(({ status }) => status === 'RUNNING').map(({ name }) => name),
    questions: questions.map(({ id, kind, question }) => ({ id, kind, question })),
    elapsedMs: taskElapsed(task, nowMs),
    eta: taskEta(task, steps, facts, { nowMs, isSimulated: isPlayed }),
    ...spentOf(facts.taskSums.get(task.id)),
    simulated: isPlayed || facts.simulated.has(task.id),
    template: task.template,
    scheduleId: task.schedule_id,
    createdBy: task.created_by,
    createdAt: task.created_at,
    startedAt: task.started_at,
    endedAt: task.ended_at,
  };
}

export function taskDetails(state: State, taskId: string, nowMs: number, facts = taskFacts(state)): TaskDetails {
  const task = need(state, 'tasks', taskId);
  const steps = taskSteps(state, task);
  const graph = graphOf(task, steps);
  return {
    ...summaryOf(state, task, steps, facts, nowMs),
    description: task.description,
    objective: task.objective,
    estimatedDurationMinutes: task.estimated_duration_minutes,
    completionBehavior: task.completion_behavior,
    notifyOnProgress: task.notify_on_progress,
    progressIntervalMinutes: task.progress_interval_minutes,
    maxParallel: task.max_parallel,
    budgetUsd: task.budget_micro_usd === null ? null : task.budget_micro_usd / 1e6,
    lastCheckpointSummary: task.last_checkpoint_summary,
    summary: task.summary,
    steps: steps.map((step, position) => stepView(state, step, needsOf(graph, steps, position), facts, nowMs)),
    log: taskLogs(state, taskId)
      .slice(-LOG_LINES)
      .map((row) => logView(state, row)),
  };
}

function needsOf(graph: TaskGraph, steps: readonly TaskStepRow[], position: number): string[] {
  return (graph.needs[position] ?? []).flatMap((at) => steps[at]?.name ?? []);
}

function stepView(state: State, step: TaskStepRow, needs: string[], facts: TaskFacts, nowMs: number): StepView {
  const asked = step.approval_id === null ? undefined : state.approvals.get(step.approval_id);
  const runsSince = step.status === 'RUNNING' && step.started_at !== null ? Date.parse(step.started_at) : null;
  return {
    id: step.id,
    number: step.number,
    name: step.name,
    action: step.action,
    params: given(step.params),
    isCheckpoint: step.is_checkpoint,
    onError: step.on_error,
    maxRetries: step.max_retries,
    backoffSeconds: step.backoff_seconds,
    needs,
    status: step.status,
    tries: step.tries,
    error: step.error,
    waiting: givenWait(facts.waits.step(step)),
    result: step.result as StepView['result'],
    resultBytes: step.result_bytes,
    wakeAt: step.wake_at,
    jobId: step.job_id,
    questionId: asked?.status === 'pending' ? asked.id : null,
    startedAt: step.started_at,
    endedAt: step.ended_at,
    durationMs: runsSince === null ? stepDuration(step) : Math.max(0, nowMs - runsSince),
    ...spentOf(facts.stepSums.get(step.id)),
  };
}

/** A task's log, oldest first. */
export function taskLogs(state: State, taskId: string): TaskLogRow[] {
  return [...state.task_logs.values()].filter((row) => row.task_id === taskId);
}

/** The public form of a log row. */
export function logView(
  state: State,
  { seq, at, level, event, step_id, text }: TaskLogRow,
): TaskDetails['log'][number] {
  const step = step_id === null ? undefined : state.task_steps.get(step_id);
  return { seq, at, level, event, step: step?.number ?? null, text };
}

export function taskProgress(state: State, taskId: string, nowMs: number, facts = taskFacts(state)): TaskProgress {
  const task = need(state, 'tasks', taskId);
  const steps = taskSteps(state, task);
  const summary = summaryOf(state, task, steps, facts, nowMs);
  const { name, status, reason, waiting, percent, stepsDone, stepsTotal, current, questions, elapsedMs, eta } = summary;
  const { costUsd, reservedUsd, unsettledUsd } = summary;
  const wakes = steps.flatMap((step) => (isStepOpen(step) && step.wake_at !== null ? [step.wake_at] : []));
  return {
    taskId,
    name,
    status,
    reason,
    waiting,
    percent,
    stepsDone,
    stepsTotal,
    current,
    questions,
    elapsedMs,
    eta,
    costUsd,
    reservedUsd,
    unsettledUsd,
    lastCheckpointSummary: task.last_checkpoint_summary,
    nextWakeAt: isOver(task) ? null : (wakes.sort()[0] ?? null),
  };
}

const isStepOpen = ({ status }: TaskStepRow): boolean => status === 'PENDING' || status === 'RUNNING';

/** A log row as an event for followers. Null if only the log has the row. */
export function taskEvent(state: State, row: TaskLogRow): TaskEvent | null {
  const task = state.tasks.get(row.task_id);
  if (row.event === null || task === undefined) return null;
  const { seq, event, at, text, data } = row;
  return { seq, event, taskId: task.id, projectId: task.project_id, at, text, data: given(data) };
}

/** Events after a number of the log, in their order: of one task, or of all. */
export function taskEvents(state: State, sinceSeq: number, taskId: string | null = null): TaskEvent[] {
  const events: TaskEvent[] = [];
  for (const row of state.task_logs.values()) {
    if (row.seq <= sinceSeq || (taskId !== null && row.task_id !== taskId)) continue;
    const event = taskEvent(state, row);
    if (event !== null) events.push(event);
  }
  return events;
}
