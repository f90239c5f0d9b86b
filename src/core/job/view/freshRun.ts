/** Describes the origin of a command's result, and whether a fresh checkout and the worker's tree disagree. */
import type { Evidence } from '../../../shared/job/evidence.ts';

type Ended = Pick<Evidence, 'exitCode' | 'ended' | 'fresh'>;

export const hasPassed = ({ exitCode, ended }: Pick<Evidence, 'exitCode' | 'ended'>): boolean =>
  exitCode === 0 && ended === null;

/** Whether the fresh checkout and the worker's tree disagree about a command. */
export function differs({ fresh, ...one }: Ended): boolean {
  return fresh !== undefined && fresh.inTree !== null && (fresh.inTree === 'passed') !== hasPassed(one);
}

/** Origin of the result after a comma, for people and models. Empty for evidence of the worker's tree. */
export function originText(one: Ended): string {
  if (one.fresh === undefined) return '';
  return differs(one) ? `, in a fresh checkout, but ${one.fresh.inTree} in the worker's tree` : ', in a fresh checkout';
}
