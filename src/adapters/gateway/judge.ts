/** Whether a call may leave, and what it is told when it may not. */
import { admit } from '../../core/budget.ts';
import { admitCounted } from '../../core/counted.ts';
import type { Refusal } from '../../core/limitReached.ts';
import { isOver } from '../../core/rows.ts';
import { admitUnpriced, isPriced } from '../../core/unpriced.ts';
import { isActive } from '../../core/views/jobStatus.ts';
import type { ProviderName, SessionRow } from '../../shared/domain.ts';
import { failure } from '../../shared/errors.ts';
import type { State } from '../../shared/state.ts';

/** The running session of a job, a task and a project that go on. Throws NOT_PERMITTED, or ABORTED when one of them was stopped. */
export function runningSession(state: State, id: number): SessionRow {
  const session = state.sessions.get(id);
  if (session !== undefined) needGoingOn(state, session.project_id);
  const task = session?.task_id == null ? undefined : state.tasks.get(session.task_id);
  if (task !== undefined && isOver(task)) {
    throw failure('ABORTED', `the task is ${task.status}`, { details: { task: task.id } });
  }
  if (session === undefined || session.status !== 'running') {
    throw failure('NOT_PERMITTED', `session ${id} is not running`, { details: { session: id } });
  }
  const job = session.job_id === null ? undefined : state.jobs.get(session.job_id);
  if (job !== undefined && !isActive(job)) {
    throw failure('ABORTED', `the job is ${job.status}`, { details: { job: job.id } });
  }
  return session;
}

/** Before its sessions, which end with it: whoever is stopped is told that, not that nobody knows him. */
function needGoingOn(state: State, projectId: string): void {
  const project = state.projects.get(projectId);
  if (project === undefined || (project.status === 'active' && project.parked === null)) return;
  const why = project.parked === null ? project.status : 'parked';
  throw failure('ABORTED', `the project is ${why}`, { details: { project: project.id } });
}

/** The most that a call can use and cost. */
export interface Wanted {
  readonly provider: ProviderName;
  readonly day: string;
  readonly microUsd: number;
  readonly tokens: number;
}

/** null: no limit is in the way. Throws MODEL_UNPRICED for a call that nothing would bound. */
export function judge(state: State, session: SessionRow, wanted: Wanted): Refusal | null {
  const { provider, day, microUsd, tokens } = wanted;
  const { project_id, job_id, attempt_id, task_id } = session;
  const refusal = isPriced(provider)
    ? refusalOf(admit(state, { provider, project_id, job_id, attempt_id, task_id, day, microUsd }, state.meta.limits))
    : judgeUnpriced(state, session, wanted);
  const limits = state.projects.get(project_id)?.limits;
  if (refusal !== null || limits === undefined) return refusal;
  return refusalOf(admitCounted(state, { provider, project_id, tokens }, limits));
}

function refusalOf(answer: { readonly ok: true } | ({ readonly ok: false } & Refusal)): Refusal | null {
  return answer.ok ? null : answer;
}

/** Whether a shorter prompt could pass. */
export function dependsOnPrompt({ limit }: Refusal): boolean {
  return limit !== 'calls' && limit !== 'project_tool_calls';
}

/** Whether only calls in flight are in the way. */
export function isPassing(refusal: Refusal): boolean {
  if ('limitMicro' in refusal) return refusal.spentMicro + refusal.wantedMicro <= refusal.limitMicro;
  return refusal.used + refusal.wanted <= refusal.most;
}

/** Calls and tokens bound a job's call, the project's own limits one of its conversation. */
function judgeUnpriced(state: State, session: SessionRow, { provider, tokens }: Wanted): Refusal | null {
  const { job_id, project_id } = session;
  if (job_id === null) {
    const limits = state.projects.get(project_id)?.limits;
    if (limits?.tokens != null && limits.toolCalls != null) return null;
    throw failure(
      'MODEL_UNPRICED',
      `${provider} names no prices, and the project has no limits of tokens and tool calls`,
      {
        hint: 'Set both limits of the project, or choose another provider.',
        details: { provider, project: project_id },
      },
    );
  }
  const limits = state.jobs.get(job_id)?.options.unpricedLimits;
  if (limits !== undefined) return refusalOf(admitUnpriced(state, { provider, job_id, tokens }, limits));
  throw failure('MODEL_UNPRICED', `${provider} names no prices, and the job has no limits of calls and tokens`, {
    hint: 'File the brief with such limits, or choose another provider.',
    details: { provider },
  });
}
