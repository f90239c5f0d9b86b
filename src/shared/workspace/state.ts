/** The fold of all events: rows by id. Only the folding process writes it; all others read. */

import type { ApprovalRow } from '../approval.ts';
import type { AttemptRow, FeatureRow, JobRow, PhaseRow, PlanRow } from '../job/rows.ts';
import type { Limits, SpendRow } from '../money.ts';
import type { NoteRow } from '../note.ts';
import type { MessageRow, ProjectRow } from '../project/projects.ts';
import type { RuleRow } from '../rule/rules.ts';
import type { SessionRow } from '../session.ts';
import type { ScheduleRow, TaskLogRow, TaskRow, TaskStepRow } from '../task/tasks.ts';

export interface Tables {
  projects: ProjectRow;
  messages: MessageRow;
  jobs: JobRow;
  plans: PlanRow;
  phases: PhaseRow;
  features: FeatureRow;
  attempts: AttemptRow;
  sessions: SessionRow;
  notes: NoteRow;
  approvals: ApprovalRow;
  rules: RuleRow;
  spends: SpendRow;
  tasks: TaskRow;
  task_steps: TaskStepRow;
  task_logs: TaskLogRow;
  schedules: ScheduleRow;
}

export type TableName = keyof Tables;

export const TABLE_NAMES: readonly TableName[] = [
  'projects',
  'messages',
  'jobs',
  'plans',
  'phases',
  'features',
  'attempts',
  'sessions',
  'notes',
  'approvals',
  'rules',
  'spends',
  'tasks',
  'task_steps',
  'task_logs',
  'schedules',
];

/** Facts of the whole workspace that are no rows. */
export interface Meta {
  readonly last_seq: number;
  readonly epoch: number;
  readonly limits: Limits;
  /** Setup command lists that the steward approved, each joined by newlines. */
  readonly setup_allowed: readonly string[];
  /** The selected job. Null if none is selected. */
  readonly current_job: string | null;
  /** Latest day of any booking: a clock that goes back does not reopen a day. */
  readonly last_day: string;
}

export type State = { readonly [T in TableName]: Map<Tables[T]['id'], Tables[T]> } & { meta: Meta };

/** One row to insert or replace, one to delete, or changed facts of the workspace. */
export type Change =
  | { [T in TableName]: { readonly table: T; readonly put: Tables[T] } }[TableName]
  | { [T in TableName]: { readonly table: T; readonly drop: Tables[T]['id'] } }[TableName]
  | { readonly table: 'meta'; readonly put: Meta };

export function emptyState(): State {
  return {
    projects: new Map(),
    messages: new Map(),
    jobs: new Map(),
    plans: new Map(),
    phases: new Map(),
    features: new Map(),
    attempts: new Map(),
    sessions: new Map(),
    notes: new Map(),
    approvals: new Map(),
    rules: new Map(),
    spends: new Map(),
    tasks: new Map(),
    task_steps: new Map(),
    task_logs: new Map(),
    schedules: new Map(),
    meta: {
      last_seq: 0,
      epoch: 0,
      limits: { callMicroUsd: null, projectMicroUsd: null, dayMicroUsd: null, totalMicroUsd: null },
      setup_allowed: [],
      current_job: null,
      last_day: '',
    },
  };
}

/** Applies changes in place. */
export function applyChanges(state: State, changes: readonly Change[]): void {
  for (const change of changes) {
    if (change.table === 'meta') {
      state.meta = change.put;
      continue;
    }
    const rows = state[change.table] as Map<string | number, unknown>;
    if ('put' in change) rows.set(change.put.id, change.put);
    else rows.delete(change.drop);
  }
}
