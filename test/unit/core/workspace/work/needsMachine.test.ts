/** When the machine has to stay awake: only while work runs, or continues soon without a person. */
import { describe, expect, it } from 'vitest';
import { LONGEST_WAIT_MS, needsMachine } from '../../../../../src/core/workspace/work/needsMachine.ts';
import type { JobRow, JobStatus } from '../../../../../src/shared/job/rows.ts';
import type { ProjectRow } from '../../../../../src/shared/project/projects.ts';
import { CALL_WAITS, type Wait } from '../../../../../src/shared/waiting.ts';
import type { AtWork } from '../../../../../src/shared/workspace/atWork.ts';
import {
  approvalRow,
  JOB_ID,
  jobRow,
  PROJECT_ID,
  projectRow,
  START,
  START_MS,
  sessionRow,
  stateOf,
} from '../../../../support/state/builders.ts';
import { playedTask, stepBegun, taskStepped } from '../../../../support/state/taskRows.ts';
import { fc } from '../../../../support/suite/property.ts';

const WORKS: AtWork = { works: true, jobs: [JOB_ID], turns: [] };
const inMs = (ms: number): string => new Date(START_MS + ms).toISOString();
const wait = (patch: Partial<Wait> = {}): Wait => ({
  code: 'provider',
  reason: 'HTTP 429',
  since: START,
  until: inMs(60_000),
  ...patch,
});

type Rows = Parameters<typeof stateOf>[0];
const needed = (rows: Rows, atWork: Partial<AtWork> = {}): boolean =>
  needsMachine(stateOf({ projects: [projectRow()], ...rows }), { ...WORKS, ...atWork }, START_MS);

describe('a job', () => {
  it.each<[JobStatus, boolean]>([
    ['planning', true],
    ['running', true],
    ['awaiting_steward', false],
    ['paused', false],
    ['completed', false],
    ['failed', false],
    ['cancelled', false],
  ])('that is %s: %s', (status, isNeeded) => {
    expect(needed({ jobs: [jobRow({ status })] })).toBe(isNeeded);
  });

  it('that no process works on lets the machine sleep', () => {
    expect(needed({ jobs: [jobRow({ status: 'running' })] }, { jobs: [] })).toBe(false);
  });

  it.each<[string, Partial<Wait>, boolean]>([
    ['for a retry within a minute', {}, true],
    ['for its turn', { code: 'queue', until: null }, true],
    ['for a limit that ends in the night', { code: 'limit', until: inMs(LONGEST_WAIT_MS) }, true],
    ['for a limit that ends later', { code: 'limit', until: inMs(LONGEST_WAIT_MS + 1) }, false],
    ['for a limit that only a person raises', { code: 'limit', until: null }, false],
  ])('that waits %s', (_, patch, isNeeded) => {
    const { until, reason } = wait(patch);
    const waiting = jobRow({ status: 'waiting', wake_at: until, reason, wait: wait(patch) });
    expect(needed({ jobs: [waiting] })).toBe(isNeeded);
    expect(needed({ jobs: [jobRow({ status: 'running', wait: wait(patch) })] })).toBe(isNeeded);
  });

  it('of a parked project lets the machine sleep', () => {
    const projects = [projectRow({ parked: 'its folder is gone' })];
    expect(needed({ jobs: [jobRow({ status: 'running' })], projects })).toBe(false);
  });

  it('that runs keeps the machine awake beside one that waits for a person', () => {
    const jobs = [jobRow({ id: 'asks', status: 'awaiting_steward' }), jobRow({ status: 'running' })];
    expect(needed({ jobs }, { jobs: ['asks', JOB_ID] })).toBe(true);
  });
});

describe('a turn of a conversation', () => {
  const turn = (patch: Partial<ProjectRow>, rows: Rows = {}) =>
    needed({ projects: [projectRow(patch)], ...rows }, { jobs: [], turns: [PROJECT_ID] });

  it('keeps the machine awake, also while the jobs of its project wait for a person', () => {
    expect(turn({})).toBe(true);
    expect(turn({}, { jobs: [jobRow({ status: 'awaiting_steward' })], approvals: [approvalRow()] })).toBe(true);
  });

  it('that waits for a person or for long does not', () => {
    const limit = approvalRow({ job_id: null, project_id: PROJECT_ID, kind: 'limit' });
    expect(turn({}, { approvals: [limit] })).toBe(false);
    expect(turn({ wait: wait({ until: inMs(LONGEST_WAIT_MS + 1) }) })).toBe(false);
    expect(turn({ wait: wait() })).toBe(true);
  });
});

describe('a task', () => {
  const task = (minutes: number, works = true) => {
    const fold = playedTask([{ name: 'pause', action: 'wait', params: { minutes } }]);
    fold.start();
    fold.commit(taskStepped(fold.taskId, { started: [stepBegun(1, { wake_at: inMs(minutes * 60_000) })] }));
    return needsMachine(fold.state, { works, jobs: [], turns: [] }, START_MS);
  };

  it('keeps the machine awake while it waits shortly', () => {
    expect(task(5)).toBe(true);
    expect(task(5, false)).toBe(false);
    expect(task(7 * 60)).toBe(false);
  });
});

const STATUSES = ['planning', 'running', 'waiting', 'awaiting_steward', 'paused', 'completed'] as const;
const anyWait = fc.option(
  fc.record({
    code: fc.constantFrom(...CALL_WAITS),
    reason: fc.constant('it waits'),
    since: fc.constant(START),
    until: fc.option(fc.integer({ min: -1, max: 12 }).map((hours) => inMs(hours * 3_600_000))),
  }),
);
const anyJob = fc.record({ status: fc.constantFrom(...STATUSES), wait: anyWait });
const rowsOf = (jobs: readonly Partial<JobRow>[]) => jobs.map((patch, at) => jobRow({ id: `job-${at}`, ...patch }));
const idsOf = (jobs: readonly JobRow[]) => ({ jobs: jobs.map(({ id }) => id) });

it('a running session that waits for nothing always keeps the machine awake', () => {
  fc.assert(
    fc.property(fc.array(anyJob, { maxLength: 4 }), fc.constantFrom('planning', 'running'), (others, status) => {
      const jobs = rowsOf([{ status, wait: null }, ...others]);
      const sessions = [sessionRow({ job_id: jobs[0]?.id ?? '', status: 'running' })];
      expect(needed({ jobs, sessions }, idsOf(jobs))).toBe(true);
    }),
  );
});

it('the machine may sleep whenever all work waits for a person', () => {
  const forPerson = fc.record({
    status: fc.constantFrom<JobStatus>('awaiting_steward', 'paused', 'completed', 'failed', 'cancelled'),
    wait: anyWait,
  });
  fc.assert(
    fc.property(fc.array(forPerson, { maxLength: 5 }), (patches) => {
      const jobs = rowsOf(patches);
      const approvals = jobs.map(({ id }, at) => approvalRow({ id: at + 1, job_id: id }));
      expect(needed({ jobs, approvals }, idsOf(jobs))).toBe(false);
    }),
  );
});
