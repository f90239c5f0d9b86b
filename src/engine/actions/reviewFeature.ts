/** The review of one feature, when the job wants one: part of the attempt, its rejection is a failed attempt. */
import { reviewerOpening } from '../../agent/prompts/reviewer.ts';
import { sessionSpec } from '../../agent/spec.ts';
import { decisionsOf } from '../../core/decisions.ts';
import { featureAttempts } from '../../core/rows.ts';
import type { Evidence, FeatureRow, JobRow, PhaseRow } from '../../shared/domain.ts';
import type { JobContext } from '../context.ts';
import { openAgentSession, sessionFor, standBy } from '../sessions.ts';
import { jobTree } from '../tree.ts';

const DIFF_BYTES = 64 * 1024;

interface ReviewedChange {
  readonly diff: string;
  readonly diffStat: string;
}

/** The change as the reviewer sees it. */
export async function reviewedChange(
  context: JobContext,
  job: JobRow,
  from: string,
  to: string,
): Promise<ReviewedChange> {
  const tree = jobTree(context.projectDir, job);
  const [diff, diffStat] = await Promise.all([
    context.git.diff(tree, from, to, DIFF_BYTES),
    context.git.diffStat(tree, from, to),
  ]);
  return { diff, diffStat };
}

/** null: approved. Text: what to do differently. */
export async function reviewFeature(
  context: JobContext,
  job: JobRow,
  phase: PhaseRow,
  feature: FeatureRow,
  of: ReviewedChange & { readonly evidence: readonly Evidence[] },
): Promise<string | null | 'interrupted'> {
  const opening = reviewerOpening({
    job,
    phase,
    decisions: decisionsOf(context.store.state, job.id),
    features: [feature],
    evidence: of.evidence,
    diff: of.diff,
    diffStat: of.diffStat,
    held: [],
    attempt: featureAttempts(context.store.state, feature.id).length,
    feature,
  });
  const id = await sessionFor(context, job, 'reviewer', { phaseId: phase.id });
  const { agent, close } = await openAgentSession(
    context,
    job,
    id,
    sessionSpec('reviewer', { model: job.options.models.reviewer, opening }),
  );
  try {
    const result = await agent.run();
    if (result.outcome === 'aborted') return 'interrupted';
    if (result.outcome === 'unavailable') {
      await standBy(context, result);
      return 'interrupted';
    }
    // The end of the attempt ends this session: a kill in between must not pay for the verdict again.
    if (result.outcome === 'ended' || result.answer.kind !== 'verdict')
      return 'The review of this feature gave no verdict.';
    const { verdict, feedback, reason } = result.answer.verdict;
    return verdict === 'APPROVED' ? null : feedback === '' ? reason : feedback;
  } finally {
    await close();
  }
}
