/** How things turn out that the core cannot know: models, git, commands. */
import type { Verdict } from '../../../../src/shared/job/plan.ts';
import type { Dice } from './world.ts';

/** How things turn out: the first of a list is taken for dice that show 0. */
export interface Luck {
  readonly worker: readonly WorkerEnd[];
  readonly review: readonly ReviewEnd[];
  readonly planner: readonly ('plan' | 'refused' | 'unavailable')[];
  readonly result: readonly ('fine' | 'broken')[];
  readonly merge: readonly ('done' | 'moved' | 'conflict' | 'refused')[];
}

type WorkerEnd =
  | 'succeeded'
  | 'unchanged'
  | 'failed'
  | 'stuck'
  | 'blocked'
  | 'crash'
  | 'command'
  | 'unavailable'
  | 'limit'
  | 'abandoned';
type ReviewEnd = Verdict['verdict'] | 'crash' | 'unavailable' | 'no_verdict';

export const ANY_LUCK: Luck = {
  worker: [
    ...(['succeeded', 'succeeded', 'succeeded', 'failed', 'failed', 'unchanged', 'stuck', 'blocked'] as const),
    ...(['crash', 'command', 'unavailable', 'limit', 'abandoned'] as const),
  ],
  review: ['APPROVED', 'APPROVED', 'REJECTED', 'REJECTED', 'ESCALATE', 'crash', 'unavailable', 'no_verdict'],
  planner: ['plan', 'plan', 'refused', 'unavailable'],
  result: ['fine', 'fine', 'broken'],
  merge: ['done', 'done', 'moved', 'conflict', 'refused'],
};

/** Most things go well, so that games get far. */
export const FAIR_LUCK: Luck = {
  worker: [...Array.from({ length: 20 }, () => 'succeeded' as const), ...ANY_LUCK.worker],
  review: [...Array.from({ length: 8 }, () => 'APPROVED' as const), ...ANY_LUCK.review],
  planner: ['plan', 'plan', 'plan', ...ANY_LUCK.planner],
  result: ['fine', 'fine', ...ANY_LUCK.result],
  merge: ['done', ...ANY_LUCK.merge],
};

export const LUCKY: Luck = {
  worker: ['succeeded'],
  review: ['APPROVED'],
  planner: ['plan'],
  result: ['fine'],
  merge: ['done'],
};

/** One of a list that is not empty. */
export function pick<T>(list: readonly T[], dice: Dice): T {
  return list[dice(list.length)] as T;
}
