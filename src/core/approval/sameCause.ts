/** Groups questions that wait for the same cause outside their jobs: the steward sees one, and one answer settles all. */
import type { ApprovalRow } from '../../shared/approval.ts';
import type { ErrorCode } from '../../shared/errors.ts';
import type { State } from '../../shared/workspace/state.ts';
import { connectionsUsed } from '../money/price/connectionsUsed.ts';
import { failureAsked } from './about.ts';
import { askedAbout, pendingApprovals, questionKey } from './stewardship.ts';

/** Causes at a connection: all jobs with the same connections wait for the same fix. */
const AT_PROVIDER: readonly ErrorCode[] = ['KEY_MISSING', 'KEY_REFUSED', 'NO_CREDIT'];

/** Causes on this machine. The question names the missing part, so only equal questions have one cause. */
const ON_MACHINE: readonly ErrorCode[] = [
  'SANDBOX_UNAVAILABLE',
  'GIT_MISSING',
  'MODEL_UNPRICED',
  'AGENT_MISSING',
  'AGENT_LOGIN',
  'AGENT_VERSION',
  'AGENT_UNUSABLE',
];

/** One question of the inbox: the oldest of its cause, with the others that its answer settles. */
export interface OpenQuestion {
  readonly row: ApprovalRow;
  readonly others: readonly ApprovalRow[];
}

/** Pending questions, grouped by cause, oldest first. */
export function openQuestions(state: State): readonly OpenQuestion[] {
  const groups = Map.groupBy(pendingApprovals(state), (row) => causeOf(state, row) ?? `question ${row.id}`);
  return [...groups.values()].flatMap(([row, ...others]) => (row === undefined ? [] : [{ row, others }]));
}

/** Other pending questions with the cause of this one. Empty if no other question has this cause. */
export function sameCause(state: State, asked: ApprovalRow): readonly ApprovalRow[] {
  const cause = causeOf(state, asked);
  if (cause === null) return [];
  return pendingApprovals(state).filter((row) => row.id !== asked.id && causeOf(state, row) === cause);
}

/** One batch of causes for which the steward was not notified yet. A question with a known cause sends no new notification. */
export function untold(state: State, told: ReadonlySet<string>): readonly OpenQuestion[] {
  return openQuestions(state).filter(({ row, others }) => [row, ...others].every((one) => !told.has(questionKey(one))));
}

/** Titles of jobs and names of tasks and projects that are waiting for the answer, each once. */
export function waitingFor(state: State, row: ApprovalRow, others: readonly ApprovalRow[]): readonly string[] {
  return [...new Set([row, ...others].map((one) => askedAbout(state, one)))];
}

/** Null if the question is about its own job, task or project alone. */
function causeOf(state: State, row: ApprovalRow): string | null {
  const code = failureAsked(row);
  if (code === null) return null;
  if (AT_PROVIDER.includes(code)) return `${code} of ${[...connectionsUsed(state, row)].sort().join(', ')}`;
  return ON_MACHINE.includes(code) ? `${code}: ${row.question}` : null;
}
