/** Composes the first request to a reviewer. */
import { executorFor } from '../../../core/agent/executors.ts';
import { earlierReview, phaseRecord } from '../../../core/job/history/phaseRecord.ts';
import { heldBecause } from '../../../core/job/lanes.ts';
import { ignoredText } from '../../../core/repository/ignoredChanges.ts';
import { need, phaseFeatures, phaseReviews } from '../../../core/state/rows.ts';
import type { Evidence } from '../../../shared/job/evidence.ts';
import type { PhaseRow } from '../../../shared/job/rows.ts';
import type { SessionSpec } from '../../session/ports.ts';
import { reviewerOpening, reviewerPhase } from '../../session/prompts/reviewer.ts';
import type { JobContext } from '../context.ts';
import type { FactsPorts } from '../jobFacts.ts';
import { shownDiff, sinceReview } from '../result/reviewDiffs.ts';
import { limitsNow, sharedSpec } from '../roleSpec.ts';
import { jobHead, jobTree } from '../tree/tree.ts';

/** Bytes of the diff that a reviewer is shown. It reads the rest with its tools. */
const REVIEW_DIFF_BYTES = 96 * 1024;

/** The reviewer's first request: the same for the session and for the preview. `evidence` is null in a preview before the commands ran. */
export async function reviewerAssignment(
  context: Pick<JobContext, 'clock' | 'jobId' | 'store'> & FactsPorts,
  phase: PhaseRow,
  evidence: readonly Evidence[] | null,
): Promise<SessionSpec> {
  const { state } = context.store;
  const job = need(state, 'jobs', context.jobId);
  const tree = jobTree(context.projectDir, job);
  const from = phase.base_commit ?? jobHead(job);
  const features = phaseFeatures(state, phase.id);
  const [ignored, diff, diffStat] = await Promise.all([
    context.git.ignoredChanges(tree),
    shownDiff(context.git, tree, [from, jobHead(job)], REVIEW_DIFF_BYTES),
    context.git.diffStat(tree, from, jobHead(job)),
  ]);
  const record = phaseRecord(state, job, phase);
  const executor = executorFor(job, 'reviewer');
  const opening = reviewerOpening({
    phase,
    record,
    before: await sinceReview(context.git, tree, job, earlierReview(state, phase), jobHead(job)),
    features,
    evidence,
    diff,
    diffStat,
    ignored: ignoredText(ignored),
    held: features
      .filter((row) => row.status === 'pending')
      .map((row) => ({ name: row.name, reason: heldBecause(state, row) ?? 'not started' })),
    attempt: phaseReviews(state, phase.id).filter((row) => row.verdict !== null).length + 1,
    limits: limitsNow(context, state, job, { isAttempt: true, executor }),
  });
  const handover = { assumptions: record.assumptions };
  const about = reviewerPhase({ phase, record });
  return sharedSpec(context, 'reviewer', job, { executor, projectBody: '', handover, phase: about, opening });
}
