/** Runs one step of a conversation, decided from the state and its journal: started work is finished before a new turn. */

import { wakesTurn } from '../../../core/project/conversations.ts';
import { askedIn, isReplied } from '../../../core/project/replies.ts';
import { projectMessages } from '../../../core/state/rows.ts';
import type { AttemptLimits } from '../../../shared/job/rows.ts';
import { MAIN_PROJECT, type MessageRow, type ProjectRow, type Sender } from '../../../shared/project/projects.ts';
import type { Role } from '../../../shared/session.ts';
import { atRest, type Step } from '../../session/decide.ts';
import { readCallFailure } from '../../session/failures.ts';
import type { SessionPorts, SessionResult, SessionSpec, Transcript, TranscriptEntry } from '../../session/ports.ts';
import { openSession } from '../../session/session.ts';
import { type Conversation, foldTranscript } from '../../session/transcript/history.ts';
import { textBlock } from '../../session/transcript/messages.ts';
import { findSkills } from '../memory/skills.ts';
import { noteTools } from '../noteTools.ts';
import { projectTools, sayOnce, type TurnAt } from '../projectTools.ts';
import { mayContinue, waitOrAskSteward } from './backoff.ts';
import { compact } from './compaction.ts';
import type { ConversationJournal, ConversationPorts, ConversationRun } from './conversationPorts.ts';
import { conversationSession, conversationSpec } from './conversationSession.ts';
import { isTooLong, joined, meanwhile, turnOf, waitingMessages } from './turnMessages.ts';

/** Limits of one round of messages. The project's own limits bound the money. */
const TURN_LIMITS: AttemptLimits = { turns: 60, tokens: 6_000_000, seconds: 3_600, microUsd: 0 };

export type StepOutcome =
  | { readonly kind: 'again' }
  | { readonly kind: 'rest' }
  | { readonly kind: 'wait'; readonly until: string };

/** The reply to the asker after a turn without an answer. */
const NO_REPLY = 'It ended its turn without a reply.';

const TURN_STOPPED = 'The turn was stopped.';

const STOPPED = 'the turn was stopped by a person';

const AGAIN: StepOutcome = { kind: 'again' };

const REST: StepOutcome = { kind: 'rest' };

export async function takeStep(talk: ConversationRun): Promise<StepOutcome> {
  const { ports, journal } = talk;
  const { state } = ports.store;
  const project = state.projects.get(ports.projectId);
  if (project === undefined || project.status !== 'active' || project.parked !== null) return REST;
  await markRead(talk, journal.heldUpTo);
  const conversation = await readable(journal, roleOf(project));
  const step = atRest(conversation, roleOf(project), TURN_LIMITS);
  if (step !== null) await sayWhatCameOut(talk, step, conversation.turn);
  const waiting = waitingMessages(ports, journal.heldUpTo);
  const newest = step === null ? journal.heldUpTo : waiting.at(-1)?.id;
  if (newest !== undefined && newest <= (project.ended_turn ?? 0))
    return endStopped(talk, project, step === null ? [] : waiting);
  if (step !== null && !waiting.some(wakesTurn)) {
    await noteEnd(talk, project, step);
    return REST;
  }
  if (!(await mayContinue(ports, waiting))) return REST;
  return step === null ? goOn(talk, project, conversation) : takeMessages(talk, project, conversation, waiting);
}

const roleOf = ({ id }: ProjectRow) => (id === MAIN_PROJECT ? 'main' : 'project');

async function markRead({ ports }: ConversationRun, upTo: number): Promise<void> {
  const { store, projectId } = ports;
  const unread = projectMessages(store.state, projectId).some(
    (row) => row.direction === 'in' && row.read_at === null && row.id <= upTo,
  );
  if (unread) await store.commit({ type: 'messages_read', project_id: projectId, direction: 'in', up_to: upTo });
}

/** The API requires a history whose first message is the user's, and a damaged journal may lack it. */
async function readable(journal: ConversationJournal, role: Role): Promise<Conversation> {
  const conversation = foldTranscript(journal.entries);
  const { messages } = conversation;
  if (messages[0]?.role !== 'assistant') return conversation;
  const lost = { role: 'user', content: [textBlock('[what came before this is lost]')] };
  const rest = atRest(conversation, role, TURN_LIMITS) === null ? {} : ({ atRest: true } as const);
  await journal.append({ kind: 'compacted', messages: [lost, ...messages], upTo: journal.heldUpTo, ...rest });
  return foldTranscript(journal.entries);
}

/**
 * Delivers the end of a turn, exactly once: the reason for a stop, the main agent's answer, and a project's answer to a turn that
 * was asked and sent no notice.
 */
async function sayWhatCameOut(
  { ports, journal }: ConversationRun,
  { settled }: Extract<Step, { do: 'finish' }>,
  turn: readonly number[],
): Promise<void> {
  const { state } = ports.store;
  const asked = askedIn(state, turn);
  const say = async (sender: Sender, text: string): Promise<void> => {
    const said = { sender, text, concerns: null, sessionId: null, replyTo: asked?.id ?? null };
    await sayOnce(ports, said, journal.heldUpTo);
  };
  if (settled.kind === 'ended') {
    const why = settled.reason === 'stopped' ? TURN_STOPPED : `It stopped: ${settled.detail} (${settled.reason}).`;
    return say('engine', why);
  }
  const text = settled.answer.kind === 'text' ? settled.answer.text : '';
  if (ports.projectId === MAIN_PROJECT) {
    if (text !== '') await say('main', text);
  } else if (asked !== null && !isReplied(state, asked)) {
    await (text === '' ? say('engine', NO_REPLY) : say('project', text));
  }
}

/** Records the end of a turn that only the journal shows: without it the state alone would show an open turn. */
async function noteEnd(
  { ports, journal }: ConversationRun,
  { ended_turn, id }: ProjectRow,
  { settled }: Extract<Step, { do: 'finish' }>,
): Promise<void> {
  const last = journal.entries.at(-1)?.kind;
  if ((last !== 'results' && last !== 'ended') || (ended_turn ?? 0) >= journal.heldUpTo) return;
  const by = settled.kind === 'ended' ? 'engine' : 'agent';
  await ports.store.commit({ type: 'turn_ended', project_id: id, up_to: journal.heldUpTo, by });
}

/** Ends the turn that was stopped. `unheard`: its messages if it had not started. They are added to the conversation. */
async function endStopped(
  talk: ConversationRun,
  project: ProjectRow,
  unheard: readonly MessageRow[],
): Promise<StepOutcome> {
  const { ports, journal } = talk;
  if (unheard.length > 0) {
    const { text, ...rest } = await turnOf(talk, unheard);
    const spec = journal.entries.length > 0 ? null : await wantedSpec(ports, project);
    if (spec === null) await journal.append({ kind: 'user', text, ...rest });
    else await journal.append({ kind: 'opening', spec: { ...spec, opening: text }, checkpoint: null, ...rest });
    await markRead(talk, journal.heldUpTo);
  }
  await journal.append({ kind: 'ended', reason: 'stopped', detail: STOPPED });
  return AGAIN;
}

/** Resumes an interrupted turn: the same session, from the journal. */
async function goOn(talk: ConversationRun, project: ProjectRow, { spec }: Conversation): Promise<StepOutcome> {
  const sessionId = await conversationSession(talk.ports, project);
  // Repeats the request before the kill, so that a paid answer is found again, unless its model was replaced.
  const wanted = await wantedSpec(talk.ports, project);
  const known = spec?.model === wanted.model ? spec : wanted;
  if (known !== spec) await talk.journal.append({ kind: 'spec', spec: known });
  return settle(talk, sessionId, (ports) => openSession(known, ports, talk.ports.settings).run());
}

async function takeMessages(
  talk: ConversationRun,
  project: ProjectRow,
  conversation: Conversation,
  waiting: readonly MessageRow[],
): Promise<StepOutcome> {
  const { ports, journal } = talk;
  const sessionId = await conversationSession(ports, project);
  const spec = await wantedSpec(ports, project);
  if (journal.entries.length > 0 && isTooLong(ports, conversation)) {
    const stopped = await compact(talk, { project, sessionId, spec, conversation });
    if (stopped !== null) return waitOrAskStewardFor(talk, sessionId, stopped);
  } else if (journal.entries.length > 0) {
    const renewed = renewal(conversation, spec);
    if (renewed !== null) await journal.append(renewed);
  }
  const turn = await turnOf(talk, joined(waiting));
  return settle(talk, sessionId, (session) => openSession(spec, session, ports.settings).take(turn));
}

async function wantedSpec(ports: ConversationPorts, project: ProjectRow): Promise<SessionSpec> {
  const { skills, problems } = await findSkills(ports.skills);
  for (const problem of problems) ports.problem(problem);
  return conversationSpec(project, skills, ports.models);
}

/** How the conversation comes to the wanted spec. Null if it has it. What was sent stays as it is, unless the model changes. */
function renewal({ spec, system }: Conversation, wanted: SessionSpec): TranscriptEntry | null {
  const isSameModel =
    spec?.model === wanted.model && spec.effort === wanted.effort && spec.maxTokens === wanted.maxTokens;
  if (!isSameModel || spec.role !== wanted.role) return { kind: 'spec', spec: wanted };
  return system === wanted.system ? null : { kind: 'instructions', system: wanted.system };
}

async function settle(
  talk: ConversationRun,
  sessionId: number,
  run: (ports: SessionPorts) => Promise<SessionResult>,
): Promise<StepOutcome> {
  let result: SessionResult;
  try {
    result = await run(sessionPorts(talk, sessionId));
  } catch (thrown) {
    const failed = readCallFailure(thrown, talk.signal);
    if (failed.kind === 'aborted') return REST;
    if (failed.kind !== 'result') throw thrown;
    result = failed.result(0);
  }
  switch (result.outcome) {
    case 'answered':
      return AGAIN;
    case 'ended':
      await talk.journal.append({ kind: 'ended', reason: result.reason, detail: result.detail });
      return AGAIN;
    case 'aborted':
      return REST;
    case 'unavailable':
      return waitOrAskStewardFor(talk, sessionId, result);
  }
}

async function waitOrAskStewardFor(
  { ports }: ConversationRun,
  sessionId: number,
  result: Extract<SessionResult, { outcome: 'unavailable' }>,
): Promise<StepOutcome> {
  const until = await waitOrAskSteward(ports, sessionId, result);
  return until === null ? REST : { kind: 'wait', until };
}

const turnAt = ({ ports, journal }: ConversationRun): TurnAt => ({
  heldUpTo: () => journal.heldUpTo,
  asked: () => askedIn(ports.store.state, foldTranscript(journal.entries).turn)?.id ?? null,
});

function sessionPorts(talk: ConversationRun, sessionId: number): SessionPorts {
  const { ports, journal, signal } = talk;
  const transcript: Transcript = {
    entries: journal.entries,
    append: async (entry) => {
      await journal.append(entry);
      const isTurn = entry.kind === 'opening' || entry.kind === 'user' || entry.kind === 'results';
      if (isTurn && entry.messages !== undefined) await markRead(talk, journal.heldUpTo);
    },
  };
  const speaker = { sessionId, depth: 0 };
  return {
    sessionId,
    fetch: ports.gatewayFetch(sessionId),
    workdir: ports.workdir,
    files: ports.openTree(ports.workdir),
    transcript,
    commands: { run: async () => ({ exitCode: null, ended: 'refused', output: 'a project runs no commands' }) },
    sessionTools: noteTools(ports, sessionId),
    project: projectTools(ports, speaker, turnAt(talk), signal),
    limits: TURN_LIMITS,
    clock: ports.clock,
    checkpoint: async () => null,
    restore: async () => undefined,
    meanwhile: async () => meanwhile(talk),
    live: (text) =>
      ports.live({ at: new Date(ports.clock.now()).toISOString(), jobId: '', sessionId, featureId: null, text }),
    signal,
  };
}
