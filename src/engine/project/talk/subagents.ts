/** Runs a subagent: a separate session with a separate journal, whose last text is the answer to the call that requested it. */

import { tokensOf } from '../../../core/money/usageLimits.ts';
import { turnBegan } from '../../../core/project/conversations.ts';
import { need } from '../../../core/state/rows.ts';
import { failure } from '../../../shared/errors.ts';
import type { AttemptLimits } from '../../../shared/job/rows.ts';
import type { SessionRow } from '../../../shared/session.ts';
import { atRest } from '../../session/decide.ts';
import type { ProjectTools, SessionResult, SessionSpec, ToolResult, Transcript } from '../../session/ports.ts';
import { callMark, SUBAGENT_SYSTEM, subagentOpening } from '../../session/prompts/subagent.ts';
import { openSession } from '../../session/session.ts';
import { foldTranscript } from '../../session/transcript/history.ts';
import { noteTools } from '../noteTools.ts';
import type { ConversationPorts, Speaker } from './conversationPorts.ts';
import { modelFor, newSession, ownSessions } from './conversationSession.ts';

/** A subagent of a subagent is the last. */
const MAX_DEPTH = 2;
const LIMITS: AttemptLimits = { turns: 40, tokens: 3_000_000, seconds: 1_800, microUsd: 0 };
/** Limit of all subagents of one turn together, beyond those in progress: as much as the conversation itself may use. */
const TURN_TOKENS = 6_000_000;
const MAX_TOKENS = 8_000;
/** Number of recent sessions that are searched for the one that an interrupted call requested. */
const LOOKED_AT = 24;

interface Call {
  readonly task: string;
  /** The same when an interrupted round is repeated. */
  readonly callId: string;
}

/** The tools of a subagent in its turn, and the signal that ends it. */
interface Under {
  readonly toolsOf: (child: Speaker) => ProjectTools;
  readonly signal: AbortSignal;
}

type OpenTranscript = Transcript & { close(): Promise<void> };

export async function runSubagent(
  ports: ConversationPorts,
  caller: Speaker,
  call: Call,
  under: Under,
): Promise<ToolResult> {
  if (caller.depth >= MAX_DEPTH) {
    return { ok: false, text: `A subagent of a subagent spawns no other: at most ${MAX_DEPTH} deep. Do it yourself.` };
  }
  const spec = specOf(ports, caller, call);
  const known = await sessionFor(ports, caller, call);
  if (known === null && usedInTurn(ports) >= TURN_TOKENS) {
    return { ok: false, text: 'The subagents of this turn have used all tokens that they may. Do it yourself.' };
  }
  const sessionId = known ?? (await newSession(ports, 'subagent', caller.sessionId, spec.model));
  const transcript = await ports.openTranscript(sessionId);
  try {
    return await answerOf(ports, { sessionId, depth: caller.depth + 1 }, spec, transcript, under);
  } finally {
    await transcript.close();
  }
}

function specOf(ports: ConversationPorts, { sessionId }: Speaker, { task, callId }: Call): SessionSpec {
  const project = need(ports.store.state, 'projects', ports.projectId);
  return {
    role: 'subagent',
    model: modelFor(project, 'subagent', ports.models),
    system: SUBAGENT_SYSTEM,
    opening: subagentOpening(ports.projectId, sessionId, callId, task),
    maxTokens: MAX_TOKENS,
  };
}

/**
 * The session that this call requested already, if it can still answer. A session without a journal was killed before its start.
 */
async function sessionFor(ports: ConversationPorts, caller: Speaker, call: Call): Promise<number | null> {
  const { sessionId: parentId } = caller;
  const beside = ownSessions(ports, 'subagent').filter((row) => isAskedBy(ports, caller, row));
  for (const { id, status, parent_id } of beside.slice(0, LOOKED_AT)) {
    const transcript = await ports.openTranscript(id);
    await transcript.close();
    const begun = foldTranscript(transcript.entries);
    const isRunning = status === 'running';
    if (begun.spec === null && isRunning && parent_id === parentId) return id;
    const isAsked = begun.spec?.opening.endsWith(callMark(call.callId)) === true;
    if (isAsked && (isRunning || atRest(begun, 'subagent', LIMITS) !== null)) return id;
  }
  return null;
}

function usedInTurn({ store, projectId }: ConversationPorts): number {
  const { state } = store;
  const since = turnBegan(state, projectId);
  let tokens = 0;
  for (const row of state.spends.values()) {
    if (row.project_id !== projectId || row.at < since) continue;
    if (state.sessions.get(row.session_id)?.role === 'subagent') tokens += tokensOf(row);
  }
  return tokens;
}

/** The conversation may have asked in an earlier session. What a subagent asked is not among it. */
function isAskedBy({ store }: ConversationPorts, { sessionId, depth }: Speaker, { parent_id }: SessionRow): boolean {
  if (depth > 0) return parent_id === sessionId;
  return store.state.sessions.get(parent_id ?? 0)?.role !== 'subagent';
}

async function answerOf(
  ports: ConversationPorts,
  speaker: Speaker,
  spec: SessionSpec,
  transcript: OpenTranscript,
  { toolsOf, signal }: Under,
): Promise<ToolResult> {
  const { sessionId } = speaker;
  const result = await openSession(spec, {
    sessionId,
    fetch: ports.gatewayFetch(sessionId),
    workdir: ports.workdir,
    files: ports.openTree(ports.workdir),
    transcript,
    commands: { run: async () => ({ exitCode: null, ended: 'refused', output: 'a subagent runs no commands' }) },
    sessionTools: noteTools(ports, sessionId),
    project: toolsOf(speaker),
    limits: LIMITS,
    clock: ports.clock,
    checkpoint: async () => null,
    restore: async () => undefined,
    live: (text) =>
      ports.live({ at: new Date(ports.clock.now()).toISOString(), jobId: '', sessionId, featureId: null, text }),
    signal,
  }).run();
  const told = outcomeOf(result);
  await endSession(ports, sessionId, result, told);
  return told;
}

function outcomeOf(result: SessionResult): ToolResult {
  switch (result.outcome) {
    case 'answered':
      return { ok: true, text: result.answer.kind === 'text' ? result.answer.text : '' };
    case 'ended':
      return { ok: false, text: `The subagent found no answer: ${result.detail} (${result.reason}).` };
    case 'aborted':
      throw failure('ABORTED', 'the subagent was interrupted');
    case 'unavailable': {
      const { code, detail, hint, wakeAt, limit, raiseTo } = result;
      // The calling turn waits too, and finds the session again.
      throw failure(code, detail, { hint, details: { limit, raiseTo, retryAt: wakeAt } });
    }
  }
}

async function endSession(
  ports: ConversationPorts,
  id: number,
  { turns }: SessionResult,
  told: ToolResult,
): Promise<void> {
  if (ports.store.state.sessions.get(id)?.status !== 'running') return;
  const status = told.ok ? 'completed' : 'failed';
  const error_message = told.ok ? null : told.text;
  await ports.store.commit({ type: 'session_ended', session: { id, status, error_message, turns } });
}
