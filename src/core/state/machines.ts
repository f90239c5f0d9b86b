/**
 * The state machines, one table each: from a status, which triggers exist and where they lead. A transition that is not in a table is illegal: a
 * typed failure that changes nothing.
 */

import type { ApprovalStatus } from '../../shared/approval.ts';
import { failure } from '../../shared/errors.ts';
import type { AttemptStatus, FeatureStatus, JobStatus, PhaseStatus } from '../../shared/job/rows.ts';
import type { SpendStatus } from '../../shared/money.ts';
import type { ProjectStatus } from '../../shared/project/projects.ts';
import type { SessionStatus } from '../../shared/session.ts';
import type { StepStatus, TaskStatus } from '../../shared/task/tasks.ts';

export type Table<Status extends string, Trigger extends string = string, Target extends string = Status> = Readonly<
  Record<Status, Readonly<Partial<Record<Trigger, Target>>>>
>;

export type JobTrigger =
  | 'accept_plan'
  | 'await'
  | 'continue'
  | 'wait'
  | 'wake'
  | 'pause'
  | 'resume'
  | 'complete'
  | 'fail'
  | 'cancel';
export type PhaseTrigger = 'start' | 'review' | 'approve' | 'reject' | 'reopen' | 'fail';
export type FeatureTrigger = 'start' | 'complete' | 'retry' | 'release' | 'reopen' | 'fail';
export type AttemptTrigger =
  | 'interrupt'
  | 'resume'
  | 'queue'
  | 'return'
  | Exclude<AttemptStatus, 'running' | 'interrupted' | 'queued'>;
export type SpendTrigger = 'settle' | 'release' | 'unsettle' | 'adjust';
export type ProjectTrigger = 'suspend' | 'resume' | 'complete' | 'archive';
export type TaskTrigger = 'start' | 'pause' | 'resume' | 'complete' | 'fail' | 'retry' | 'cancel';
export type StepTrigger = 'start' | 'complete' | 'fail' | 'again' | 'retry' | 'skip' | 'cancel';

/** `work` is `planning` until a plan is accepted, `running` after. */
export const JOB: Table<JobStatus, JobTrigger, JobStatus | 'work'> = {
  planning: {
    accept_plan: 'running',
    await: 'awaiting_steward',
    wait: 'waiting',
    pause: 'paused',
    fail: 'failed',
    cancel: 'cancelled',
  },
  running: {
    accept_plan: 'running',
    await: 'awaiting_steward',
    wait: 'waiting',
    pause: 'paused',
    complete: 'completed',
    fail: 'failed',
    cancel: 'cancelled',
  },
  awaiting_steward: {
    accept_plan: 'running',
    await: 'awaiting_steward',
    continue: 'work',
    wait: 'waiting',
    pause: 'paused',
    fail: 'failed',
    cancel: 'cancelled',
  },
  waiting: {
    wait: 'waiting',
    await: 'awaiting_steward',
    wake: 'work',
    accept_plan: 'waiting',
    pause: 'paused',
    fail: 'failed',
    cancel: 'cancelled',
  },
  paused: { accept_plan: 'paused', resume: 'work', fail: 'failed', cancel: 'cancelled' },
  completed: {},
  failed: {},
  cancelled: {},
};

export const PHASE: Table<PhaseStatus, PhaseTrigger> = {
  pending: { start: 'executing', fail: 'failed' },
  executing: { review: 'reviewing', reject: 'pending', fail: 'failed' },
  reviewing: { approve: 'completed', reject: 'pending', reopen: 'pending', fail: 'failed' },
  completed: { reopen: 'pending' },
  failed: {},
};

export const FEATURE: Table<FeatureStatus, FeatureTrigger> = {
  pending: { start: 'in_progress', complete: 'completed', retry: 'pending', release: 'pending', fail: 'failed' },
  in_progress: { complete: 'completed', retry: 'pending', release: 'pending', fail: 'failed', start: 'in_progress' },
  completed: { reopen: 'pending', retry: 'pending', complete: 'completed', fail: 'failed' },
  failed: { reopen: 'pending', retry: 'pending', complete: 'completed', fail: 'failed' },
};

export const ATTEMPT: Table<AttemptStatus, AttemptTrigger> = {
  running: {
    interrupt: 'interrupted',
    queue: 'queued',
    succeeded: 'succeeded',
    failed: 'failed',
    stuck: 'stuck',
    blocked: 'blocked',
    abandoned: 'abandoned',
  },
  interrupted: { interrupt: 'interrupted', resume: 'running', abandoned: 'abandoned' },
  queued: { succeeded: 'succeeded', return: 'interrupted', abandoned: 'abandoned' },
  succeeded: {},
  failed: {},
  stuck: {},
  blocked: {},
  abandoned: {},
};

export const SESSION: Table<SessionStatus, 'completed' | 'failed' | 'resume'> = {
  running: { completed: 'completed', failed: 'failed' },
  // Another attempt at the same feature continues the conversation.
  completed: { resume: 'running' },
  failed: { resume: 'running' },
};

export const APPROVAL: Table<ApprovalStatus, Exclude<ApprovalStatus, 'pending'>> = {
  pending: { approved: 'approved', rejected: 'rejected', void: 'void' },
  // An answer that was acted on is void: it does not count a second time.
  approved: { void: 'void' },
  rejected: { void: 'void' },
  void: {},
};

export const SPEND: Table<SpendStatus, SpendTrigger> = {
  reserved: { settle: 'settled', release: 'released', unsettle: 'unsettled' },
  unsettled: { adjust: 'settled' },
  settled: {},
  released: {},
};

export const PROJECT: Table<ProjectStatus, ProjectTrigger> = {
  active: { suspend: 'suspended', complete: 'completed' },
  suspended: { resume: 'active' },
  completed: { archive: 'archived' },
  archived: {},
};

/** A failed task may be resumed at the step that failed. */
export const TASK: Table<TaskStatus, TaskTrigger> = {
  PENDING: { start: 'RUNNING', cancel: 'CANCELLED' },
  RUNNING: { pause: 'PAUSED', complete: 'COMPLETED', fail: 'FAILED', cancel: 'CANCELLED' },
  PAUSED: { resume: 'RUNNING', fail: 'FAILED', cancel: 'CANCELLED' },
  COMPLETED: {},
  FAILED: { retry: 'RUNNING' },
  CANCELLED: {},
};

export const STEP: Table<StepStatus, StepTrigger> = {
  PENDING: { start: 'RUNNING', skip: 'SKIPPED', cancel: 'CANCELLED' },
  RUNNING: { complete: 'COMPLETED', fail: 'FAILED', again: 'PENDING', cancel: 'CANCELLED' },
  COMPLETED: {},
  FAILED: { retry: 'PENDING' },
  SKIPPED: {},
  CANCELLED: { retry: 'PENDING' },
};

const leadsOn = (ways: readonly string[]): string =>
  ways.length === 0 ? 'That is final.' : `Possible now: ${ways.join(', ')}.`;

/** Returns the status after a trigger. Throws ILLEGAL_TRANSITION if the table does not have it. */
export function step<Status extends string, Trigger extends string, Target extends string>(
  what: string,
  table: Table<Status, Trigger, Target>,
  from: Status,
  trigger: Trigger,
): Target {
  const to = table[from][trigger];
  if (to !== undefined && Object.hasOwn(table[from], trigger)) return to;
  throw failure('ILLEGAL_TRANSITION', `${what} is ${from}: it cannot ${trigger.replaceAll('_', ' ')}`, {
    hint: leadsOn(Object.keys(table[from]).map((way) => way.replaceAll('_', ' '))),
    details: { what, from, trigger },
  });
}

export function isFinal<Status extends string>(table: Table<Status, string, string>, status: Status): boolean {
  return Object.keys(table[status]).length === 0;
}
