/**
 * The reducer: computes from the rows and an event the rows that change. Pure. An event that its state machine does not allow is a failure
 * (ILLEGAL_TRANSITION, NOT_FOUND) and changes nothing. Throws STATE_NEWER for an unknown event.
 */
import { failure } from '../../shared/errors.ts';
import type { Event, EventType } from '../../shared/workspace/events.ts';
import type { Change, State } from '../../shared/workspace/state.ts';
import { answerReducers } from '../job/reduce/answers.ts';
import { attemptReducers } from '../job/reduce/attempts.ts';
import { featureReducers } from '../job/reduce/features.ts';
import { handReducers } from '../job/reduce/hand.ts';
import { jobReducers } from '../job/reduce/jobs.ts';
import { phaseReducers } from '../job/reduce/phases.ts';
import { planReducers } from '../job/reduce/plans.ts';
import { queueReducers } from '../job/reduce/queue.ts';
import { waitReducers } from '../job/reduce/waits.ts';
import { moneyReducers } from '../money/reduceMoney.ts';
import { projectAnswers, projectReducers } from '../project/reduceProjects.ts';
import { ruleReducers } from '../rule/reduceRules.ts';
import type { Reducer } from '../state/reducer.ts';
import { taskStepReducers } from '../task/reduceSteps.ts';
import { projectTaskReducers, taskReducers } from '../task/reduceTasks.ts';
import { workspaceReducers } from './reduceWorkspace.ts';

type Reducers = { readonly [T in EventType]: Reducer<T> };

/** One event that changes rows of several subjects. If one part refuses the event, nothing changes. */
const joined =
  <T extends EventType>(...parts: readonly Reducer<T>[]): Reducer<T> =>
  (state, event) =>
    parts.flatMap((part) => part(state, event));

const REDUCERS: Reducers = {
  ...workspaceReducers,
  ...projectReducers,
  ...jobReducers,
  ...planReducers,
  ...phaseReducers,
  ...attemptReducers,
  ...featureReducers,
  ...handReducers,
  ...queueReducers,
  ...answerReducers,
  ...ruleReducers,
  ...moneyReducers,
  ...taskReducers,
  ...taskStepReducers,
  ...waitReducers,
  approval_decided: joined<'approval_decided'>(answerReducers.approval_decided, projectAnswers.approval_decided),
  project_suspended: joined<'project_suspended'>(
    projectReducers.project_suspended,
    projectTaskReducers.project_suspended,
  ),
  project_resumed: joined<'project_resumed'>(projectReducers.project_resumed, projectTaskReducers.project_resumed),
  project_completed: joined<'project_completed'>(
    projectReducers.project_completed,
    projectTaskReducers.project_completed,
  ),
};

export const EVENT_TYPES = Object.keys(REDUCERS) as readonly EventType[];

export function reduce(state: State, event: Event): readonly Change[] {
  if (!Object.hasOwn(REDUCERS, event.type)) throw failure('STATE_NEWER', `there is no event ${event.type}`);
  const reducer = REDUCERS[event.type] as Reducer<EventType>;
  const changes = reducer(state, event);
  const given = changes.findLast((change) => change.table === 'meta');
  const meta = given !== undefined && 'put' in given && given.table === 'meta' ? given.put : state.meta;
  return [
    ...changes.filter((change) => change.table !== 'meta'),
    { table: 'meta', put: { ...meta, last_seq: event.seq, epoch: event.epoch } },
  ];
}
