/** An attempt at a feature: a worker session, then our own look at what it claims. */
import type { SessionResult, SessionSpec } from '../../agent/ports.ts';
import { workerNextFeature, workerOpening } from '../../agent/prompts/worker.ts';
import { sessionSpec } from '../../agent/spec.ts';
import { executorFor, isOfOthers, isSideBySide } from '../../core/executors.ts';
import { OWN_BUDGET } from '../../core/givingUp.ts';
import { selectNotes } from '../../core/noteSelection.ts';
import { featureAttempts, jobPhases, need } from '../../core/rows.ts';
import { parseAssignment } from '../../shared/assignment.ts';
import type { AttemptRow, FeatureRow, JobRow, PhaseRow } from '../../shared/domain.ts';
import type { State } from '../../shared/state.ts';
import { ensureTree } from '../checkpoints.ts';
import { type Conversation, type JobContext, oneId } from '../context.ts';
import { endAttempt } from '../outcome.ts';
import { openAgentSession, sessionFor } from '../sessions.ts';
import { jobHead } from '../tree.ts';

/** Context tokens above which a conversation takes no further feature. */
const FULL_CONTEXT = 60_000;

interface WorkerAssignment {
  readonly spec: SessionSpec;
  /** For a conversation that has done another feature of the phase already. */
  readonly next: string;
  readonly notes: readonly number[];
}

/** What the worker is told: the same text for the session and for the preview. */
export async function workerAssignment(
  context: Pick<JobContext, 'projectBody' | 'store'>,
  job: JobRow,
  phase: PhaseRow,
  feature: FeatureRow,
  attempt: number = nextAttempt(context.store.state, feature),
): Promise<WorkerAssignment> {
  const { state } = context.store;
  const known = [...state.notes.values()].filter((note) => !isOfOthers(state, feature, note));
  const { ids, notes } = selectNotes(feature, known);
  const given = { phase, feature, attempt, notes, feedback: feature.feedback };
  const projectBody = await context.projectBody(job.project_id);
  const earlier = jobPhases(state, job.id).filter((row) => row.number < phase.number);
  const opening = workerOpening({ projectBody, job, earlier, ...given });
  const spec = sessionSpec('worker', { model: job.options.models.worker, opening });
  return { spec, next: workerNextFeature(given), notes: ids };
}

function nextAttempt(state: State, feature: FeatureRow): number {
  return (featureAttempts(state, feature.id).at(-1)?.number ?? 0) + 1;
}

/** Whether the conversation of the last feature takes this one too. A retry always starts fresh. */
function goesOn(context: JobContext, job: JobRow, phase: PhaseRow, feature: FeatureRow): Conversation | null {
  const { conversation } = context.memory;
  if (conversation === null || conversation.phaseId !== phase.id) return null;
  if (featureAttempts(context.store.state, feature.id).length > 0 || feature.feedback !== null) return null;
  if (isSideBySide(feature) || !conversation.agent.remembers) return null;
  const { executor } = need(context.store.state, 'sessions', conversation.sessionId);
  if (executor !== executorFor(job, 'worker', feature)) return null;
  return conversation.taken < job.options.batch && conversation.contextTokens < FULL_CONTEXT ? conversation : null;
}

/**
 * The commit that the attempt starts from, or null for the tree as the last attempt left it. The attempt after one that failed, that could
 * not be checked or that its own budget ended goes on from what that one committed, or else from its tree, if the same agent does both.
 * All others, those side by side included, start from what counts. So nothing that a verify command wrote gets into the next commit.
 */
function startingTree(context: JobContext, job: JobRow, feature: FeatureRow): string | null {
  const { state } = context.store;
  const last = [...state.attempts.values()].findLast((row) => row.job_id === job.id && row.feature_id !== null);
  const goesOn = last?.status === 'blocked' && (last.commit !== null || last.cause === OWN_BUDGET);
  if (last?.feature_id !== feature.id || isSideBySide(feature)) return jobHead(job);
  if (last.status !== 'failed' && !goesOn) return jobHead(job);
  const same = state.sessions.get(last.session_id)?.executor === executorFor(job, 'worker', feature);
  return same ? last.commit : jobHead(job);
}

export async function attemptFeature(context: JobContext, phase: PhaseRow, feature: FeatureRow): Promise<void> {
  const job = need(context.store.state, 'jobs', context.jobId);
  const tree = startingTree(context, job, feature);
  if (tree !== null) await ensureTree(context, tree);
  const { spec, next, notes } = await workerAssignment(context, job, phase, feature);
  let conversation = goesOn(context, job, phase, feature);
  if (conversation === null) await closeConversation(context);
  const sessionId =
    conversation?.sessionId ??
    (await sessionFor(context, job, 'worker', { phaseId: phase.id, notes, fresh: true, feature }));
  const id = await oneId(context, 'attempts');
  context.memory.gaveUp = false;
  await context.store.commit({
    type: 'attempt_started',
    id,
    job_id: job.id,
    phase_id: phase.id,
    feature_id: feature.id,
    session_id: sessionId,
    base_commit: jobHead(job),
    notes,
  });
  let result: SessionResult;
  if (conversation === null) {
    const { agent, close } = await openAgentSession(context, job, sessionId, spec, tree);
    conversation = { sessionId, phaseId: phase.id, agent, close, taken: 0, contextTokens: 0, turns: 0 };
    context.memory.conversation = conversation;
    result = await agent.run();
  } else {
    result = await conversation.agent.continueWith(next);
  }
  await after(context, need(context.store.state, 'attempts', id), conversation, result);
}

/** Goes on with an attempt whose process ended, was paused, or had to wait: the transcript says where it was. */
export async function resumeFeature(context: JobContext, attempt: AttemptRow, feature: FeatureRow): Promise<void> {
  const job = need(context.store.state, 'jobs', context.jobId);
  const phase = need(context.store.state, 'phases', attempt.phase_id);
  if (attempt.status === 'interrupted')
    await context.store.commit({ type: 'attempt_resumed', id: attempt.id, job_id: job.id });
  await dropConversation(context);
  const { spec, next } = await workerAssignment(context, job, phase, feature, attempt.number);
  const { agent, close, told } = await openAgentSession(context, job, attempt.session_id, spec);
  const taken =
    [...context.store.state.attempts.values()].filter((row) => row.session_id === attempt.session_id).length - 1;
  const conversation: Conversation = {
    sessionId: attempt.session_id,
    phaseId: phase.id,
    agent,
    close,
    taken,
    contextTokens: 0,
    turns: 0,
  };
  context.memory.conversation = conversation;
  // A batch that stopped between two features has not heard of this one yet: what it answered was for the one before.
  const heard = told === null || parseAssignmentOf(told) === feature.id;
  const result = heard ? await agent.run() : await agent.continueWith(next);
  await after(context, need(context.store.state, 'attempts', attempt.id), conversation, result);
}

function parseAssignmentOf(text: string): number | null {
  const assignment = parseAssignment(text.split('\n', 1)[0] ?? '');
  return assignment?.role === 'worker' ? assignment.featureId : null;
}

async function after(
  context: JobContext,
  attempt: AttemptRow,
  conversation: Conversation,
  result: SessionResult,
): Promise<void> {
  conversation.taken += 1;
  conversation.turns = result.turns;
  conversation.contextTokens = result.outcome === 'answered' ? result.contextTokens : Number.POSITIVE_INFINITY;
  const goesOnAfter = await endAttempt(context, attempt, conversation, result);
  if (!goesOnAfter) await dropConversation(context);
}

/** The conversation is over: its session's row says so. */
export async function closeConversation(context: JobContext): Promise<void> {
  const { conversation } = context.memory;
  if (conversation === null) return;
  await dropConversation(context);
  if (context.store.state.sessions.get(conversation.sessionId)?.status !== 'running') return;
  const session = {
    id: conversation.sessionId,
    status: 'completed',
    error_message: null,
    turns: conversation.turns,
  } as const;
  await context.store.commit({ type: 'session_ended', session });
}

/** Only what this process holds of it. */
export async function dropConversation(context: JobContext): Promise<void> {
  const { conversation } = context.memory;
  context.memory.conversation = null;
  await conversation?.close();
}
