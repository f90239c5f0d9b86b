/** DESIGN 5 line by line: what a job does next, from nothing but its rows. */

import { describe, expect, it } from 'vitest';
import { aboutOf } from '../../../../src/core/approval/about.ts';
import { refusalOf } from '../../../../src/core/approval/refusals.ts';
import type { Action } from '../../../../src/core/job/action.ts';
import { heldBecause } from '../../../../src/core/job/lanes.ts';
import { nextAction } from '../../../../src/core/job/nextAction.ts';
import { planId } from '../../../../src/core/state/planId.ts';
import type { ApprovalKind, ApprovalRow } from '../../../../src/shared/approval.ts';
import type { Plan } from '../../../../src/shared/job/plan.ts';
import type { FeatureRow, JobRow, PhaseRow } from '../../../../src/shared/job/rows.ts';
import type { TableName, Tables } from '../../../../src/shared/workspace/state.ts';
import {
  approvalRow,
  attemptRow,
  featureRow,
  JOB_ID,
  jobOptions,
  jobRow,
  phaseRow,
  planOf,
  START_MS,
  stateOf,
  verdict,
} from '../../../support/state/builders.ts';

type Rows = { readonly [T in TableName]?: readonly Tables[T][] };

function next(rows: Rows, now = START_MS): Action {
  return nextAction(stateOf({ jobs: [jobRow()], ...rows }), JOB_ID, now);
}

/** What is next for a job with one phase under way and these features. */
function working(features: readonly FeatureRow[], rows: Rows = {}): Action {
  return next({ phases: [phaseRow()], features, ...rows });
}

function answered(
  kind: ApprovalKind,
  subject: string,
  status: ApprovalRow['status'],
  patch: Partial<ApprovalRow> = {},
): ApprovalRow {
  return approvalRow({ kind, subject, status, decided_by: 'steward', ...patch });
}

describe('before anything else', () => {
  it.each(['completed', 'failed', 'cancelled'] as const)('a job that is %s stops', (status) => {
    expect(next({ jobs: [jobRow({ status })] })).toEqual({ do: 'stop', why: 'final' });
  });

  it('a paused job stops, even with a question open or work to do', () => {
    const jobs = [jobRow({ status: 'paused' })];
    expect(next({ jobs, approvals: [approvalRow()] })).toEqual({ do: 'stop', why: 'paused' });
    expect(working([featureRow()], { jobs })).toEqual({ do: 'stop', why: 'paused' });
  });

  it('a question about the whole job is waited for', () => {
    expect(next({ approvals: [approvalRow({ id: 5 })] })).toMatchObject({ do: 'await', approvals: [{ id: 5 }] });
  });

  it('a waiting job waits until its time, then wakes', () => {
    const wake_at = new Date(START_MS + 1000).toISOString();
    const jobs = [jobRow({ status: 'waiting', wake_at, reason: 'overloaded' })];
    expect(next({ jobs })).toEqual({ do: 'wait', until: wake_at, reason: 'overloaded' });
    expect(next({ jobs }, START_MS + 999)).toMatchObject({ do: 'wait' });
    expect(next({ jobs }, START_MS + 1000)).toEqual({ do: 'wake' });
  });

  it('a job that awaits an answer which came already continues', () => {
    expect(working([featureRow()], { jobs: [jobRow({ status: 'awaiting_steward' })] })).toEqual({ do: 'continue' });
  });

  it.each([
    ['dirty_tree', 'pause'],
    ['unmergeable', 'pause'],
    ['limit', 'pause'],
    ['conflict', 'pause'],
    ['provider', 'fail'],
  ] as const)('a no to a question of kind %s makes the job %s, as every surface says', (kind, does) => {
    const asked = answered(kind, `${kind}:1`, 'rejected', { question: 'Go on?' });
    expect(next({ approvals: [asked] })).toEqual({ do: does, reason: 'refused by the steward: Go on?' });
    expect(refusalOf(stateOf({}), asked)).toBe(does === 'fail' ? 'ends' : 'pauses');
    expect(refusalOf(stateOf({}), { ...asked, job_id: null })).toBeNull();
  });

  it('an approved limit is raised once: the answer is void after it', () => {
    const approval = answered('limit', 'limit:job:1', 'approved');
    expect(next({ approvals: [approval] })).toEqual({ do: 'raise_limit', approval });
    expect(working([featureRow()], { approvals: [{ ...approval, status: 'void' }] })).toMatchObject({ do: 'attempt' });
  });

  it('only the newest answer on a subject counts', () => {
    const approvals = [
      answered('provider', 'provider:x', 'rejected', { id: 1 }),
      answered('provider', 'provider:x', 'approved', { id: 2 }),
    ];
    expect(working([featureRow()], { approvals })).toMatchObject({ do: 'attempt' });
  });
});

describe('the clone and the setup', () => {
  const empty = { clone_dir: null, plan_accepted: false, setup_done: false, status: 'planning' } as const;
  const cloned = { ...empty, clone_dir: '/c' };

  it('clones first; a dirty tree as the steward chose', () => {
    expect(next({ jobs: [jobRow(empty)] })).toEqual({ do: 'clone', snapshot: null });
    for (const [choice, snapshot] of [['head', false] as const, ['snapshot', true] as const]) {
      const approvals = [answered('dirty_tree', 'dirty_tree', 'approved', { choice })];
      expect(next({ jobs: [jobRow(empty)], approvals })).toEqual({ do: 'clone', snapshot });
    }
  });

  it('sets up, or not when the steward said no', () => {
    const jobs = [jobRow(cloned)];
    expect(next({ jobs })).toEqual({ do: 'setup' });
    expect(next({ jobs, approvals: [answered('setup', 'setup', 'approved')] })).toEqual({ do: 'setup' });
    expect(next({ jobs, approvals: [answered('setup', 'setup', 'rejected')] })).toEqual({ do: 'setup' });
  });

  it('goes on without a setup that failed, or fails', () => {
    const jobs = [jobRow(cloned)];
    const on = (status: 'approved' | 'rejected') =>
      next({ jobs, approvals: [answered('setup', 'setup_failed', status)] });
    expect(on('approved')).toEqual({ do: 'setup' });
    expect(on('rejected')).toMatchObject({ do: 'fail' });
    expect(refusalOf(stateOf({}), answered('setup', 'setup_failed', 'rejected'))).toBe('ends');
    // A command that was added later never ends a job.
    expect(refusalOf(stateOf({}), answered('setup', 'setup_failed:npm i', 'rejected'))).toBe('pauses');
    expect(next({ jobs, approvals: [answered('setup', 'setup_failed:npm i', 'approved')] })).toEqual({ do: 'setup' });
    expect(refusalOf(stateOf({}), answered('setup', 'setup', 'rejected'))).toBe('skips');
  });
});

describe('the plan', () => {
  const planning = { status: 'planning', plan_accepted: false, plan_version: 0 } as const;
  const plan = (patch: Partial<JobRow>, approvals: readonly ApprovalRow[] = [], more: Partial<Plan> = {}) => {
    const job = jobRow({ ...planning, ...patch });
    const { plan_version: version } = job;
    const row = { id: planId(JOB_ID, version), job_id: JOB_ID, version, by: 'planner', at: '' } as const;
    const plans = [{ ...row, plan: { ...planOf({ Core: ['a'] }), ...more } }];
    return next({ jobs: [job], plans, approvals });
  };

  it('is made, and made again once when it was refused', () => {
    expect(plan({})).toEqual({ do: 'plan' });
    expect(plan({ planner_tries: 1, plan_feedback: 'cyclic' })).toEqual({ do: 'plan' });
  });

  it('is then for the steward to decide, each time anew', () => {
    const failing = { planner_tries: 2, plan_feedback: 'cyclic' };
    const subject = 'planner:0:2';
    expect(plan(failing)).toEqual({
      do: 'ask',
      about: aboutOf(subject),
      question: { kind: 'planner', feedback: 'cyclic' },
    });
    const yes = answered('escalate', subject, 'approved');
    expect(plan(failing, [yes])).toEqual({ do: 'plan' });
    expect(plan(failing, [answered('escalate', subject, 'rejected')])).toMatchObject({ do: 'fail' });
    expect(refusalOf(stateOf({}), answered('escalate', subject, 'rejected'))).toBe('ends');
    expect(refusalOf(stateOf({}), answered('escalate', 'escalate:9', 'rejected'))).toBeNull();
    expect(plan({ ...failing, planner_tries: 3 }, [yes])).toMatchObject({ do: 'ask', about: aboutOf('planner:0:3') });
    expect(plan({ ...failing, plan_version: 1 }, [yes])).toMatchObject({ do: 'ask', about: aboutOf('planner:1:2') });
  });

  it('passes its gate only by an answer to this very version', () => {
    const proposed = { plan_version: 2 };
    expect(plan(proposed)).toMatchObject({ do: 'ask', about: aboutOf('plan:2') });
    expect(plan(proposed, [answered('plan', 'plan:1', 'approved')])).toMatchObject({
      do: 'ask',
      about: aboutOf('plan:2'),
    });
    const yes = answered('plan', 'plan:2', 'approved', { decided_by: 'yes_flag' });
    expect(plan(proposed, [yes])).toEqual({ do: 'accept_plan', version: 2, by: 'yes_flag' });
    const no = answered('plan', 'plan:2', 'rejected', { feedback: 'smaller' });
    expect(plan(proposed, [no])).toEqual({ do: 'refuse_plan', feedback: 'smaller' });
    expect(plan({ plan_version: 2, plan_feedback: 'smaller' }, [no])).toEqual({ do: 'plan' });
  });

  it.each([
    [{ questions: ['Tabs?'] }, 'plan:1:questions'],
    [{ setup: ['npm install'] }, 'plan:1'],
  ])('is asked about even without its gate if it holds %j', (more, subject) => {
    const patch = { plan_version: 1, options: jobOptions({ gates: [] }) };
    expect(plan(patch, [], more)).toMatchObject({ do: 'ask', about: aboutOf(subject) });
    const yes = answered('plan', subject, 'approved');
    expect(plan(patch, [yes], more)).toEqual({ do: 'accept_plan', version: 1, by: 'steward' });
  });

  it('is not asked about for a setup that ran or was granted', () => {
    const ran = { setup_ran: [{ command: 'npm ci', exitCode: 0 }], setup_added: ['npm install'] };
    const patch = { ...ran, plan_version: 1, options: jobOptions({ gates: [] }) };
    expect(plan(patch, [], { setup: ['npm install', 'npm ci'] })).toMatchObject({ do: 'accept_plan' });
    const failed = { ...patch, setup_ran: [{ command: 'npm ci', exitCode: 1 }] };
    expect(plan(failed, [], { setup: ['npm ci'] })).toMatchObject({ do: 'ask' });
  });

  it('is accepted without its gate', () => {
    expect(plan({ plan_version: 1, options: jobOptions({ gates: [] }) })).toEqual({
      do: 'accept_plan',
      version: 1,
      by: 'engine',
    });
  });
});

describe('the features of a phase', () => {
  const done = { status: 'completed' } as const;

  it('phases go one after the other', () => {
    const phases = [
      phaseRow({ id: 2, number: 2, status: 'pending' }),
      phaseRow({ id: 1, number: 1, status: 'completed', summary_attempt: 1 }),
    ];
    expect(next({ phases })).toMatchObject({ do: 'start_phase', phase: { id: 2 } });
  });

  it('an approved phase is summarized before anything else begins, the last one before the merge', () => {
    const approved = phaseRow({ id: 1, number: 1, status: 'completed', attempt: 2, summary_attempt: 1 });
    const phases = [approved, phaseRow({ id: 2, number: 2, status: 'pending' })];
    expect(next({ phases })).toMatchObject({ do: 'summarize', phase: { id: 1 } });
    expect(next({ phases: [approved] })).toMatchObject({ do: 'summarize', phase: { id: 1 } });
  });

  it('a failed phase fails the job', () => {
    expect(next({ phases: [phaseRow({ status: 'failed', error_message: 'why' })] })).toEqual({
      do: 'fail',
      reason: 'why',
    });
  });

  it('the first pending one by position is picked, then by id', () => {
    const features = [
      featureRow({ id: 1, position: 2 }),
      featureRow({ id: 3, position: 1 }),
      featureRow({ id: 2, position: 1 }),
      featureRow({ id: 4, position: 0, ...done }),
    ];
    expect(working(features)).toMatchObject({ do: 'attempt', feature: { id: 2 } });
  });

  it('one whose dependencies are not completed is passed over', () => {
    const features = [featureRow({ id: 1, depends_on: [2] }), featureRow({ id: 2, position: 1 })];
    expect(working(features)).toMatchObject({ do: 'attempt', feature: { id: 2 } });
    expect(working([featureRow({ id: 1, depends_on: [2] }), featureRow({ id: 2, ...done })])).toMatchObject({
      do: 'attempt',
      feature: { id: 1 },
    });
  });

  it('one whose dependency failed is held, stays pending and says why, and so does what depends on it', () => {
    const features = [
      featureRow({ id: 1, name: 'a', status: 'failed' }),
      featureRow({ id: 2, name: 'b', depends_on: [1] }),
      featureRow({ id: 3, name: 'c', depends_on: [2] }),
      featureRow({ id: 4, name: 'd', depends_on: [3] }),
    ];
    const state = stateOf({ features });
    expect(features.map((feature) => heldBecause(state, feature))).toEqual([
      null,
      'depends on "a", which failed',
      'depends on "b", which is blocked too',
      'depends on "c", which is blocked too',
    ]);
    expect(working(features)).toMatchObject({ do: 'begin_review' });
  });

  it('a dependency that left the plan holds nobody; a circle holds all of it without an end', () => {
    expect(heldBecause(stateOf({}), featureRow({ depends_on: [99] }))).toBeNull();
    const circle = [featureRow({ id: 1, depends_on: [2] }), featureRow({ id: 2, depends_on: [1] })];
    expect(heldBecause(stateOf({ features: circle }), circle[0] as FeatureRow)).toBe(
      'depends on "feature 2", which is blocked too',
    );
  });

  it('a stuck one leaves the others moving, and is awaited when nothing else is left', () => {
    const approvals = [approvalRow({ id: 8, kind: 'stuck', subject: 'stuck:1', feature_id: 1 })];
    const other = featureRow({ id: 2, position: 1 });
    expect(working([featureRow(), other], { approvals })).toMatchObject({ do: 'attempt', feature: { id: 2 } });
    expect(working([featureRow(), { ...other, ...done }], { approvals })).toMatchObject({
      do: 'await',
      approvals: [{ id: 8 }],
    });
  });

  it('an interrupted attempt is gone on with before any other', () => {
    const attempt = attemptRow({ status: 'interrupted' });
    const features = [featureRow({ id: 2 }), featureRow({ id: 1, position: 1, status: 'in_progress' })];
    expect(working(features, { attempts: [attempt] })).toEqual({ do: 'resume', attempt });
  });

  it('one in progress that nobody works on is put back', () => {
    expect(working([featureRow({ status: 'in_progress' })])).toMatchObject({ do: 'release', feature: { id: 1 } });
  });

  it('five crashes in a row are asked about, and gone on with after a yes', () => {
    const attempts = [attemptRow({ id: 7, status: 'interrupted', interruptions: 5 })];
    const crashed = (crash_count: number) => featureRow({ status: 'in_progress', crash_count });
    expect(working([crashed(4)], { attempts })).toMatchObject({ do: 'resume' });
    const subject = 'crashes:7:5';
    expect(working([crashed(5)], { attempts })).toMatchObject({
      do: 'ask',
      about: aboutOf(subject),
      question: { kind: 'crashes' },
    });
    const pending = approvalRow({ kind: 'crashes', subject, feature_id: 1 });
    expect(working([crashed(5)], { attempts, approvals: [pending] })).toMatchObject({ do: 'await' });
    expect(working([crashed(0)], { attempts, approvals: [answered('crashes', subject, 'approved')] })).toMatchObject({
      do: 'resume',
    });
  });

  it('nothing left: the review', () => {
    expect(next({ phases: [phaseRow({ attempt: 2 })], features: [featureRow(done)] })).toMatchObject({
      do: 'begin_review',
    });
  });
});

describe('the review', () => {
  const phase = phaseRow({ status: 'reviewing', review_attempt: 9 });
  const features = [featureRow({ status: 'completed', name: 'a' }), featureRow({ id: 2, status: 'failed', name: 'b' })];

  function reviewed(
    given: Parameters<typeof attemptRow>[0],
    {
      gates = [],
      approvals = [],
      rows = features,
    }: { gates?: JobRow['options']['gates']; approvals?: readonly ApprovalRow[]; rows?: readonly FeatureRow[] } = {},
  ): Action {
    const jobs = [jobRow({ options: jobOptions({ gates }) })];
    const attempts = [attemptRow({ id: 9, feature_id: null, status: 'succeeded', ...given })];
    return next({ jobs, phases: [phase], features: rows, attempts, approvals });
  }

  it('is made, and made again when it was abandoned', () => {
    expect(next({ phases: [{ ...phase, review_attempt: null }], features })).toMatchObject({ do: 'review' });
    expect(reviewed({ status: 'abandoned' })).toMatchObject({ do: 'review' });
    expect(reviewed({ status: 'interrupted' })).toMatchObject({ do: 'resume', attempt: { id: 9 } });
  });

  it('approves when it says so', () => {
    expect(reviewed({ verdict: verdict() })).toMatchObject({ do: 'approve_phase', by: 'reviewer', reason: 'It holds' });
  });

  it('never approves a phase with nothing completed: what failed goes again', () => {
    const rows = [featureRow({ id: 2, status: 'failed', name: 'b' }), featureRow({ id: 3, depends_on: [2] })];
    const again = { do: 'reject_phase', reopen: ['b'], feedback: expect.stringContaining('No feature of this phase') };
    expect(reviewed({ verdict: verdict() }, { rows })).toMatchObject({ ...again, by: 'reviewer' });
    const approvals = [answered('escalate', 'escalate:9', 'approved')];
    const escalated = { verdict: verdict({ verdict: 'ESCALATE' }) };
    expect(reviewed(escalated, { rows, approvals })).toMatchObject({ ...again, by: 'steward' });
  });

  it('rejects with its feedback, or with its reason when it gave none', () => {
    const rejected = verdict({ verdict: 'REJECTED', feedback: 'mend it', reopen: ['a'] });
    expect(reviewed({ verdict: rejected })).toMatchObject({
      do: 'reject_phase',
      by: 'reviewer',
      feedback: 'mend it',
      reopen: ['a'],
    });
    expect(reviewed({ verdict: { ...rejected, feedback: '' } })).toMatchObject({ feedback: 'It holds' });
  });

  it.each([
    ['none at all', { verdict: null }],
    ['none, since it failed', { status: 'failed', verdict: null, cause: 'turns' }],
    ['an approval by a review that failed', { status: 'failed', verdict: verdict() }],
    ['ESCALATE', { verdict: verdict({ verdict: 'ESCALATE' }) }],
  ] as const)('asks the steward when the verdict is %s', (_, given) => {
    expect(reviewed(given)).toMatchObject({ do: 'ask', about: aboutOf('escalate:9'), question: { kind: 'escalate' } });
    expect(reviewed(given, { approvals: [answered('escalate', 'escalate:9', 'approved')] })).toMatchObject({
      do: 'approve_phase',
      by: 'steward',
    });
    const no = [answered('escalate', 'escalate:9', 'rejected', { feedback: 'no' })];
    expect(reviewed(given, { approvals: no })).toMatchObject({ do: 'reject_phase', by: 'steward', feedback: 'no' });
  });

  it('asks at the phase gate, about this review', () => {
    const gates = ['phase'] as const;
    expect(reviewed({ verdict: verdict() }, { gates })).toMatchObject({ do: 'ask', about: aboutOf('phase:9') });
    const old = [answered('phase', 'phase:8', 'approved')];
    expect(reviewed({ verdict: verdict() }, { gates, approvals: old })).toMatchObject({ do: 'ask' });
    const bare = [answered('phase', 'phase:9', 'approved', { feedback: null })];
    expect(reviewed({ verdict: verdict() }, { gates, approvals: bare })).toMatchObject({ by: 'steward', reason: '' });
    const yes = [answered('phase', 'phase:9', 'approved', { feedback: 'fine' })];
    expect(reviewed({ verdict: verdict() }, { gates, approvals: yes })).toMatchObject({
      do: 'approve_phase',
      by: 'steward',
      reason: 'fine',
    });
    const no = [answered('phase', 'phase:9', 'rejected')];
    expect(reviewed({ verdict: verdict() }, { gates, approvals: no })).toMatchObject({
      do: 'reject_phase',
      feedback: 'Rejected without a reason.',
    });
  });

  it('that crashes five times is asked about, and again after five more', () => {
    const crashed = (interruptions: number) => ({ status: 'interrupted', interruptions }) as const;
    const yes = [answered('crashes', 'crashes:9:1', 'approved')];
    expect(reviewed(crashed(4))).toMatchObject({ do: 'resume' });
    expect(reviewed(crashed(5))).toMatchObject({
      do: 'ask',
      about: aboutOf('crashes:9:1'),
      question: { feature: null },
    });
    expect(reviewed(crashed(7), { approvals: yes })).toMatchObject({ do: 'resume' });
    expect(reviewed(crashed(10), { approvals: yes })).toMatchObject({ do: 'ask', about: aboutOf('crashes:9:2') });
    const no = [answered('crashes', 'crashes:9:1', 'rejected')];
    expect(reviewed(crashed(5), { approvals: no })).toEqual({ do: 'fail', reason: 'the review crashed 5 times' });
  });
});

describe('the merge', () => {
  const phases: readonly PhaseRow[] = [phaseRow({ status: 'completed', summary_attempt: 1 })];
  const merging = (approvals: readonly ApprovalRow[] = [], job: Partial<JobRow> = {}): Action =>
    next({ jobs: [jobRow({ head: 'h1', verified: job.head ?? 'h1', ...job })], phases, approvals });

  it('first comes every verify command of the plan on that commit', () => {
    expect(merging([], { verified: null })).toEqual({ do: 'verify_result', head: 'h1' });
    expect(merging([], { head: 'h2', verified: 'h1' })).toEqual({ do: 'verify_result', head: 'h2' });
  });

  it('asks about the commit, and again when it moved', () => {
    expect(merging()).toEqual({ do: 'ask', about: aboutOf('merge:h1'), question: { kind: 'merge', head: 'h1' } });
    const yes = [answered('merge', 'merge:h1', 'approved', { choice: 'patch', commit: 'h1' })];
    expect(merging(yes)).toEqual({ do: 'merge', mode: 'patch', head: 'h1' });
    expect(merging(yes, { head: 'h2' })).toMatchObject({ do: 'ask', about: aboutOf('merge:h2') });
  });

  it('takes the mode of the brief when the answer names none that exists', () => {
    const yes = [answered('merge', 'merge:h1', 'approved', { choice: '__proto__', commit: 'h1' })];
    expect(merging(yes)).toMatchObject({ do: 'merge', mode: 'merge' });
  });

  it('a refusal is acted on; once it was, the same commit is asked about anew', () => {
    const no = answered('merge', 'merge:h1', 'rejected', { feedback: 'more' });
    expect(merging([no])).toEqual({ do: 'refuse_merge', feedback: 'more' });
    expect(merging([{ ...no, status: 'void' }])).toMatchObject({ do: 'ask', about: aboutOf('merge:h1') });
  });

  it('needs no word without its gate', () => {
    const options = jobOptions({ gates: [], mergeMode: 'branch' });
    expect(merging([], { options })).toEqual({ do: 'merge', mode: 'branch', head: 'h1' });
  });

  it('a conflict ends as the steward chose, for that commit only', () => {
    const chose = (choice: string, commit = 'h1') =>
      answered('conflict', 'conflict:b:h1', 'approved', { choice, commit });
    expect(merging([chose('branch')])).toEqual({ do: 'merge', mode: 'branch', head: 'h1' });
    expect(merging([chose('branch', 'h0')])).toMatchObject({ do: 'ask', about: aboutOf('merge:h1') });
    const yes = answered('merge', 'merge:h1', 'approved', { id: 2, choice: 'merge', commit: 'h1' });
    expect(merging([yes, chose('retry')])).toMatchObject({ do: 'merge', mode: 'merge' });
  });
});
