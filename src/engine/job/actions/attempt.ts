/** Runs an attempt at a feature: a worker session, then the engine's check of its claim. */

import { executorFor, isSideBySide } from '../../../core/agent/executors.ts';
import { isCached } from '../../../core/job/history/conversationChoice.ts';
import { featureAttempts, need, openAttempts } from '../../../core/state/rows.ts';
import type { AttemptRow, FeatureRow, JobRow, PhaseRow } from '../../../shared/job/rows.ts';
import type { Route } from '../../../shared/routing.ts';
import { assignmentOf } from '../../../shared/workspace/assignment.ts';
import type { SessionResult, SessionSpec } from '../../session/ports.ts';
import { type Conversation, type JobContext, oneId, staleOf } from '../context.ts';
import { routeWorker } from '../routes.ts';
import { integratedDependencies } from '../tree/branch.ts';
import { ensureTree, followHead } from '../tree/checkpoints.ts';
import { jobTree } from '../tree/tree.ts';
import { endAttempt } from '../work/outcome.ts';
import { sessionFor } from '../work/sessionRow.ts';
import { openAgentSession } from '../work/sessions.ts';
import { continuedSession, type WorkerAssignment, workerAssignment } from '../work/workerAssignment.ts';

/** Whether the conversation of the last feature takes this one too. */
function goesOn(
  context: JobContext,
  job: JobRow,
  phase: PhaseRow,
  feature: FeatureRow,
  nextModel: string,
): Conversation | null {
  const { conversation } = context.memory;
  if (conversation === null || conversation.phaseId !== phase.id) return null;
  if (featureAttempts(context.store.state, feature.id).length > 0 || feature.feedback !== null) return null;
  if (isSideBySide(feature) || !conversation.agent.remembers) return null;
  const { executor, model, status } = need(context.store.state, 'sessions', conversation.sessionId);
  if (status !== 'running') return null;
  if (executor !== executorFor(job, 'worker', feature) || model !== nextModel) return null;
  const isCheaper = isCached(conversation.usedAt, context.clock.now()) && conversation.agent.isCheaperToContinue;
  return conversation.taken < job.options.batch && conversation.isAnswered && isCheaper ? conversation : null;
}

/** Resumes that conversation. Null if it costs more than a fresh one or has no transcript. */
async function openContinued(
  context: JobContext,
  job: JobRow,
  feature: FeatureRow,
  sessionId: number,
  spec: SessionSpec,
): Promise<Conversation | null> {
  const { conversation } = await openConversation(context, job, feature, sessionId, spec);
  if (conversation.agent.isCheaperToContinue) return conversation;
  await conversation.close();
  return null;
}

async function openConversation(
  context: JobContext,
  job: JobRow,
  feature: FeatureRow,
  sessionId: number,
  spec: SessionSpec,
  start: string | null = null,
): Promise<{ readonly conversation: Conversation; readonly told: string | null }> {
  const { agent, close, told, texts } = await openAgentSession(context, job, sessionId, spec, start);
  const taken = new Set(
    [...context.store.state.attempts.values()]
      .filter((row) => row.session_id === sessionId && row.feature_id !== feature.id)
      .map((row) => row.feature_id),
  ).size;
  const phaseId = feature.phase_id ?? 0;
  const conversation = { sessionId, phaseId, agent, close, texts, taken, isAnswered: false, usedAt: 0, turns: 0 };
  return { conversation, told };
}

export async function attemptFeature(context: JobContext, phase: PhaseRow, feature: FeatureRow): Promise<void> {
  const job = need(context.store.state, 'jobs', context.jobId);
  const { model, route } = await routeWorker(context, context.store.state, job, feature);
  const given = await workerAssignment(context, job, phase, feature);
  const { accepted, commit } = given.tree;
  await followHead(context, accepted);
  await ensureTree(context, commit, accepted);
  const sameBatch = goesOn(context, job, phase, feature, model);
  if (sameBatch === null) await closeConversation(context);
  const continued = sameBatch === null ? continuedSession(context, job, feature, model) : null;
  const again = continued === null ? null : await openContinued(context, job, feature, continued, given.spec);
  const known = sameBatch ?? again;
  const sessionId =
    known?.sessionId ??
    (await sessionFor(context, job, 'worker', { phaseId: phase.id, notes: given.notes, fresh: true, feature, model }));
  const id = await startAttempt(context, job, phase, feature, { sessionId, given, route });
  if (known !== null) {
    context.memory.conversation = known;
    const continues = again === null ? given.next : given.again;
    const others = await changedByOthers(context, job, { sessionId, accepted, attempt: id });
    const result = await known.agent.continueWith(continues(known.texts, others));
    return after(context, need(context.store.state, 'attempts', id), known, result);
  }
  const { conversation } = await openConversation(context, job, feature, sessionId, given.spec, given.tree.commit);
  context.memory.conversation = conversation;
  await after(context, need(context.store.state, 'attempts', id), conversation, await conversation.agent.run());
}

/** Paths that other features changed since the tree of the conversation's last attempt. They are read before they are replaced. */
async function changedByOthers(
  context: JobContext,
  job: JobRow,
  { sessionId, accepted, attempt }: { readonly sessionId: number; readonly accepted: string; readonly attempt: number },
): Promise<readonly string[]> {
  const { attempts } = context.store.state;
  const last = [...attempts.values()].findLast((row) => row.session_id === sessionId && row.id < attempt);
  return last === undefined ? [] : pathsOfOthers(context, job, last, last.base_commit, accepted);
}

/** Paths of the accepted commits between two that another conversation made. */
async function pathsOfOthers(
  { git, memory, projectDir, store }: JobContext,
  job: JobRow,
  own: AttemptRow,
  from: string,
  to: string,
): Promise<readonly string[]> {
  // By attempts, not by features: one that was opened again is not completed, and its accepted work stays.
  const accepted = [...store.state.attempts.values()].filter(
    (row) => row.job_id === job.id && row.feature_id !== null && row.status === 'succeeded',
  );
  const isNews = (row: AttemptRow): boolean =>
    row.session_id !== own.session_id && (row.ended_at ?? '') > own.started_at;
  if (from === to || !accepted.some(isNews)) return [];
  const known = new Set(accepted.filter((row) => row.session_id === own.session_id).map(({ commit }) => commit));
  const commits = await git.ownCommits(jobTree(projectDir, job), { baseline: from, head: to });
  const paths = new Set(commits.filter(({ id }) => !known.has(id)).flatMap((commit) => commit.paths));
  for (const path of paths) staleOf(memory, own.session_id).add(path);
  return [...paths].sort();
}

interface Started {
  readonly sessionId: number;
  readonly given: WorkerAssignment;
  readonly route: Route | null;
}

async function startAttempt(
  context: JobContext,
  job: JobRow,
  phase: PhaseRow,
  feature: FeatureRow,
  { sessionId, given, route }: Started,
): Promise<number> {
  const id = await oneId(context, 'attempts');
  context.memory.gaveUp = false;
  const integrated = await integratedDependencies(context, job, feature, given.tree.accepted);
  await context.store.commit({
    type: 'attempt_started',
    id,
    job_id: job.id,
    phase_id: phase.id,
    feature_id: feature.id,
    session_id: sessionId,
    base_commit: given.tree.accepted,
    start: given.tree.commit,
    notes: given.notes,
    lane: context.lane,
    ...(integrated.length === 0 ? {} : { integrated }),
    ...(route === null ? {} : { route }),
  });
  return id;
}

/** Resumes an attempt whose process ended, was paused, or had to wait. The transcript contains its progress. */
export async function resumeFeature(context: JobContext, attempt: AttemptRow, feature: FeatureRow): Promise<void> {
  const { state } = context.store;
  const job = need(state, 'jobs', context.jobId);
  const phase = need(state, 'phases', attempt.phase_id);
  if (attempt.status === 'interrupted')
    await context.store.commit({ type: 'attempt_resumed', id: attempt.id, job_id: job.id });
  await dropConversation(context);
  const which = { number: attempt.number, accepted: attempt.base_commit };
  const given = await workerAssignment(context, job, phase, feature, which);
  const { conversation, told } = await openConversation(context, job, feature, attempt.session_id, given.spec);
  context.memory.conversation = conversation;
  const { agent } = conversation;
  // A conversation that stopped between two assignments does not hold this one yet: its last answer was for the one before.
  const heard = told === null || isAssigned(told, feature, attempt);
  const again = featureAttempts(state, feature.id).some(
    (row) => row.number < attempt.number && row.session_id === attempt.session_id,
  );
  const continues = again ? given.again : given.next;
  const result = heard ? await agent.run() : await agent.continueWith(await nextText(continues));
  await after(context, need(context.store.state, 'attempts', attempt.id), conversation, result);

  /** The merge queue returned the attempt on a tree that the conversation has not seen. */
  async function nextText(continuing: typeof continues): Promise<string> {
    if (attempt.returns.length === 0 || attempt.start === null) return continuing(conversation.texts);
    await ensureTree(context, attempt.start);
    const { base, onto, paths = [] } = attempt.returns.at(-1) ?? {};
    if (base !== undefined && onto !== undefined) await pathsOfOthers(context, job, attempt, base, onto);
    // The message has the change of these.
    for (const path of paths) staleOf(context.memory, attempt.session_id).delete(path);
    return agent.remembers ? given.returned(conversation.texts) : given.spec.opening;
  }
}

function isAssigned(text: string, feature: FeatureRow, attempt: AttemptRow): boolean {
  const assignment = assignmentOf(text);
  if (assignment?.role !== 'worker') return false;
  const { featureId, attempt: number, returns = 0 } = assignment;
  return featureId === feature.id && number === attempt.number && returns === attempt.returns.length;
}

async function after(
  context: JobContext,
  attempt: AttemptRow,
  conversation: Conversation,
  result: SessionResult,
): Promise<void> {
  conversation.taken += 1;
  conversation.turns = result.turns;
  conversation.isAnswered = result.outcome === 'answered';
  conversation.usedAt = context.clock.now();
  const goesOnAfter = await endAttempt(context, attempt, conversation, result);
  if (!goesOnAfter) await dropConversation(context);
}

/** Ends the kept conversation, and its session's row unless an attempt of it is open: that one waits for its merge. */
export async function closeConversation(context: JobContext): Promise<void> {
  const { conversation } = context.memory;
  if (conversation === null) return;
  await dropConversation(context);
  const open = openAttempts(context.store.state, context.jobId);
  if (open.some((row) => row.session_id === conversation.sessionId)) return;
  if (context.store.state.sessions.get(conversation.sessionId)?.status !== 'running') return;
  const session = {
    id: conversation.sessionId,
    status: 'completed',
    error_message: null,
    turns: conversation.turns,
  } as const;
  await context.store.commit({ type: 'session_ended', session });
}

/** Drops the conversation from this process only. */
export async function dropConversation(context: JobContext): Promise<void> {
  const { conversation } = context.memory;
  context.memory.conversation = null;
  await conversation?.close();
}
