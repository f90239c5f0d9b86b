/** Decides the verdict of a review from the reviewer's answer and the evidence. */
import { failsAsBefore } from '../../../core/job/result/baseline.ts';
import { differenceText } from '../../../core/job/result/freshCheck.ts';
import { hasPassed } from '../../../core/job/view/freshRun.ts';
import type { Evidence } from '../../../shared/job/evidence.ts';
import type { Verdict } from '../../../shared/job/plan.ts';
import type { JobRow } from '../../../shared/job/rows.ts';
import type { SessionResult } from '../../session/ports.ts';

/** A missing verdict never approves: a missing or contradictory verdict goes to the steward. */
export function verdictOf(
  job: JobRow,
  result: SessionResult,
  anythingCompleted: boolean,
  evidence: readonly Evidence[],
): Verdict {
  if (result.outcome !== 'answered' || result.answer.kind !== 'verdict') {
    const why = result.outcome === 'ended' ? `${result.reason}: ${result.detail}` : 'it gave no verdict';
    return { verdict: 'ESCALATE', reason: `The review ended without a verdict (${why}).`, feedback: '', reopen: [] };
  }
  const { verdict } = result.answer;
  if (verdict.verdict === 'APPROVED' && !anythingCompleted) {
    return {
      ...verdict,
      verdict: 'ESCALATE',
      reason: `No feature of this phase is completed, yet the reviewer approved it: ${verdict.reason}`,
    };
  }
  const failing = evidence.find((one) => !hasPassed(one));
  if (verdict.verdict === 'APPROVED' && failing !== undefined) {
    const before = failsAsBefore(job, failing) ? ', as it did before any work' : '';
    const reason = `\`${failing.command}\` failed in a fresh checkout${before}, yet the reviewer approved it: ${verdict.reason}`;
    return { ...verdict, verdict: 'ESCALATE', reason };
  }
  return verdict;
}

/** The worker sees no evidence: what passed in its tree and nowhere else is part of the feedback. */
export function withDifference(verdict: Verdict, evidence: readonly Evidence[]): Verdict {
  const difference = differenceText(evidence);
  if (verdict.verdict !== 'REJECTED' || difference === null) return verdict;
  return { ...verdict, feedback: [verdict.feedback || verdict.reason, difference].join('\n\n') };
}
