/** Events of model calls that wait. The wait is held by the row that the session works for: its job, its step, its task, or its project. */

import { CALL_WAITS } from '../../../shared/waiting.ts';
import type { Change } from '../../../shared/workspace/state.ts';
import { voidProjectQuestions } from '../../approval/reduceApprovals.ts';
import { changedWait, endedWait, waitSince } from '../../money/callWait.ts';
import type { Reducer } from '../../state/reducer.ts';
import { need, taskSteps } from '../../state/rows.ts';
import { moveJob } from './jobs.ts';

/** An unchanged row is written, so that its followers read it again. */
const asItIs = (change: Change): Change => change;

export const waitReducers = {
  wait_begun: (state, event) => {
    const { code, reason, until } = event;
    const session = need(state, 'sessions', event.session_id);
    return changedWait(state, session, (before) => waitSince(before, { code, reason, until }, event.at));
  },

  wait_ended: (state, event) => endedWait(state, need(state, 'sessions', event.session_id), CALL_WAITS),

  tried_now: (state, event) => {
    switch (event.of) {
      case 'job': {
        const job = need(state, 'jobs', event.id);
        return job.status === 'waiting' ? [{ table: 'jobs', put: moveJob(job, 'wake') }] : [];
      }
      case 'project': {
        const put = need(state, 'projects', event.id);
        return [
          asItIs({ table: 'projects', put: { ...put } }),
          ...voidProjectQuestions(
            state,
            put.id,
            'tried again',
            event.at,
            // No program and no agent takes a question back that a person is asked.
            ({ kind, task_id }) =>
              event.by === 'steward' && task_id === null && (kind === 'limit' || kind === 'provider'),
          ),
        ];
      }
      case 'task': {
        const task = need(state, 'tasks', event.id);
        return [
          asItIs({ table: 'tasks', put: { ...task } }),
          ...taskSteps(state, task)
            .filter((row) => row.wake_at !== null && (row.status === 'PENDING' || row.wait !== null))
            .map((row): Change => ({ table: 'task_steps', put: { ...row, wake_at: null } })),
        ];
      }
    }
  },
} satisfies {
  wait_begun: Reducer<'wait_begun'>;
  wait_ended: Reducer<'wait_ended'>;
  tried_now: Reducer<'tried_now'>;
};
