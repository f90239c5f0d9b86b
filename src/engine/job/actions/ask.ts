/** Puts the questions that `nextAction` finds to be due. */
import type { About } from '../../../core/approval/about.ts';
import type { Question } from '../../../core/job/action.ts';
import { phaseFacts } from '../../../core/job/gate/gateFacts.ts';
import { afterApproval, phaseGateText } from '../../../core/job/gate/phaseGate.ts';
import { earlierRejections } from '../../../core/job/history/reopening.ts';
import { heldBecause, lanesOf } from '../../../core/job/lanes.ts';
import { failsAsBefore } from '../../../core/job/result/baseline.ts';
import { coveringRule } from '../../../core/rule/covers.ts';
import { planId } from '../../../core/state/planId.ts';
import { jobPhases, need, phaseFeatures } from '../../../core/state/rows.ts';
import { BUILT_IN } from '../../../shared/agent/executors.ts';
import type { NewApproval } from '../../../shared/approval.ts';
import { findFailure } from '../../../shared/errors.ts';
import type { AttemptRow, JobRow, PhaseRow } from '../../../shared/job/rows.ts';
import type { GateFacts } from '../../../shared/rule/rules.ts';
import { type Asked, count, planQuestion, planText, question } from '../../approval/questions.ts';
import { type JobContext, oneId } from '../context.ts';
import { jobHead, jobTree } from '../tree/tree.ts';
import { measuredChange, mergeQuestion } from './mergeQuestion.ts';

export async function ask(context: JobContext, about: About, asked: Question): Promise<void> {
  const job = need(context.store.state, 'jobs', context.jobId);
  const id = await oneId(context, 'approvals');
  const words = await wordsOf(context, job, asked);
  const approval = question(job, id, { about, ...words });
  if (await answeredByRule(context, job, approval)) return;
  await context.store.commit({ type: 'approval_requested', approval });
}

/** Whether a rule of the steward approved the gate. A rule that was revoked meanwhile approves nothing. */
async function answeredByRule(context: JobContext, job: JobRow, approval: NewApproval): Promise<boolean> {
  const { facts = null } = approval;
  const rule = coveringRule(context.store.state, { ...approval, facts, project_id: job.project_id });
  if (rule === undefined) return false;
  const choice = approval.kind === 'merge' ? job.options.mergeMode : null;
  try {
    await context.store.commit({ type: 'rule_used', rule_id: rule.id, approval, choice });
    return true;
  } catch (thrown) {
    if (findFailure(thrown)?.code === 'ILLEGAL_TRANSITION') return false;
    throw thrown;
  }
}

function candidateLine(context: JobContext, attempt: AttemptRow): string {
  const executor = context.store.state.sessions.get(attempt.session_id)?.executor ?? BUILT_IN;
  const told = attempt.status === 'succeeded' ? 'passed' : `${attempt.status} (${attempt.cause ?? 'unknown'})`;
  return `${attempt.id}: ${executor}, ${told}. ${attempt.summary ?? ''}`.trim();
}

function escalated({ number, title }: PhaseRow, { cause, summary, feedback }: AttemptRow) {
  const phase = `phase ${number} "${title}"`;
  if (cause !== 'same_verdict')
    return { question: `The reviewer cannot decide about ${phase}. Approve it?`, detail: summary ?? '' };
  const question = `The reviewer rejected ${phase} twice for the same reason. Approve it anyway?`;
  return { question, detail: feedback ?? summary ?? '' };
}

/** Evidence for the steward's decision, beside the reviewer's reason. */
async function phaseDetail(context: JobContext, phase: PhaseRow, review: AttemptRow, reason: string): Promise<string> {
  const { git, projectDir, store, jobId } = context;
  const job = need(store.state, 'jobs', jobId);
  const head = jobHead(job);
  return phaseGateText({
    reason,
    rejections: earlierRejections(store.state, phase, review),
    evidence: review.evidence.map((one) => ({ ...one, asBefore: failsAsBefore(job, one) })),
    features: phaseFeatures(store.state, phase.id).map((feature) => ({
      ...feature,
      held: feature.status === 'pending' ? (heldBecause(store.state, feature) ?? 'not started') : null,
    })),
    stat: await git.diffStat(jobTree(projectDir, job), phase.base_commit ?? head, head),
    next: afterApproval(job, phase, jobPhases(store.state, jobId)),
  });
}

async function factsOfPhase(context: JobContext, job: JobRow, phase: PhaseRow, review: AttemptRow): Promise<GateFacts> {
  const change = await measuredChange(context, job, phase.base_commit ?? jobHead(job));
  return phaseFacts(context.store.state, job, phase, review, change);
}

type Words = Omit<Asked, 'about'>;

async function wordsOf(context: JobContext, job: JobRow, asked: Question): Promise<Words> {
  switch (asked.kind) {
    case 'plan': {
      const { plan } = need(context.store.state, 'plans', planId(job.id, asked.version));
      return { kind: 'plan', question: planQuestion(plan), detail: planText(plan, lanesOf(job)) };
    }
    case 'planner':
      return {
        kind: 'escalate',
        question: 'The planner gave no plan that can be carried out. Try again?',
        detail: asked.feedback,
      };
    case 'crashes': {
      const { feature, attempt } = asked;
      const what = feature === null ? 'The review' : `"${feature.name}"`;
      return {
        kind: 'crashes',
        question: `${what} crashed ${feature?.crash_count ?? attempt.interruptions} times in a row. Try again?`,
        feature_id: feature?.id ?? null,
        phase_id: attempt.phase_id,
      };
    }
    case 'phase':
      return {
        kind: 'phase',
        question: `Phase ${asked.phase.number} "${asked.phase.title}" is approved by the reviewer. Continue?`,
        detail: await phaseDetail(context, asked.phase, asked.review, asked.review.summary ?? ''),
        phase_id: asked.phase.id,
        commit: job.head,
        facts: await factsOfPhase(context, job, asked.phase, asked.review),
      };
    case 'escalate': {
      const { question, detail } = escalated(asked.phase, asked.review);
      return {
        kind: 'escalate',
        question,
        detail: await phaseDetail(context, asked.phase, asked.review, detail),
        phase_id: asked.phase.id,
        commit: job.head,
      };
    }
    case 'pick': {
      const { feature, candidates } = asked;
      return {
        kind: 'pick',
        question: `${count(candidates.length, 'agent')} tried "${feature.name}". Whose result is it to be?`,
        detail: candidates.map((attempt) => candidateLine(context, attempt)).join('\n'),
        feature_id: feature.id,
        phase_id: feature.phase_id,
        choices: candidates.filter((attempt) => attempt.status === 'succeeded').map((attempt) => String(attempt.id)),
      };
    }
    case 'merge': {
      const shown = await mergeQuestion(context, job);
      const target = job.base_branch ?? 'a branch';
      return {
        kind: 'merge',
        question: `Merge the result into ${target}?`,
        commit: asked.head,
        choices: ['merge', 'branch', 'patch'],
        ...shown,
      };
    }
  }
}
