/** When the operating system tells of Autonomous: only where the user wants it, is at this machine and looks elsewhere. */
import { describe, expect, it } from 'vitest';
import { lookedAt, newsFor, type WindowState } from '../../../../src/core/workspace/osNotices.ts';
import type { JobStatus } from '../../../../src/shared/job/rows.ts';
import { approvalRow, jobRow, stateOf } from '../../../support/state/builders.ts';

const AWAY: WindowState = { enabled: true, focused: false, isHere: true };

const asked = (...ids: number[]) => ids.map((id) => approvalRow({ id, job_id: 'a' }));
const jobs = (...statuses: JobStatus[]) => statuses.map((status, at) => jobRow({ id: `job-${at}`, status }));

describe('nothing is told', () => {
  const [before, after] = [stateOf({}), stateOf({ approvals: asked(1) })];
  it.each<[string, Partial<WindowState>]>([
    ['unless it is switched on', { enabled: false }],
    ['while VS Code is in front', { focused: true }],
    ['where the window is on another machine', { isHere: false }],
  ])('%s', (_, windowState) => expect(newsFor({ ...AWAY, ...windowState }, lookedAt(before), after)).toBeNull());

  it('of what was there before, and of jobs that were over when they were first seen', () => {
    expect(newsFor(AWAY, lookedAt(after), after)).toBeNull();
    expect(newsFor(AWAY, lookedAt(before), stateOf({ jobs: jobs('completed', 'failed') }))).toBeNull();
  });

  it('of a job that the user cancelled', () => {
    expect(
      newsFor(AWAY, lookedAt(stateOf({ jobs: jobs('running') })), stateOf({ jobs: jobs('cancelled') })),
    ).toBeNull();
  });
});

it('counts what waits and what ended since the last look', () => {
  const before = stateOf({ approvals: asked(1), jobs: jobs('running', 'paused', 'running', 'completed') });
  const after = stateOf({ approvals: asked(1, 2, 3), jobs: jobs('completed', 'failed', 'running', 'completed') });
  expect(newsFor(AWAY, lookedAt(before), after)).toEqual({ approvals: 2, completed: 1, failed: 1 });
});

it('counts the questions of one cause once', () => {
  const parts = { kind: 'provider', subject: 'provider:KEY_MISSING:1' } as const;
  const both = ['a', 'b'].map((job_id, at) => approvalRow({ id: at + 1, job_id, ...parts }));
  expect(newsFor(AWAY, lookedAt(stateOf({})), stateOf({ approvals: both }))).toMatchObject({ approvals: 1 });
});
