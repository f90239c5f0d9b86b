/** A worker's to-do list: what of it counts, and what people and later attempts see of it. */
import { describe, expect, it } from 'vitest';
import { openTodo, todoLines, todoText } from '../../../../../src/core/job/history/todo.ts';
import { panelMaker } from '../../../../../src/core/workspace/panel.ts';
import { type TodoItem, todoProgress } from '../../../../../src/shared/job/todo.ts';
import { NO_LOOK } from '../../../../../src/shared/workspace/panel.ts';
import { attemptRow, featureRow, jobRow, phaseRow, planOf, stateOf } from '../../../../support/state/builders.ts';
import { acceptedJob, attemptBegun, attemptEnded, phaseStarted } from '../../../../support/state/fold.ts';

const LIST: readonly TodoItem[] = [
  { text: 'Write push', state: 'done' },
  { text: 'Write pop', state: 'in_progress' },
  { text: 'Test both', state: 'pending' },
];

const set = (id: number, items = LIST) => ({ type: 'attempt_todo_set', id, job_id: 'job-1', items }) as const;

function working() {
  const fold = acceptedJob(planOf({ Core: ['push'] }));
  fold.commit(phaseStarted(), ...attemptBegun(1, 1));
  return fold;
}

describe('a list as text', () => {
  it('states how far it is and what is in progress', () => {
    const progress = todoProgress(LIST);
    expect(progress).toEqual({ done: 1, total: 3, current: 'Write pop' });
    expect(progress === null ? '' : todoText(progress)).toBe('1/3: Write pop');
    expect(todoProgress([])).toBeNull();
    expect(todoLines(LIST)).toEqual(['[x] Write push', '[>] Write pop', '[ ] Test both']);
  });

  it.each([
    ['running', LIST],
    ['interrupted', LIST],
    ['failed', []],
    ['succeeded', []],
  ] as const)('of an attempt that is %s', (status, shown) => {
    expect(openTodo(attemptRow({ status, todo: LIST }))).toEqual(shown);
  });
});

describe('the event', () => {
  it('replaces the list of a running attempt', () => {
    const fold = working();
    fold.commit(set(1), set(1, LIST.slice(1)));
    expect(fold.state.attempts.get(1)?.todo).toEqual(LIST.slice(1));
  });

  it('is refused once the attempt is over', () => {
    const fold = working();
    fold.commit(attemptEnded({ id: 1, job_id: 'job-1', status: 'failed', cause: 'verify_failed' }));
    expect(() => fold.commit(set(1))).toThrow('attempt 1 is not a worker');
  });

  it.each([
    ['the same conversation keeps it', 1, LIST],
    ['another conversation starts without one', 2, []],
  ] as const)('another attempt: %s', (_, session, todo) => {
    const fold = working();
    fold.commit(set(1), attemptEnded({ id: 1, job_id: 'job-1', status: 'failed', cause: 'verify_failed' }));
    const [begun, started] = attemptBegun(2, 1);
    if (begun === undefined || started?.type !== 'attempt_started') throw new Error('no attempt');
    fold.commit(begun, { ...started, session_id: session });
    expect(fold.state.attempts.get(2)?.todo).toEqual(todo);
  });
});

describe('the board', () => {
  const shown = (status: 'running' | 'interrupted' | 'failed') => {
    const state = stateOf({
      jobs: [jobRow()],
      phases: [phaseRow()],
      features: [featureRow({ status: 'in_progress' })],
      attempts: [attemptRow({ todo: LIST, status })],
    });
    const frame = { banner: null, mode: 'owner' } as const;
    return panelMaker().view(state, '2026-11-02', frame, { ...NO_LOOK, featureId: 1 }, 0);
  };

  it('shows the progress on the card, and the whole list in the details', () => {
    expect(shown('running').cards[0]?.todo).toEqual({ done: 1, total: 3, current: 'Write pop' });
    expect(shown('interrupted').cards[0]?.todo).not.toBeNull();
    expect(shown('failed').cards[0]?.todo).toBeNull();
    expect(shown('failed').details?.attempts[0]?.todo).toEqual(LIST);
  });
});
