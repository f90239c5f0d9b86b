/** Reduces the events of the merge queue. A merge itself is the end of its attempt: `attempts.ts`. */
import { failure } from '../../../shared/errors.ts';
import type { AttemptReturn } from '../../../shared/job/rows.ts';
import { completeSideReviews } from '../../state/abandon.ts';
import { ATTEMPT, step } from '../../state/machines.ts';
import type { Reducer } from '../../state/reducer.ts';
import { need } from '../../state/rows.ts';
import { rested } from '../../state/workTime.ts';
import { NO_RESULT } from './attempts.ts';

export const queueReducers = {
  attempt_queued: (state, event) => {
    const attempt = need(state, 'attempts', event.id);
    if (attempt.feature_id === null)
      throw failure('ILLEGAL_TRANSITION', `attempt ${attempt.id} is a review: it is not merged`);
    const { cause, summary, commit, evidence, diff, changed, kept, left } = event;
    const status = step(`attempt ${attempt.id}`, ATTEMPT, attempt.status, 'queue');
    const result = { cause, summary, commit, evidence, diff, changed, kept, left };
    return [
      { table: 'attempts', put: rested({ ...attempt, ...result, status, queued_at: event.at }, event.at) },
      { table: 'sessions', put: rested(need(state, 'sessions', attempt.session_id), event.at) },
    ];
  },
  attempt_returned: (state, event) => {
    const attempt = need(state, 'attempts', event.id);
    const status = step(`attempt ${attempt.id}`, ATTEMPT, attempt.status, 'return');
    const { cause, onto, start, paths, detail, at } = event;
    if (need(state, 'jobs', attempt.job_id).head !== onto)
      throw failure(
        'ILLEGAL_TRANSITION',
        `attempt ${attempt.id} cannot continue on ${onto}: that is not the job's head`,
      );
    const returned: AttemptReturn = { cause, base: attempt.base_commit, onto, paths, detail, at };
    // What is kept of its work is replaced when it continues.
    const { kept } = attempt;
    const put = { ...attempt, ...NO_RESULT, kept, left: null, status, queued_at: null, base_commit: onto, start };
    return [
      { table: 'attempts', put: { ...put, returns: [...attempt.returns, returned] } },
      // The work that fits in is reviewed again.
      ...completeSideReviews(state, attempt, at),
    ];
  },
} satisfies {
  attempt_queued: Reducer<'attempt_queued'>;
  attempt_returned: Reducer<'attempt_returned'>;
};
