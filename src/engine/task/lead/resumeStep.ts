/** Resumes a running step from the state alone, so that a kill loses nothing. */
import type { ParamsOf } from '../../../core/task/script/params.ts';
import type { NewApproval } from '../../../shared/approval.ts';
import { findFailure, messageOf } from '../../../shared/errors.ts';
import type { StepStart } from '../../../shared/task/taskEvents.ts';
import type { Json, TaskRow, TaskStepRow } from '../../../shared/task/tasks.ts';
import { projectQuestion } from '../../approval/questions.ts';
import { mayFile } from '../ask/taskPermissions.ts';
import type { CarryOut } from '../inFlightSteps.ts';
import { oneId, type RunnerPorts } from '../ports.ts';
import { briefOf, isJobOver, jobResult } from './briefSteps.ts';
import { fillStep, type OfTask } from './fillStep.ts';
import { completedEnd, type Ended, type FailedTry, failedEnd } from './results.ts';
import { assignmentOf, isCustom } from './stepAssignments.ts';
import { runSynchronously } from './synchronousActions.ts';

/** The operations of a task's run for one of its steps. */
export interface StepRun {
  readonly ports: RunnerPorts;
  /** False while the task is paused or its project does not run: waiting steps keep waiting, no other step starts. */
  readonly mayBegin: boolean;
  /** In the order of the task. */
  readonly steps: readonly TaskStepRow[];
  gave(ended: Ended): void;
  /** Whether the time has come; if not, the step is checked again then. After `inMs` it has come too. */
  isDue(step: TaskStepRow, at: string, inMs: number | null): boolean;
  /** Outside work, as soon as there is a place for it. */
  work(step: TaskStepRow, carryOut: CarryOut): void;
}

/** Whether its work runs outside of the owner, or in another extension: it takes a slot of the workspace. */
export const isOutside = ({ action }: TaskStepRow): boolean =>
  action === 'llm_generate' || action === 'command' || action === 'http_get' || isCustom(action);

const MINUTE_MS = 60_000;

/** Failures that are not the step's: the caller retries the whole turn, or stops. */
const NOT_ITS_OWN: ReadonlySet<string | undefined> = new Set(['DISK', 'OWNER_LOST', 'ABORTED', 'ILLEGAL_TRANSITION']);

/** Converts an error to a failed attempt. Throws errors that are not the step's fault. */
export function failedBy(thrown: unknown): FailedTry {
  const known = findFailure(thrown);
  if (NOT_ITS_OWN.has(known?.code)) throw thrown;
  return { error: known === undefined || known.hint === '' ? messageOf(thrown) : `${known.message}. ${known.hint}` };
}

/** The start of a step. If a value cannot be computed now, the step fails right after. */
export async function startOf(ports: RunnerPorts, of: OfTask, step: TaskStepRow): Promise<StepStart> {
  const plain = { step_id: step.id, wake_at: null, job_id: null, approval: null };
  try {
    switch (step.action) {
      case 'run_brief':
        return { ...plain, job_id: ports.briefs.newId() };
      case 'wait':
        return { ...plain, wake_at: waitEnd(await fillStep(ports, of, step, 'wait'), ports.clock.now()) };
      case 'approval':
        return { ...plain, approval: await question(ports, of, step) };
      default:
        return plain;
    }
  } catch (thrown) {
    if (NOT_ITS_OWN.has(findFailure(thrown)?.code)) throw thrown;
    return plain;
  }
}

function waitEnd({ minutes = 0, until }: ParamsOf<'wait'>, nowMs: number): string {
  return new Date(until === undefined ? nowMs + minutes * MINUTE_MS : Date.parse(until)).toISOString();
}

async function question(ports: RunnerPorts, of: OfTask, step: TaskStepRow): Promise<NewApproval> {
  const { id, project_id } = of.task;
  const { question, detail, choices } = await fillStep(ports, of, step, 'approval');
  const about = { of: 'task', taskId: id, stepId: step.id } as const;
  const asked = { kind: 'task', about, question, detail, choices, task_id: id } as const;
  return projectQuestion(project_id, oneId(ports, 'approvals'), asked);
}

export async function resumeStep(run: StepRun, task: TaskRow, step: TaskStepRow): Promise<void> {
  try {
    switch (step.action) {
      case 'wait':
        return await attendWait(run, task, step);
      case 'approval':
        return await attendQuestion(run, task, step);
      case 'run_brief':
        return await attendBrief(run, task, step);
      case 'conditional':
      case 'aggregate':
      case 'notify':
        return run.gave(await runSynchronously(run.ports, { task, steps: run.steps }, step));
      default:
        return await attendWork(run, task, step);
    }
  } catch (thrown) {
    failed(run, step, failedBy(thrown));
  }
}

async function completed(run: StepRun, step: TaskStepRow, result: Json): Promise<void> {
  run.gave({ end: await completedEnd(run.ports.results, step, result, null), message: null });
}

const failed = (run: StepRun, step: TaskStepRow, attempt: FailedTry): void =>
  run.gave({ end: failedEnd(step, attempt, run.ports.clock.now()), message: null });

async function attendWait(run: StepRun, task: TaskRow, step: TaskStepRow): Promise<void> {
  if (step.wake_at === null) {
    // The start had no time: this reports the reason.
    await fillStep(run.ports, { task, steps: run.steps }, step, 'wait');
    return failed(run, step, { error: 'its waiting time is unknown' });
  }
  const begun = Date.parse(step.started_at ?? step.wake_at);
  const inMs = 'until' in step.params ? null : Date.parse(step.wake_at) - begun;
  if (run.isDue(step, step.wake_at, inMs)) await completed(run, step, null);
}

async function attendQuestion(run: StepRun, task: TaskRow, step: TaskStepRow): Promise<void> {
  const { store } = run.ports;
  const asked = step.approval_id === null ? undefined : store.state.approvals.get(step.approval_id);
  switch (asked?.status) {
    case 'pending':
      return;
    case 'approved':
      return completed(run, step, { approved: true, choice: asked.choice, feedback: asked.feedback });
    case 'rejected':
      return failed(run, step, {
        error: `it was rejected: ${asked.feedback ?? 'no reason was given'}`,
        result: { approved: false, choice: null, feedback: asked.feedback },
      });
    default: {
      if (!run.mayBegin) return;
      const approval = await question(run.ports, { task, steps: run.steps }, step);
      await store.commit({ type: 'task_step_asked', task_id: task.id, step_id: step.id, approval });
    }
  }
}

async function attendBrief(run: StepRun, task: TaskRow, step: TaskStepRow): Promise<void> {
  const { store, briefs } = run.ports;
  const jobId = step.job_id;
  if (jobId === null) throw new Error('a brief has no job');
  const job = store.state.jobs.get(jobId);
  if (job === undefined) {
    const project = store.state.projects.get(task.project_id);
    if (!run.mayBegin || project === undefined) return;
    mayFile(store.state, task);
    const params = await fillStep(run.ports, { task, steps: run.steps }, step, 'run_brief');
    return briefs.file(jobId, briefOf(task, project, params));
  }
  if (!isJobOver(job)) return;
  const result = jobResult(job);
  if (job.status === 'completed') return completed(run, step, result);
  failed(run, step, { error: `its job ${jobId} was ${job.status}: ${job.reason ?? 'no reason is known'}`, result });
}

async function attendWork(run: StepRun, task: TaskRow, step: TaskStepRow): Promise<void> {
  const { ports } = run;
  if (!run.mayBegin) return;
  if (step.wake_at !== null && !run.isDue(step, step.wake_at, Number.POSITIVE_INFINITY)) return;
  const asked = step.approval_id === null ? undefined : ports.store.state.approvals.get(step.approval_id);
  if (asked?.status === 'pending') return;
  if (asked?.status === 'rejected') return failed(run, step, { error: `it was refused: ${asked.feedback ?? ''}` });
  run.work(step, async (signal) => {
    const of = { task: newest(ports, task), steps: run.steps };
    return ports.worker.carryOut(await assignmentOf(ports, of, step), signal);
  });
}

/** The newest row of the task, which may have its clone meanwhile. */
const newest = ({ store }: RunnerPorts, task: TaskRow): TaskRow => store.state.tasks.get(task.id) ?? task;
