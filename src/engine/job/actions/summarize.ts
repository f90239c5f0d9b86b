/**
 * Writes the summary of an approved phase for the later phases. Best effort: without one, the names of completed features serve.
 */

import { phaseRecord } from '../../../core/job/history/phaseRecord.ts';
import { need, phaseFeatures } from '../../../core/state/rows.ts';
import type { FeatureRow, PhaseRow } from '../../../shared/job/rows.ts';
import type { SessionSpec } from '../../session/ports.ts';
import { summarizerOpening } from '../../session/prompts/summarizer.ts';
import type { JobContext } from '../context.ts';
import { roleSpec } from '../roleSpec.ts';
import { jobHead, jobTree } from '../tree/tree.ts';
import { sessionEnd, sessionFor } from '../work/sessionRow.ts';
import { openAgentSession } from '../work/sessions.ts';
import { closeConversation } from './attempt.ts';

export async function summarizePhase(context: JobContext, phase: PhaseRow): Promise<void> {
  await closeConversation(context);
  const job = need(context.store.state, 'jobs', context.jobId);
  const spec = await summarizerAssignment(context, phase);
  const id = await sessionFor(context, job, 'summarizer', { phaseId: phase.id });
  const { agent, close } = await openAgentSession(context, job, id, spec);
  try {
    const result = await agent.run();
    if (result.outcome === 'aborted') return;
    const written = result.outcome === 'answered' && result.answer.kind === 'text' ? result.answer.text.trim() : '';
    const session =
      result.outcome === 'unavailable'
        ? ({ id, status: 'failed', error_message: result.detail, turns: result.turns } as const)
        : sessionEnd(id, result);
    const summary = written === '' ? plainSummary(phaseFeatures(context.store.state, phase.id)) : written;
    await context.store.commit({
      type: 'phase_summarized',
      job_id: job.id,
      phase_id: phase.id,
      attempt: phase.attempt,
      summary,
      session,
    });
  } finally {
    await close();
  }
}

/** The assignment of the summarizer: the same text for the session and for the preview. */
export async function summarizerAssignment(
  context: Pick<JobContext, 'git' | 'jobId' | 'projectDir' | 'store'>,
  phase: PhaseRow,
): Promise<SessionSpec> {
  const { state } = context.store;
  const job = need(state, 'jobs', context.jobId);
  const review = phase.review_attempt === null ? undefined : state.attempts.get(phase.review_attempt);
  const opening = summarizerOpening({
    job,
    phase,
    record: phaseRecord(state, job, phase),
    verdict: review?.verdict ?? null,
    features: phaseFeatures(state, phase.id),
    evidence: review?.evidence ?? [],
    diffStat: await context.git.diffStat(
      jobTree(context.projectDir, job),
      phase.base_commit ?? jobHead(job),
      jobHead(job),
    ),
    attempt: phase.attempt,
  });
  return roleSpec('summarizer', job, { opening });
}

function plainSummary(features: readonly FeatureRow[]): string {
  return features.map((feature) => `${feature.name}: ${feature.status}`).join('\n');
}
