/** Effect of rejecting a question. Only a person's `cancel` discards work: a job that can continue later is paused. */
import type { ApprovalRow, Refusal } from '../../shared/approval.ts';
import type { State } from '../../shared/workspace/state.ts';
import { othersRemain } from '../agent/executors.ts';
import { askedOf } from './about.ts';

type Asked = Pick<ApprovalRow, 'kind' | 'subject' | 'job_id' | 'feature_id'>;

/** The effect that every surface shows before and after a rejection, and that `nextAction` and the reducers apply. */
export function refusalOf(state: State, asked: Asked): Refusal {
  const { kind, job_id, feature_id } = asked;
  const about = askedOf(asked);
  if (job_id === null) return null;
  switch (kind) {
    case 'limit':
      return feature_id === null ? 'pauses' : givenUp(state, feature_id);
    case 'conflict':
    case 'dirty_tree':
    case 'unmergeable':
      return 'pauses';
    case 'provider':
      return 'ends';
    case 'setup':
      if (about.of !== 'failedSetup') return 'skips';
      return about.added === null ? 'ends' : 'pauses';
    case 'escalate':
      return about.of === 'planner' ? 'ends' : null;
    case 'stuck':
      if (feature_id !== null) return givenUp(state, feature_id);
      // The question is about one verify command of a phase or of the result, or about all commands.
      return about.of === 'command' || about.of === 'toolMissing' ? 'pauses' : null;
    case 'crashes':
      return feature_id === null ? 'ends' : givenUp(state, feature_id);
    case 'command':
    case 'plan':
    case 'phase':
    case 'pick':
    case 'merge':
    case 'workdir':
    case 'definition':
    case 'relay':
    case 'project':
    case 'task':
      return null;
  }
}

function givenUp(state: State, featureId: number): Refusal {
  const feature = state.features.get(featureId);
  return feature !== undefined && othersRemain(state, feature) ? 'drops' : 'fails';
}
