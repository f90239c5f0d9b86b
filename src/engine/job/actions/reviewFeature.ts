/** The review of one feature, when the job wants one: part of the attempt, its rejection is a failed attempt. */

import { executorFor } from '../../../core/agent/executors.ts';
import { earlierFeatureReview, phaseRecord, reportUnderReview } from '../../../core/job/history/phaseRecord.ts';
import { featureAttempts } from '../../../core/state/rows.ts';
import type { Evidence } from '../../../shared/job/evidence.ts';
import type { FeatureRow, JobRow, PhaseRow } from '../../../shared/job/rows.ts';
import { reviewerOpening, reviewerPhase } from '../../session/prompts/reviewer.ts';
import type { JobContext } from '../context.ts';
import { shownDiff, sinceReview } from '../result/reviewDiffs.ts';
import { limitsNow, sharedSpec } from '../roleSpec.ts';
import { routeReviewer } from '../routes.ts';
import { jobTree } from '../tree/tree.ts';
import { sessionFor, waitOrAskSteward } from '../work/sessionRow.ts';
import { openAgentSession } from '../work/sessions.ts';

const DIFF_BYTES = 64 * 1024;

interface ReviewedChange {
  readonly diff: string;
  readonly diffStat: string;
  /** The commit that is judged. */
  readonly to: string;
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
    shownDiff(context.git, tree, [from, to], DIFF_BYTES),
    context.git.diffStat(tree, from, to),
  ]);
  return { diff, diffStat, to };
}

/** Returns null if approved, otherwise the feedback. */
export async function reviewFeature(
  context: JobContext,
  job: JobRow,
  phase: PhaseRow,
  feature: FeatureRow,
  /** `report` is the worker's report of the attempt. */
  of: ReviewedChange & { readonly evidence: readonly Evidence[]; readonly report?: string },
): Promise<string | null | 'interrupted'> {
  const { state } = context.store;
  const record = phaseRecord(state, job, phase, feature);
  const attempts = featureAttempts(state, feature.id);
  const attempt = attempts.length;
  const reviews = attempts.at(-1)?.id;
  const executor = executorFor(job, 'reviewer');
  const opening = reviewerOpening({
    phase,
    record: of.report === undefined ? record : { ...record, reports: [reportUnderReview(feature, attempt, of.report)] },
    before: await sinceReview(
      context.git,
      jobTree(context.projectDir, job),
      job,
      earlierFeatureReview(state, feature),
      of.to,
    ),
    features: [feature],
    evidence: of.evidence,
    diff: of.diff,
    diffStat: of.diffStat,
    held: [],
    attempt,
    limits: limitsNow(context, state, job, { isAttempt: false, executor }),
    feature,
  });
  const handover = { assumptions: record.assumptions };
  const about = reviewerPhase({ phase, record });
  const spec = await sharedSpec(context, 'reviewer', job, {
    executor,
    projectBody: '',
    handover,
    phase: about,
    opening,
  });
  const { model } = routeReviewer(state, job, phase);
  const id = await sessionFor(context, job, 'reviewer', {
    phaseId: phase.id,
    model,
    ...(reviews === undefined ? {} : { reviews }),
  });
  const { agent, close } = await openAgentSession(context, job, id, spec, of.to);
  try {
    const result = await agent.run();
    if (result.outcome === 'aborted') return 'interrupted';
    if (result.outcome === 'unavailable') {
      await waitOrAskSteward(context, result);
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
