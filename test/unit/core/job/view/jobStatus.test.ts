import { describe, expect, it } from 'vitest';
import {
  goesOnByItself,
  isActive,
  isAtWork,
  isHeld,
  isOpen,
  isOver,
  sessionStandsStill,
} from '../../../../../src/core/job/view/jobStatus.ts';
import { JOB } from '../../../../../src/core/state/machines.ts';
import { JOB_STATUSES, type JobStatus } from '../../../../../src/shared/job/rows.ts';
import { NOTHING_AT_WORK } from '../../../../../src/shared/workspace/atWork.ts';

const which = (is: (job: { readonly status: JobStatus }) => boolean): JobStatus[] =>
  JOB_STATUSES.filter((status) => is({ status }));
const taking = (trigger: string): JobStatus[] => JOB_STATUSES.filter((status) => trigger in JOB[status]);

describe('the statuses of a job', () => {
  it('agree with its machine: what is active can be paused, what is open cancelled, and what is over nothing', () => {
    expect(which(isActive)).toEqual(taking('pause'));
    expect(which(isOpen)).toEqual(taking('cancel'));
    expect(which(isOver)).toEqual(JOB_STATUSES.filter((status) => Object.keys(JOB[status]).length === 0));
  });

  it('are held where something can wake or resume them', () => {
    expect(which(isHeld).sort()).toEqual([...taking('wake'), ...taking('resume')].sort());
  });

  it('need no person while at work or waiting for a time', () => {
    expect(which(isAtWork)).toEqual(['planning', 'running']);
    expect(which(goesOnByItself)).toEqual(['planning', 'running', 'waiting']);
  });
});

describe('a session', () => {
  it('runs only while a process works on its job, or for a session without a job, while a process works at all', () => {
    const running = (job_id: string | null) => ({ status: 'running', job_id }) as const;
    const atWork = { works: true, jobs: ['job-1'], turns: [] };
    expect(['job-1', 'job-2', null].map((id) => sessionStandsStill(running(id), atWork))).toEqual([false, true, false]);
    expect(sessionStandsStill(running(null), NOTHING_AT_WORK)).toBe(true);
    expect(sessionStandsStill({ status: 'completed', job_id: 'job-1' }, NOTHING_AT_WORK)).toBe(false);
  });
});
