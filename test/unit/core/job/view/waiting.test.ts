/** What a job, a project or a task waits for, as a function of the state. */
import { describe, expect, it } from 'vitest';
import { jobWaiting, projectWaiting } from '../../../../../src/core/job/view/waiting.ts';
import { reduce } from '../../../../../src/core/workspace/reduce.ts';
import type { JobRow } from '../../../../../src/shared/job/rows.ts';
import type { ProjectRow } from '../../../../../src/shared/project/projects.ts';
import type { Wait } from '../../../../../src/shared/waiting.ts';
import type { Event, EventDraft } from '../../../../../src/shared/workspace/events.ts';
import type { State } from '../../../../../src/shared/workspace/state.ts';
import {
  approvalRow,
  JOB_ID,
  jobRow,
  PROJECT_ID,
  projectRow,
  sessionRow,
  stateOf,
} from '../../../../support/state/builders.ts';

const at = (minute: number): string => `2026-11-02T12:${String(minute).padStart(2, '0')}:00.000Z`;
const wait = (patch: Partial<Wait> = {}): Wait => ({
  code: 'provider',
  reason: 'HTTP 429',
  since: at(0),
  until: at(1),
  ...patch,
});

const withJob = (patch: Partial<JobRow>, more: Parameters<typeof stateOf>[0] = {}) =>
  stateOf({ jobs: [jobRow(patch)], projects: [projectRow()], ...more });
const ofJob = (state: State) => jobWaiting(state, state.jobs.get(JOB_ID) ?? jobRow());
const ofProject = (state: State) => projectWaiting(state, state.projects.get(PROJECT_ID) ?? projectRow());

describe('a job', () => {
  it('that works, or is over, waits for nothing', () => {
    expect(ofJob(withJob({ status: 'running' }))).toBeNull();
    expect(ofJob(withJob({ status: 'completed' }))).toBeNull();
  });

  it('waits for the provider while one of its calls does, though its status is running', () => {
    expect(ofJob(withJob({ status: 'running', wait: wait() }))).toEqual({
      ...wait(),
      who: 'provider',
      now: ['try_now'],
      approvalId: null,
    });
  });

  it('waits for a limit: the clock ends it, or a person who raises the limit', () => {
    const limit = wait({ code: 'limit', reason: 'the day limit of $1.0000 is reached' });
    expect(ofJob(withJob({ status: 'waiting', wait: limit }))).toMatchObject({
      code: 'limit',
      who: 'clock',
      now: ['raise_limit', 'try_now'],
    });
  });

  it('waits for an answer to its oldest question', () => {
    const approvals = [approvalRow({ id: 3, question: 'Is it right?' })];
    expect(ofJob(withJob({ status: 'awaiting_steward' }, { approvals }))).toMatchObject({
      code: 'question',
      reason: 'Is it right?',
      who: 'you',
      now: ['answer'],
      approvalId: 3,
    });
  });

  it('waits with its project while that is parked', () => {
    const projects = [projectRow({ parked: 'PROJECT.md cannot be read' })];
    expect(ofJob(withJob({ status: 'running' }, { projects }))).toMatchObject({
      code: 'parked',
      reason: 'PROJECT.md cannot be read',
      who: 'you',
      now: ['try_now'],
    });
  });

  it('of an older log waits with the reason and the time that its row has', () => {
    const row = { status: 'waiting', reason: 'HTTP 529', wake_at: at(5) } as const;
    expect(ofJob(withJob(row))).toMatchObject({ code: 'provider', reason: 'HTTP 529', since: null, until: at(5) });
  });
});

describe('a project', () => {
  const project = (patch: Partial<ProjectRow>, more: Parameters<typeof stateOf>[0] = {}) =>
    stateOf({ projects: [projectRow(patch)], ...more });

  it('waits with its conversation', () => {
    expect(ofProject(project({ wait: wait() }))).toMatchObject({ code: 'provider' });
    expect(ofProject(project({}))).toBeNull();
  });

  it('waits with its jobs only if none of them moves', () => {
    const waits = jobRow({ id: 'a', status: 'waiting', wait: wait() });
    expect(ofProject(project({}, { jobs: [waits] }))).toMatchObject({ code: 'provider' });
    expect(ofProject(project({}, { jobs: [waits, jobRow({ id: 'b', status: 'running' })] }))).toBeNull();
  });

  it('shows what needs a person before what the clock ends', () => {
    const jobs = [
      jobRow({ id: 'a', status: 'waiting', wait: wait() }),
      jobRow({ id: JOB_ID, status: 'awaiting_steward' }),
    ];
    const approvals = [approvalRow({ id: 3, question: 'Is it right?' })];
    expect(ofProject(project({}, { jobs, approvals }))).toMatchObject({ code: 'question', approvalId: 3 });
  });
});

/** The state after these events, a minute apart. */
function folded(state: State, ...drafts: readonly EventDraft[]): State {
  for (const [index, draft] of drafts.entries()) {
    const event = { ...draft, seq: index + 1, epoch: 1, at: at(index) } as Event;
    for (const change of reduce(state, event)) {
      if (change.table !== 'meta' && 'put' in change)
        (state[change.table] as Map<unknown, unknown>).set(change.put.id, change.put);
    }
  }
  return state;
}

describe('the wait of a call', () => {
  const begun = (minute: number): EventDraft => ({
    type: 'wait_begun',
    session_id: 1,
    code: 'provider',
    reason: 'HTTP 429',
    until: at(minute),
  });
  const ofConversation = () =>
    stateOf({ projects: [projectRow()], sessions: [sessionRow({ id: 1, job_id: null, role: 'project' })] });
  const ofTheJob = (status: JobRow['status']) => withJob({ status }, { sessions: [sessionRow({ id: 1 })] });

  it('is one however often it is tried in between, and ends with an answer', () => {
    const state = folded(ofTheJob('running'), begun(1), begun(7));
    expect(state.jobs.get(JOB_ID)?.wait).toEqual(wait({ since: at(0), until: at(7) }));
    expect(ofJob(folded(state, { type: 'wait_ended', session_id: 1 }))).toBeNull();
  });

  it('goes on when the job itself waits, wakes and tries again', () => {
    const state = folded(
      ofTheJob('running'),
      begun(1),
      { type: 'job_waiting', job_id: JOB_ID, reason: 'HTTP 429', wake_at: at(9) },
      { type: 'job_woken', job_id: JOB_ID },
    );
    expect(ofJob(state)).toMatchObject({ code: 'provider', since: at(0), until: at(9) });
  });

  it('is held by the project where the session is its conversation', () => {
    expect(ofProject(folded(ofConversation(), begun(1)))).toMatchObject({ code: 'provider' });
  });

  it('ends when its job is paused', () => {
    const state = folded(ofTheJob('running'), begun(1), {
      type: 'job_paused',
      job_id: JOB_ID,
      reason: 'x',
      by: 'steward',
    });
    expect(ofJob(state)).toMatchObject({ code: 'paused' });
  });

  it('a try now wakes the job, and keeps since when it waits', () => {
    const state = folded(
      ofTheJob('running'),
      { type: 'job_waiting', job_id: JOB_ID, reason: 'HTTP 429', wake_at: at(9) },
      { type: 'tried_now', of: 'job', id: JOB_ID, by: 'steward' },
    );
    expect(state.jobs.get(JOB_ID)).toMatchObject({ status: 'running', wait: { since: at(0) } });
  });
});
