/** The summary of a phase for the phases after it. Best effort: without one, the names of what was done serve. */
import { summarizerOpening } from '../../agent/prompts/summarizer.ts';
import { sessionSpec } from '../../agent/spec.ts';
import { need, phaseFeatures } from '../../core/rows.ts';
import type { FeatureRow, PhaseRow } from '../../shared/domain.ts';
import type { JobContext } from '../context.ts';
import { openAgentSession, sessionEnd, sessionFor } from '../sessions.ts';
import { jobHead, jobTree } from '../tree.ts';
import { closeConversation } from './attempt.ts';

export async function summarizePhase(context: JobContext, phase: PhaseRow): Promise<void> {
  await closeConversation(context);
  const { state } = context.store;
  const job = need(state, 'jobs', context.jobId);
  const features = phaseFeatures(state, phase.id);
  const tree = jobTree(context.projectDir, job);
  const opening = summarizerOpening({
    job,
    phase,
    features,
    evidence: [],
    diff: '',
    diffStat: await context.git.diffStat(tree, phase.base_commit ?? jobHead(job), jobHead(job)),
    attempt: phase.attempt,
  });
  const id = await sessionFor(context, job, 'summarizer', { phaseId: phase.id });
  const { agent, place } = await openAgentSession(
    context,
    job,
    id,
    sessionSpec('summarizer', { model: job.options.models.summarizer, opening }),
  );
  try {
    const result = await agent.run();
    if (result.outcome === 'aborted') return;
    const written = result.outcome === 'answered' && result.answer.kind === 'text' ? result.answer.text.trim() : '';
    const session =
      result.outcome === 'unavailable'
        ? ({ id, status: 'failed', error_message: result.detail, turns: result.turns } as const)
        : sessionEnd(id, result);
    const summary = written === '' ? plainSummary(features) : written;
    await context.store.commit({
      type: 'phase_summarized',
      job_id: job.id,
      phase_id: phase.id,
      attempt: phase.attempt,
      summary,
      session,
    });
  } finally {
    await place.close();
  }
}

function plainSummary(features: readonly FeatureRow[]): string {
  return features.map((feature) => `${feature.name}: ${feature.status}`).join('\n');
}
