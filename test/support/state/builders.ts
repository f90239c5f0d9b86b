/** Rows, plans and states for tests: each builder fills in what a test does not care about. */

import { NO_RESULT, NOTHING_DONE } from '../../../src/core/job/reduce/attempts.ts';
import { UNTRIED } from '../../../src/core/job/reduce/features.ts';
import { UNSTARTED } from '../../../src/core/job/reduce/plans.ts';
import { timed } from '../../../src/core/state/workTime.ts';
import type { ApprovalRow, NewApproval } from '../../../src/shared/approval.ts';
import type { Plan, PlanFeature, PlanPhase, Verdict } from '../../../src/shared/job/plan.ts';
import type { AttemptRow, FeatureRow, JobOptions, JobRow, PhaseRow } from '../../../src/shared/job/rows.ts';
import type { SpendRow } from '../../../src/shared/money.ts';
import type { NoteRow } from '../../../src/shared/note.ts';
import { type MessageRow, NO_PROJECT_LIMITS, type ProjectRow } from '../../../src/shared/project/projects.ts';
import type { SessionRow } from '../../../src/shared/session.ts';
import { emptyState, type State, type TableName, type Tables } from '../../../src/shared/workspace/state.ts';

/** When the tests take place: 2 November 2026, noon UTC. */
export const START_MS = Date.UTC(2026, 10, 2, 12);
export const START = new Date(START_MS).toISOString();
export const JOB_ID = 'job-1';
export const PROJECT_ID = 'default';

export function jobOptions(patch: Partial<JobOptions> = {}): JobOptions {
  return {
    gates: ['plan', 'merge'],
    mergeMode: 'merge',
    provider: 'simulated',
    scenario: null,
    models: { planner: 'opus', worker: 'sonnet', reviewer: 'opus', summarizer: 'haiku' },
    setup: null,
    budgetMicroUsd: null,
    attempt: { turns: 50, tokens: 1_000_000, seconds: 3_600, microUsd: 5_000_000 },
    maxPhaseAttempts: 3,
    maxRetries: 3,
    batch: 1,
    reviewEachFeature: false,
    allowedCommands: [],
    ...patch,
  };
}

export function jobRow(patch: Partial<JobRow> = {}): JobRow {
  return {
    id: JOB_ID,
    project_id: PROJECT_ID,
    title: 'A stack',
    brief: 'Write a stack.',
    repository: null,
    status: 'running',
    reason: null,
    wake_at: null,
    wait: null,
    options: jobOptions(),
    job_dir: '/jobs/1',
    clone_dir: '/jobs/1/clone',
    baseline: 'base',
    base_branch: 'main',
    snapshot: false,
    branch: 'autonomous/job-1',
    head: 'base',
    setup_done: true,
    machine: null,
    setup_ran: null,
    setup_added: [],
    setup_gap: null,
    setup_removed: null,
    baseline_checks: [],
    result_failed: [],
    base_merges: [],
    result_checks: null,
    result_passed: null,
    plan_version: 1,
    plan_accepted: true,
    plan_feedback: null,
    planner_tries: 0,
    verified: null,
    merging: false,
    merge: null,
    created_at: START,
    ended_at: null,
    ...patch,
  };
}

export function phaseRow(patch: Partial<PhaseRow> = {}): PhaseRow {
  return {
    id: 1,
    job_id: JOB_ID,
    number: 1,
    title: 'Core',
    objective: 'It works',
    acceptance_criteria: ['it works'],
    verify_commands: ['npm test'],
    ...UNSTARTED,
    status: 'executing',
    base_commit: 'base',
    started_at: START,
    ...patch,
  };
}

export function featureRow(patch: Partial<FeatureRow> = {}): FeatureRow {
  return {
    id: 1,
    job_id: JOB_ID,
    phase_id: 1,
    position: 0,
    name: `feature ${patch.id ?? 1}`,
    description: 'What it does',
    category: 'core',
    testing_steps: [],
    verify_commands: [],
    depends_on: [],
    paths: [],
    ...UNTRIED,
    created_by: 'plan',
    created_at: START,
    completed_at: null,
    ...patch,
  };
}

export function attemptRow(patch: Partial<AttemptRow> = {}): AttemptRow {
  return timed({
    id: 1,
    job_id: JOB_ID,
    phase_id: 1,
    feature_id: 1,
    number: 1,
    status: 'running',
    session_id: 1,
    epoch: 1,
    base_commit: 'base',
    ...NO_RESULT,
    start: null,
    left: null,
    interruptions: 0,
    lane: null,
    queued_at: null,
    returns: [],
    todo: [],
    route: null,
    started_at: START,
    ended_at: null,
    ...patch,
  });
}

export function sessionRow(patch: Partial<SessionRow> = {}): SessionRow {
  return timed({
    id: 1,
    job_id: JOB_ID,
    project_id: PROJECT_ID,
    parent_id: null,
    task_id: null,
    step_id: null,
    role: 'worker',
    model: 'sonnet',
    executor: 'builtin',
    phase_id: 1,
    reviews: null,
    feature_id: null,
    attempt_id: null,
    status: 'running',
    started_at: START,
    ended_at: null,
    ...NOTHING_DONE,
    notes: [],
    epoch: 1,
    ...patch,
  });
}

export function approvalRow(patch: Partial<ApprovalRow> = {}): ApprovalRow {
  return {
    ...newApproval(),
    project_id: PROJECT_ID,
    task_id: null,
    status: 'pending',
    choice: null,
    feedback: null,
    decided_by: null,
    rule_id: null,
    facts: null,
    requested_at: START,
    decided_at: null,
    ...patch,
  };
}

export function noteRow(patch: Partial<NoteRow> = {}): NoteRow {
  return {
    id: 1,
    feature_id: null,
    category: null,
    content: 'Mind the gap',
    created_by_session: null,
    created_by: 'steward',
    created_at: START,
    file: null,
    line: null,
    anchor: null,
    superseded_by: null,
    ...patch,
  };
}

export function spendRow(patch: Partial<SpendRow> = {}): SpendRow {
  return {
    id: 1,
    session_id: 1,
    project_id: PROJECT_ID,
    job_id: JOB_ID,
    phase_id: 1,
    feature_id: 1,
    attempt_id: 1,
    task_id: null,
    step_id: null,
    role: 'worker',
    provider: 'simulated',
    model: 'sonnet',
    day: START.slice(0, 10),
    status: 'settled',
    reserved_micro_usd: 100,
    reserved_tokens: 10,
    settled_micro_usd: 40,
    input_tokens: 1,
    output_tokens: 1,
    cache_read_tokens: 0,
    cache_write_5m_tokens: 0,
    cache_write_1h_tokens: 0,
    conversation: null,
    tool_calls: 0,
    price_version: '1',
    epoch: 1,
    at: START,
    settled_at: START,
    reason: null,
    ...patch,
  };
}

export function newApproval(patch: Partial<NewApproval> = {}): NewApproval {
  return {
    id: 1,
    job_id: JOB_ID,
    kind: 'plan',
    subject: 'plan:1',
    question: 'Is it right?',
    detail: '',
    phase_id: null,
    feature_id: null,
    commit: null,
    executables: [],
    choices: [],
    ...patch,
  };
}

/** A state that holds exactly these rows. */
export function projectRow(patch: Partial<ProjectRow> = {}): ProjectRow {
  return {
    id: PROJECT_ID,
    status: 'active',
    reason: null,
    parked: null,
    wait: null,
    ended_turn: null,
    model: null,
    provider: 'simulated',
    scenario: null,
    executors: null,
    workdir: null,
    trusted_workdir: null,
    limits: NO_PROJECT_LIMITS,
    heartbeat: null,
    after: null,
    idleMinutes: null,
    body: '',
    created_at: START,
    suspended_at: null,
    completed_at: null,
    archived_at: null,
    ...patch,
  };
}

export function messageRow(patch: Partial<MessageRow> = {}): MessageRow {
  return {
    id: 1,
    project_id: PROJECT_ID,
    direction: 'out',
    sender: 'project',
    text: 'Done.',
    concerns: null,
    relayed_from: null,
    session_id: null,
    reply_to: null,
    task_id: null,
    level: null,
    at: START,
    read_at: null,
    main_read_at: null,
    ...patch,
  };
}

export function stateOf(rows: { readonly [T in TableName]?: readonly Tables[T][] }): State {
  const state = emptyState();
  for (const [table, list] of Object.entries(rows)) {
    const into = state[table as TableName] as Map<unknown, unknown>;
    for (const row of list) into.set(row.id, row);
  }
  return state;
}

export function planFeature(patch: Partial<PlanFeature> & { readonly name: string }): PlanFeature {
  return { description: 'What it does', category: 'core', testing_steps: [], depends_on: [], ...patch };
}

export function planPhase(patch: Partial<PlanPhase> & { readonly features: PlanFeature[] }): PlanPhase {
  return {
    title: 'Core',
    objective: 'It works',
    acceptance_criteria: ['it works'],
    verify_commands: ['npm test'],
    ...patch,
  };
}

/** A plan from names: `planOf({ Core: ['a', 'b < a'] })` makes b depend on a; several: `'c < a, b'`. */
export function planOf(phases: Readonly<Record<string, readonly string[]>>): Plan {
  return {
    title: 'The plan',
    phases: Object.entries(phases).map(([title, features]) =>
      planPhase({
        title,
        features: features.map((line) => {
          const [name = '', after] = line.split(' < ');
          return planFeature({ name, depends_on: after === undefined ? [] : after.split(', ') });
        }),
      }),
    ),
  };
}

export function verdict(patch: Partial<Verdict> = {}): Verdict {
  return { verdict: 'APPROVED', reason: 'It holds', feedback: '', reopen: [], ...patch };
}
