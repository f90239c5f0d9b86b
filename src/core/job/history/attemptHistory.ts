/** Describes the results of earlier attempts at a feature, as plain text for the next worker. Pure. */
import type { ApprovalRow } from '../../../shared/approval.ts';
import type { AttemptRow, FeatureRow } from '../../../shared/job/rows.ts';
import type { TodoItem } from '../../../shared/job/todo.ts';
import type { State } from '../../../shared/workspace/state.ts';
import { featureAttempts } from '../../state/rows.ts';

const STEWARD_ANSWERS = 'The steward answers: ';

/** Feedback for a feature whose question was answered. */
export const stewardAnswers = (words: string): string => `${STEWARD_ANSWERS}${words}`;

/** Whether a feature's feedback is such an answer. */
export const isStewardsAnswer = (feedback: string): boolean => feedback.startsWith(STEWARD_ANSWERS);

export interface PastAttempt {
  readonly number: number;
  /** e.g. `failed (verify_failed)` */
  readonly outcome: string;
  /** The worker's own words at its end. */
  readonly report: string | null;
  /** The reason why the engine or a review did not accept it. */
  readonly feedback: string | null;
  readonly question: string | null;
  /** The steward's answer to the question. Null if there was no question, or it is not answered. */
  readonly answer: string | null;
  /** The worker's to-do list as it left it. */
  readonly todo: readonly TodoItem[];
}

/** The ended attempts at a feature, oldest first. */
export function pastAttempts(state: State, feature: FeatureRow, before: number): readonly PastAttempt[] {
  return featureAttempts(state, feature.id)
    .filter((row) => row.number < before && row.ended_at !== null)
    .map((row) => pastAttempt(state, row));
}

function pastAttempt(state: State, row: AttemptRow): PastAttempt {
  const asked = questionOf(state, row);
  const cause = row.cause === null || row.cause === row.status ? '' : ` (${row.cause})`;
  return {
    number: row.number,
    outcome: `${row.status}${cause}`,
    report: row.summary,
    feedback: row.feedback,
    question: asked?.question ?? null,
    answer: asked === undefined ? null : answerOf(asked),
    todo: row.todo,
  };
}

/** The question that the attempt ended with: the first about its feature after its start. */
function questionOf(state: State, row: AttemptRow): ApprovalRow | undefined {
  if (row.ended_at === null) return undefined;
  const { feature_id, ended_at } = row;
  return [...state.approvals.values()].find(
    (one) => one.feature_id === feature_id && one.requested_at === ended_at && one.kind !== 'pick',
  );
}

function answerOf({ status, feedback, choice, decided_by }: ApprovalRow): string | null {
  if (status !== 'approved' && status !== 'rejected') return null;
  const words = [choice, feedback].filter((part) => part !== null && part !== '').join(': ');
  const by = decided_by ?? 'steward';
  const did = status === 'approved' ? 'answered' : 'rejected the question';
  return words === '' ? `The ${by} ${status} it.` : `The ${by} ${did}: ${words}`;
}
