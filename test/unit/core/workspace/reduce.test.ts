/** The reducer as a whole: what it knows, and what it refuses whichever event it is. */
import { describe, expect, it } from 'vitest';
import { EVENT_TYPES, reduce } from '../../../../src/core/workspace/reduce.ts';
import type { Event, EventDraft } from '../../../../src/shared/workspace/events.ts';
import { applyChanges, emptyState } from '../../../../src/shared/workspace/state.ts';
import {
  attemptRow,
  JOB_ID,
  newApproval,
  noteRow,
  PROJECT_ID,
  planOf,
  sessionRow,
  verdict,
} from '../../../support/state/builders.ts';
import {
  acceptedJob,
  attemptEnded,
  briefSubmitted,
  callReserved,
  type Fold,
  planAccepted,
  sessionEnd,
} from '../../../support/state/fold.ts';
import { ILLEGAL } from '../../../support/state/refusals.ts';

const job_id = JOB_ID;
const by = 'steward';

const NO_LIMITS = { callMicroUsd: null, projectMicroUsd: null, dayMicroUsd: null, totalMicroUsd: null };
const USAGE = { input: 1, output: 1, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0 };
const MERGED = {
  mode: 'merge',
  target: 'main',
  commit: 'm',
  previous: 'base',
  checkedOut: true,
  rolledBack: false,
  note: null,
} as const;

function session(id: number, role: 'worker' | 'reviewer' | 'planner' = 'worker'): EventDraft {
  return { type: 'session_started', id, job_id, project_id: PROJECT_ID, role, model: 'm', phase_id: 1, notes: [] };
}

function attempt(id: number, feature_id: number | null, session_id = id): EventDraft {
  return { type: 'attempt_started', id, job_id, phase_id: 1, feature_id, session_id, base_commit: 'base', notes: [] };
}

/** The job went through everything once, with one of every row. */
function finishedJob(): Fold {
  const fold = acceptedJob(planOf({ Core: ['a'] }));
  fold.commit(
    { type: 'phase_started', job_id, phase_id: 1, base_commit: 'base' },
    session(1),
    attempt(1, 1),
    attemptEnded({ id: 1, status: 'succeeded', commit: 'c1', session: sessionEnd(1) }),
    { type: 'phase_reviewing', job_id, phase_id: 1 },
    session(2, 'reviewer'),
    attempt(2, null),
    attemptEnded({ id: 2, status: 'succeeded', verdict: verdict(), session: sessionEnd(2) }),
    { type: 'phase_approved', job_id, phase_id: 1, by: 'reviewer', reason: 'good' },
    { type: 'approval_requested', approval: newApproval({ id: 1 }) },
    { type: 'approval_decided', id: 1, decision: 'approved', choice: null, feedback: null, by },
    { type: 'job_completed', job_id, merge: MERGED },
  );
  return fold;
}

/** Everything that would set a job that is over to work again, or ask about it. */
const TOO_LATE: readonly EventDraft[] = [
  { type: 'clone_made', job_id, clone_dir: '/c', baseline: 'b', base_branch: null, snapshot: false, head: 'b' },
  { type: 'clone_lost', job_id },
  { type: 'setup_finished', job_id, evidence: [], head: 'b' },
  { type: 'setup_added', job_id, command: 'npm i', by },
  { type: 'baseline_checked', job_id, evidence: [], skipped: null },
  { type: 'result_accepted', job_id, commit: 'h', approval_id: 1 },
  { type: 'plan_proposed', job_id, plan_version: 2, plan: planOf({ Core: ['a'] }), by, session: null },
  { type: 'plan_refused', job_id, feedback: 'no', by, session: null },
  planAccepted(planOf({ Core: ['a'] })),
  { type: 'job_waiting', job_id, reason: 'x', wake_at: '2026-11-03T00:00:00.000Z' },
  { type: 'job_woken', job_id },
  { type: 'job_awaiting', job_id, reason: 'x' },
  { type: 'job_continued', job_id },
  { type: 'job_paused', job_id, reason: 'x', by },
  { type: 'job_resumed', job_id, by },
  { type: 'job_cancelled', job_id, reason: 'x', by },
  { type: 'job_failed', job_id, reason: 'x' },
  { type: 'job_options_changed', job_id, budgetMicroUsd: 1, by },
  { type: 'base_merged', job_id, baseline: 'b', head: 'h' },
  { type: 'merge_refused', job_id, feedback: 'x', fix_feature_id: 9 },
  { type: 'job_completed', job_id, merge: MERGED },
  { type: 'phase_started', job_id, phase_id: 1, base_commit: 'b' },
  { type: 'phase_summarized', job_id, phase_id: 1, attempt: 1, summary: 'x', session: null },
  { type: 'phase_reviewing', job_id, phase_id: 1 },
  { type: 'phase_approved', job_id, phase_id: 1, by, reason: 'x' },
  { type: 'phase_rejected', job_id, phase_id: 1, by, feedback: 'x', reopen: [1], fix_feature_id: null },
  session(3),
  { type: 'session_ended', session: sessionEnd(1) },
  attempt(3, 1, 1),
  { type: 'attempt_interrupted', id: 1, job_id, cause: 'crash' },
  { type: 'attempt_resumed', id: 1, job_id },
  attemptEnded({ id: 1, status: 'failed' }),
  { type: 'feature_set', id: 1, status: 'pending', by, reason: null },
  { type: 'feature_retried', id: 1, by, feedback: null },
  { type: 'approval_requested', approval: newApproval({ id: 2 }) },
  { type: 'approval_decided', id: 1, decision: 'rejected', choice: null, feedback: null, by },
];

/** Each would make a row a second time. */
const TWICE: readonly EventDraft[] = [
  briefSubmitted(),
  session(1),
  attempt(1, 1),
  { type: 'approval_requested', approval: newApproval({ id: 1 }) },
  { type: 'note_added', note: noteRow(), supersedes: null },
  { type: 'imported', source: 'x', features: [], notes: [noteRow()], sessions: [] },
  callReserved(1, 1),
];

describe('the reducer', () => {
  it.each(TOO_LATE.map((draft) => [draft.type, draft] as const))(
    '%s comes too late for a job that is over',
    (_, draft) => {
      const fold = finishedJob();
      expect(() => fold.commit(draft)).toThrow(ILLEGAL);
    },
  );

  it.each(TWICE.map((draft) => [draft.type, draft] as const))('%s does not make a row twice', (_, draft) => {
    const fold = acceptedJob(planOf({ Core: ['a'] }));
    fold.commit(
      { type: 'phase_started', job_id, phase_id: 1, base_commit: 'base' },
      session(1),
      ...TWICE.slice(3, 5),
      TWICE[6] as EventDraft,
      attempt(1, 1),
      attemptEnded({ id: 1, status: 'failed' }),
    );
    expect(() => fold.commit(draft)).toThrow(ILLEGAL);
  });

  it.each(['no_such_event', 'constructor', '__proto__', 'toString'])('does not know the event %s', (type) => {
    const event = { type, seq: 1, epoch: 1, at: '' } as unknown as Event;
    expect(() => reduce(emptyState(), event)).toThrow(expect.objectContaining({ code: 'STATE_NEWER' }));
  });

  it('refuses what is not there by name', () => {
    const { commit } = finishedJob();
    expect(() => commit({ type: 'job_paused', job_id: 'no', reason: '', by })).toThrow('there is no job no');
    expect(() => commit({ type: 'feature_set', id: 77, status: 'failed', by, reason: null })).toThrow(
      expect.objectContaining({ code: 'NOT_FOUND', details: { table: 'features', id: 77 } }),
    );
  });

  it('completes rows that an older version restored', () => {
    const older = (row: object, ...fields: readonly string[]) =>
      Object.fromEntries(Object.entries(row).filter(([name]) => !fields.includes(name)));
    const changes = [
      { table: 'attempts', put: older(attemptRow(), 'lane', 'queued_at', 'returns') },
      { table: 'sessions', put: older(sessionRow(), 'reviews') },
    ];
    const event = { type: 'state_restored', source: 's', found: 1, known: 0, changes, seq: 1, epoch: 1, at: '' };
    const state = emptyState();
    applyChanges(state, reduce(state, event as unknown as Event));
    expect(state.attempts.get(1)).toEqual(attemptRow());
    expect(state.sessions.get(1)).toEqual(sessionRow());
  });

  it('says with every event where the state stands', () => {
    const state = emptyState();
    const event: Event = { type: 'limits_set', limits: NO_LIMITS, by, seq: 7, epoch: 3, at: '' };
    applyChanges(state, reduce(state, event));
    expect(state.meta).toMatchObject({ last_seq: 7, epoch: 3, limits: NO_LIMITS });
  });

  it('knows every event that a version of it ever wrote', () => {
    expect([...EVENT_TYPES].sort()).toMatchInlineSnapshot(`
      [
        "approval_decided",
        "approval_requested",
        "approval_voided",
        "attempt_ended",
        "attempt_interrupted",
        "attempt_queued",
        "attempt_resumed",
        "attempt_returned",
        "attempt_started",
        "attempt_todo_set",
        "base_merged",
        "baseline_checked",
        "brief_submitted",
        "call_adjusted",
        "call_released",
        "call_reserved",
        "call_settled",
        "call_unsettled",
        "candidate_picked",
        "clone_lost",
        "clone_made",
        "feature_executors_chosen",
        "feature_reordered",
        "feature_retried",
        "feature_set",
        "imported",
        "job_awaiting",
        "job_cancelled",
        "job_completed",
        "job_continued",
        "job_failed",
        "job_options_changed",
        "job_paused",
        "job_resumed",
        "job_rolled_back",
        "job_selected",
        "job_waiting",
        "job_woken",
        "limits_set",
        "merge_begun",
        "merge_ended",
        "merge_refused",
        "message_sent",
        "messages_read",
        "note_added",
        "note_resolved",
        "owner_started",
        "phase_approved",
        "phase_rejected",
        "phase_reviewing",
        "phase_started",
        "phase_summarized",
        "plan_accepted",
        "plan_proposed",
        "plan_refused",
        "project_archived",
        "project_completed",
        "project_created",
        "project_defined",
        "project_parked",
        "project_resumed",
        "project_suspended",
        "project_unparked",
        "record_imported",
        "result_accepted",
        "result_merged",
        "result_verified",
        "rule_created",
        "rule_revoked",
        "rule_used",
        "schedule_removed",
        "schedule_set",
        "session_ended",
        "session_started",
        "setup_added",
        "setup_finished",
        "state_restored",
        "task_cancelled",
        "task_checkpointed",
        "task_cloned",
        "task_completed",
        "task_created",
        "task_defined",
        "task_failed",
        "task_noted",
        "task_paused",
        "task_progressed",
        "task_removed",
        "task_resumed",
        "task_retried",
        "task_started",
        "task_step_asked",
        "task_step_waiting",
        "task_stepped",
        "task_steps_added",
        "tried_now",
        "turn_ended",
        "wait_begun",
        "wait_ended",
      ]
    `);
  });

  it('counts the money of a session as the ledger does, settled and adjusted', () => {
    const fold = acceptedJob(planOf({ Core: ['a'] }));
    fold.commit(
      session(1),
      callReserved(1, 100),
      { type: 'call_settled', id: 1, usage: USAGE, micro_usd: 30 },
      callReserved(2, 100),
      { type: 'call_unsettled', id: 2, reason: 'lost' },
    );
    expect(fold.state.sessions.get(1)?.cost_usd).toBe(0.00003);
    fold.commit({ type: 'call_adjusted', id: 2, micro_usd: 50, by });
    expect(fold.state.sessions.get(1)?.cost_usd).toBe(0.00008);
    expect(() => fold.commit({ type: 'call_adjusted', id: 2, micro_usd: 60, by })).toThrow(ILLEGAL);
  });
});
