/** What a project's thread holds of a job that is over: no more than one that is loaded then. */
import { expect, test } from 'vitest';
import { forgetPast, projectState } from '../../../../src/core/project/projectState.ts';
import type { State } from '../../../../src/shared/workspace/state.ts';
import {
  attemptRow,
  featureRow,
  jobRow,
  messageRow,
  PROJECT_ID,
  phaseRow,
  sessionRow,
  spendRow,
  stateOf,
} from '../../../support/state/builders.ts';

const messages = Array.from({ length: 150 }, (_, k) =>
  messageRow({ id: k + 1, direction: k % 2 === 0 ? 'out' : 'in', sender: k % 2 === 0 ? 'project' : 'steward' }),
);

function stateWith(status: 'running' | 'completed', read_at: string | null): State {
  const of = (job_id: string, id: number) => ({
    phases: phaseRow({ id, job_id }),
    features: featureRow({ id, job_id, phase_id: id }),
    attempts: attemptRow({ id, job_id, feature_id: id }),
    sessions: sessionRow({ id, job_id }),
    spends: spendRow({ id, job_id }),
  });
  const [one, other] = [of('one', 1), of('other', 2)];
  return stateOf({
    jobs: [jobRow({ id: 'one', status }), jobRow({ id: 'other' })],
    phases: [one.phases, other.phases],
    features: [one.features, other.features],
    attempts: [one.attempts, other.attempts],
    sessions: [one.sessions, other.sessions],
    spends: [one.spends, other.spends, spendRow({ id: 3, job_id: null })],
    messages: messages.map((row) => ({ ...row, read_at })),
  });
}

test('of a job that is over, and of messages that were read long ago, as little is kept as is loaded', () => {
  const own = projectState(stateWith('running', null), PROJECT_ID);
  expect([own.attempts.size, own.spends.size]).toEqual([2, 3]);
  const over = stateWith('completed', '2026-11-02T12:00:00.000Z');
  for (const row of over.jobs.values()) own.jobs.set(row.id, row);
  for (const row of over.messages.values()) own.messages.set(row.id, row);

  forgetPast(own, (jobId) => jobId === 'one');
  expect([own.attempts.size, own.spends.size, own.messages.size]).toEqual([2, 3, 100]);
  forgetPast(own, () => false);
  expect(own).toEqual(projectState(over, PROJECT_ID));
  expect([...own.attempts.keys(), ...own.spends.keys()]).toEqual([2, 2, 3]);
});

test('what was passed on here and waits to be read keeps its origin', () => {
  const before = stateOf({
    messages: [
      ...messages.slice(0, 100).map((row) => ({ ...row, id: row.id + 1, read_at: '2026-11-02T12:00:00.000Z' })),
      messageRow({ id: 1, direction: 'out', sender: 'project' }),
      messageRow({ id: 200, direction: 'in', relayed_from: 1, read_at: null }),
    ],
  });
  const own = projectState(before, PROJECT_ID);
  forgetPast(own, () => false);
  expect(own.messages.has(1)).toBe(true);
});
