/** What the proof of kills says of sessions and steps when all is done, on logs made by hand. */
import { expect, test } from 'vitest';
import { leftOpen } from '../support/invariants/stuck.ts';
import type { Logged } from '../support/state/eventFiles.ts';
import { planted } from '../support/suite/planted.ts';

const logged = (...events: readonly object[]): Logged[] => events as Logged[];
const session = (id: number, role: string, job_id: string | null = 'j1') => ({
  type: 'session_started',
  id,
  role,
  job_id,
});
const ended = (id: number) => ({ type: 'phase_summarized', session: { id } });
const stepped = (started: readonly number[], ends: readonly number[]) => ({
  type: 'task_stepped',
  started: started.map((step_id) => ({ step_id })),
  ended: ends.map((step_id) => ({ step_id })),
});

test('all that was begun is ended, a worker with his owner and a conversation never', () => {
  const log = logged(
    session(1, 'planner'),
    session(2, 'worker'),
    session(3, 'project', null),
    stepped([1, 2], []),
    { type: 'owner_started' },
    ended(1),
    stepped([2], [1]),
    stepped([], [2]),
  );
  expect(leftOpen(log)).toEqual([]);
});

planted('a session and a step that were not resumed', () => {
  const log = logged(session(1, 'reviewer'), stepped([1], []), { type: 'owner_started' }, session(2, 'worker'));
  expect(leftOpen(log)).toEqual([
    'session 1 of a reviewer is under way',
    'session 2 of a worker is under way',
    'step 1 is under way',
  ]);
});
