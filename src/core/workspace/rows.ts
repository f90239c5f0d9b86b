/**
 * Selects the rows of an export, without anything that grants authority (limits, allowed commands of the workspace, the built-in projects'
 * definitions). An export describes the past: running work is written as ended, so it can never resume. An import is changed in the same way,
 * whatever it contains.
 */
import type { ApprovalRow } from '../../shared/approval.ts';
import { failure } from '../../shared/errors.ts';
import type { AttemptRow, FeatureRow, JobRow, PhaseRow } from '../../shared/job/rows.ts';
import type { SpendRow } from '../../shared/money.ts';
import { DEFAULT_PROJECT, MAIN_PROJECT } from '../../shared/project/projects.ts';
import type { SessionRow } from '../../shared/session.ts';
import type { TaskRow, TaskStepRow } from '../../shared/task/tasks.ts';
import { type State, TABLE_NAMES, type TableName, type Tables } from '../../shared/workspace/state.ts';
import { rested, timed } from '../state/workTime.ts';

export type RecordRows = { readonly [T in TableName]: readonly Tables[T][] };

const BUILT_IN: ReadonlySet<string> = new Set([DEFAULT_PROJECT, MAIN_PROJECT]);
const WHY = 'running when it was exported';
/** Final values: a row with any other value counts as running. */
const OVER = {
  jobs: new Set<JobRow['status']>(['completed', 'failed', 'cancelled']),
  phases: new Set<PhaseRow['status']>(['pending', 'completed', 'failed']),
  features: new Set<FeatureRow['status']>(['pending', 'completed', 'failed']),
  attempts: new Set<AttemptRow['status']>(['succeeded', 'failed', 'stuck', 'blocked', 'abandoned']),
  sessions: new Set<SessionRow['status']>(['completed', 'failed']),
  approvals: new Set<ApprovalRow['status']>(['approved', 'rejected', 'void']),
  spends: new Set<SpendRow['status']>(['settled', 'released', 'unsettled']),
  tasks: new Set<TaskRow['status']>(['COMPLETED', 'FAILED', 'CANCELLED']),
  task_steps: new Set<TaskStepRow['status']>(['COMPLETED', 'FAILED', 'SKIPPED', 'CANCELLED']),
} as const;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** The first table with content: an import is only allowed if there is none. */
export function occupied(state: State): TableName | undefined {
  return TABLE_NAMES.find((table) => table !== 'projects' && state[table].size > 0);
}

/** NOT_PERMITTED where something was done already. */
export function requireEmpty(state: State): void {
  const there = occupied(state);
  if (there !== undefined)
    throw failure('NOT_PERMITTED', `this workspace has ${there} already`, {
      hint: 'An export is imported into a workspace in which nothing was done yet.',
    });
}

/** All rows, or those that belong to one job. In the order of ids. */
export function recordRows(state: State, jobId: string | null): RecordRows {
  const of = <T extends TableName>(table: T): Tables[T][] => [...state[table].values()] as Tables[T][];
  const features = new Set(of('features').flatMap((row) => (row.job_id === jobId ? [row.id] : [])));
  const used = new Set(of('approvals').flatMap((row) => (row.job_id === jobId ? [row.rule_id] : [])));
  const ofJob: { readonly [T in TableName]?: (row: Tables[T]) => boolean } = {
    jobs: (row) => row.id === jobId,
    plans: (row) => row.job_id === jobId,
    phases: (row) => row.job_id === jobId,
    features: (row) => row.job_id === jobId,
    attempts: (row) => row.job_id === jobId,
    sessions: (row) => row.job_id === jobId,
    approvals: (row) => row.job_id === jobId,
    rules: (row) => used.has(row.id),
    spends: (row) => row.job_id === jobId,
    notes: (row) => row.feature_id !== null && features.has(row.feature_id),
  };
  const rows = <T extends TableName>(table: T): Tables[T][] => {
    const chosen = ofJob[table] as ((row: Tables[T]) => boolean) | undefined;
    const all = of(table).filter((row) => jobId === null || chosen?.(row) === true);
    return all.sort((a, b) => (a.id < b.id ? -1 : 1));
  };
  return ended(Object.fromEntries(TABLE_NAMES.map((table) => [table, rows(table)])) as unknown as RecordRows);
}

/** Idempotent. */
export function ended(rows: RecordRows): RecordRows {
  const at = lastTime(rows);
  return {
    projects: rows.projects
      .filter(({ id }) => !BUILT_IN.has(id))
      .map((row) => ({
        ...row,
        workdir: null,
        trusted_workdir: null,
        parked: null,
        wait: null,
        ...(row.status === 'archived' ? {} : { status: 'archived', reason: WHY, archived_at: at }),
      })),
    messages: rows.messages.map((row) => ({ ...row, read_at: row.read_at ?? at })),
    jobs: rows.jobs.map((row) => endedJob(row, at)),
    plans: rows.plans,
    phases: rows.phases.map((row) =>
      OVER.phases.has(row.status) ? row : { ...row, status: 'failed', error_message: WHY, completed_at: at },
    ),
    features: rows.features.map((row) => (OVER.features.has(row.status) ? row : { ...row, status: 'pending' })),
    attempts: rows.attempts.map((row) =>
      OVER.attempts.has(row.status)
        ? timed(row)
        : { ...rested(timed(row), at), status: 'abandoned', cause: WHY, ended_at: at },
    ),
    sessions: rows.sessions.map((row) =>
      OVER.sessions.has(row.status)
        ? timed(row)
        : { ...rested(timed(row), at), status: 'failed', error_message: WHY, ended_at: at },
    ),
    // Notes without a feature would be given to every later session.
    notes: rows.notes.map((row) => (row.feature_id === null ? { ...row, superseded_by: row.superseded_by ?? 0 } : row)),
    approvals: rows.approvals.map((row) =>
      // Facts would earn a rule for another workspace.
      OVER.approvals.has(row.status)
        ? { ...row, facts: null }
        : { ...row, facts: null, status: 'void', feedback: WHY, decided_at: at },
    ),
    rules: rows.rules.map((row) => ({ ...row, revoked_at: row.revoked_at ?? at })),
    spends: rows.spends.map((row) =>
      OVER.spends.has(row.status) ? row : { ...row, status: 'unsettled', reason: WHY },
    ),
    tasks: rows.tasks.map((row) => ({
      ...row,
      clone_dir: null,
      wait: null,
      ...(OVER.tasks.has(row.status)
        ? {}
        : { status: 'CANCELLED', reason: row.reason ?? WHY, paused_at: null, ended_at: at }),
    })),
    task_steps: rows.task_steps.map((row) => ({
      ...row,
      status: OVER.task_steps.has(row.status) ? row.status : 'CANCELLED',
      wake_at: null,
      wait: null,
      checkpoint: row.checkpoint === 'due' ? null : row.checkpoint,
    })),
    task_logs: rows.task_logs,
    schedules: rows.schedules.map((row) => ({ ...row, enabled: false })),
  };
}

/** Its folders belong to another machine: this one must never write to or delete them. */
function endedJob(row: JobRow, at: string): JobRow {
  const options = { ...row.options, allowedCommands: [], scenario: null };
  const inert = {
    ...row,
    options,
    repository: null,
    job_dir: '',
    clone_dir: null,
    wake_at: null,
    wait: null,
    merging: false,
  };
  if (OVER.jobs.has(row.status)) return inert;
  return { ...inert, status: 'cancelled', reason: row.reason === null ? WHY : `${WHY}: ${row.reason}`, ended_at: at };
}

/** The latest time in the rows, so that an export is the same whenever it is created. */
function lastTime(rows: RecordRows): string {
  let last = '1970-01-01T00:00:00.000Z';
  for (const table of TABLE_NAMES) {
    for (const row of rows[table]) {
      for (const value of Object.values(row)) {
        if (typeof value === 'string' && TIME.test(value) && value > last) last = value;
      }
    }
  }
  return last;
}
