/** The plan: a planner session, and the faults that a schema cannot see. */

import { executorFor } from '../../../core/agent/executors.ts';
import { decisionsOf } from '../../../core/job/history/decisions.ts';
import { ownPlan, plannedFeatures, unplannedFeatures } from '../../../core/job/plan/backlog.ts';
import { planFaults } from '../../../core/job/plan/planCheck.ts';
import { withoutIds } from '../../../core/job/plan/planEditing.ts';
import { planId } from '../../../core/state/planId.ts';
import { need } from '../../../core/state/rows.ts';
import type { JobRow } from '../../../shared/job/rows.ts';
import type { State } from '../../../shared/workspace/state.ts';
import { CORRECT_PLAN } from '../../session/answers.ts';
import type { SessionResult, SessionSpec } from '../../session/ports.ts';
import { plannerOpening } from '../../session/prompts/planner.ts';
import type { JobContext } from '../context.ts';
import type { FactsPorts } from '../jobFacts.ts';
import { limitsNow, sharedSpec } from '../roleSpec.ts';
import { routePlanner } from '../routes.ts';
import { sessionEnd, sessionFor, waitOrAskSteward } from '../work/sessionRow.ts';
import { openAgentSession } from '../work/sessions.ts';

export async function plannerAssignment(
  context: Pick<JobContext, 'clock' | 'projectBody'> & FactsPorts,
  job: JobRow,
  state: State,
): Promise<SessionSpec> {
  const newest = state.plans.get(planId(job.id, job.plan_version));
  const executor = executorFor(job, 'planner');
  const refused =
    job.plan_feedback === null || newest === undefined ? null : { ...newest, plan: withoutIds(newest.plan) };
  const opening = plannerOpening({
    job,
    decisions: decisionsOf(state, job.id),
    feedback: job.plan_feedback,
    refused,
    backlog: plannedFeatures(unplannedFeatures(state, job.id)),
    limits: limitsNow(context, state, job, { isAttempt: false, executor }),
  });
  const projectBody = await context.projectBody(job.project_id);
  const spec = await sharedSpec(context, 'planner', job, { executor, projectBody, opening });
  return refused === null ? spec : { ...spec, refusedPlan: refused.plan };
}

export async function makePlan(context: JobContext): Promise<void> {
  const job = need(context.store.state, 'jobs', context.jobId);
  const own = ownPlan(context.store.state, job);
  if (own !== null) {
    await context.store.commit(own);
    return;
  }
  const id = await sessionFor(context, job, 'planner', { phaseId: null, model: routePlanner(job).model });
  const { agent, close } = await openAgentSession(
    context,
    job,
    id,
    await plannerAssignment(context, job, context.store.state),
  );
  try {
    let result = await agent.run();
    let faults = faultsOf(result);
    if (result.outcome === 'answered' && faults.length > 0) {
      result = await agent.continueWith(`The plan cannot be carried out:\n- ${faults.join('\n- ')}\n${CORRECT_PLAN}`);
      faults = faultsOf(result);
    }
    await concludePlan(context, job, id, result, faults);
  } finally {
    await close();
  }
}

function faultsOf(result: SessionResult): string[] {
  return result.outcome === 'answered' && result.answer.kind === 'plan' ? planFaults(result.answer.plan) : [];
}

async function concludePlan(
  context: JobContext,
  job: JobRow,
  id: number,
  result: SessionResult,
  faults: readonly string[],
): Promise<void> {
  if (result.outcome === 'aborted') return;
  if (result.outcome === 'unavailable') return waitOrAskSteward(context, result);
  const session = sessionEnd(id, result);
  if (need(context.store.state, 'jobs', job.id).plan_version !== job.plan_version) {
    // The steward wrote a plan meanwhile: that one counts.
    await context.store.commit({ type: 'session_ended', session });
    return;
  }
  if (result.outcome === 'answered' && result.answer.kind === 'plan' && faults.length === 0) {
    const { plan } = result.answer;
    await context.store.commit({
      type: 'plan_proposed',
      job_id: job.id,
      plan_version: job.plan_version + 1,
      plan,
      by: 'planner',
      session,
    });
    return;
  }
  const feedback = faults.length > 0 ? faults.join('\n') : (session.error_message ?? 'The planner gave no plan.');
  await context.store.commit({ type: 'plan_refused', job_id: job.id, feedback, by: 'engine', session });
}
