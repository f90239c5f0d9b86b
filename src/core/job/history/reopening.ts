/** States who rejected a feature, or asked for a fix, and why. Pure, from the rows alone. */
import type { ApprovalRow } from '../../../shared/approval.ts';
import type { AttemptRow, FeatureRow, PhaseRow } from '../../../shared/job/rows.ts';
import type { State } from '../../../shared/workspace/state.ts';
import { askedOf } from '../../approval/about.ts';
import { featureAttempts, jobApprovals, phaseReviews } from '../../state/rows.ts';
import { cutText } from '../../text/cutText.ts';
import { asksToAccept } from '../gate/acceptResult.ts';

/** Limit of a reviewer's reason, in characters. Its feedback is shown whole. */
const MAX_REASON = 1_000;
const FIX = 'This feature is what has to change.';
const RESULT_FAILED =
  'All phases were approved. Then the engine ran the verify commands on the whole result in a fresh checkout, and it failed.';

/**
 * Explains to the worker of attempt `before` why the feature is open again. Null if it was not sent back since its last attempt, and is not a fix.
 */
export function whyOpen(state: State, feature: FeatureRow, before: number): string | null {
  const phase = feature.phase_id === null ? undefined : state.phases.get(feature.phase_id);
  if (phase === undefined) return null;
  const last = featureAttempts(state, feature.id).findLast((row) => row.number < before);
  if (last !== undefined) return whyAgain(state, phase, feature, last);
  const why = isFix(feature) ? whyFix(state, phase, feature) : null;
  return why === null ? null : `${why} ${FIX}`;
}

/** Whether a rejection made the feature. The steward can also add features by hand. */
const isFix = ({ created_by, category }: FeatureRow): boolean =>
  category === 'fix' && (created_by === 'review' || created_by === 'steward');

function whyFix(state: State, phase: PhaseRow, { created_by, created_at }: FeatureRow): string | null {
  const isBefore = (at: string | null): boolean => at !== null && at <= created_at;
  const review = phaseReviews(state, phase.id).findLast(({ ended_at }) => isBefore(ended_at));
  const refused = refusals(state, phase).findLast(({ decided_at }) => isBefore(decided_at));
  if (created_by === 'review') return sentBack(state, phase, review) ?? RESULT_FAILED;
  if (refused?.phase_id === null) return `The steward refused the result (question ${refused.id}).`;
  return sentBack(state, phase, review);
}

function whyAgain(state: State, phase: PhaseRow, feature: FeatureRow, last: AttemptRow): string | null {
  const review = phaseReviews(state, phase.id).findLast(({ id }) => id > last.id);
  const isNamed = review?.verdict?.reopen.includes(feature.name) === true;
  const by = isNamed ? sentBack(state, phase, review) : null;
  const others = (review?.verdict?.reopen ?? []).filter((name) => name !== feature.name);
  if (by !== null && others.length > 0) return `${by} ${openedWith(others)}`;
  return by ?? (last.status === 'succeeded' ? 'The steward opened this feature again.' : null);
}

/** The feedback of a review is one text for all features that it opens again. */
function openedWith(names: readonly string[]): string {
  const listed = names.map((name) => JSON.stringify(name)).join(', ');
  return `Opened again with it, and worked on separately: ${listed}. Do only the points that are about your feature.`;
}

/** The sentences on a rejection of the phase. Null if neither the reviewer nor the steward rejected it. */
function sentBack(state: State, { id, job_id, number }: PhaseRow, review: AttemptRow | undefined): string | null {
  if (review?.verdict == null) return null;
  const { verdict, reason } = review.verdict;
  const words = `Its reason: ${cutText(sentence(reason), MAX_REASON)}`;
  const asked = refusals(state, { id, job_id }).find((row) => isAfter(row, review.id));
  if (asked === undefined) return verdict === 'REJECTED' ? `The reviewer rejected phase ${number}. ${words}` : null;
  return `The steward rejected phase ${number} (question ${asked.id}). The reviewer ${DECIDED[verdict]}. ${words}`;
}

/** With an end, because other sentences follow. */
const sentence = (text: string): string => text.trim().replace(/([^.!?…:])$/, '$1.');

/** Returns a line for each rejection of the phase before this review, oldest first, with author and reason. */
export function earlierRejections(state: State, phase: PhaseRow, { id: before }: AttemptRow): readonly string[] {
  const refused = refusals(state, phase);
  return phaseReviews(state, phase.id).flatMap(({ id, verdict }) => {
    if (id >= before || verdict === null) return [];
    const asked = refused.find((row) => isAfter(row, id));
    if (asked !== undefined) return [`the steward (question ${asked.id}): ${asked.feedback ?? ''}`];
    return verdict.verdict === 'REJECTED' ? [`the reviewer: ${verdict.reason}`] : [];
  });
}

const DECIDED = {
  APPROVED: 'had approved it',
  REJECTED: 'had rejected it too',
  ESCALATE: 'could not decide',
} as const;

/** Whether it is the gate of this review. */
function isAfter(asked: ApprovalRow, review: number): boolean {
  const about = askedOf(asked);
  return (about.of === 'phase' || about.of === 'escalate') && about.review === review;
}

/** Refusals of the phase and of the whole result. A refusal of the result is void once it was carried out. */
function refusals(state: State, phase: Pick<PhaseRow, 'id' | 'job_id'>): ApprovalRow[] {
  return jobApprovals(state, phase.job_id).filter((row) => {
    const { kind, phase_id, status, decided_by } = row;
    if (phase_id === phase.id) return (kind === 'phase' || kind === 'escalate') && status === 'rejected';
    if (kind !== 'merge' && !asksToAccept(row)) return false;
    return status === 'rejected' || (status === 'void' && decided_by !== null && decided_by !== 'rule');
  });
}
