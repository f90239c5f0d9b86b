/** Shortening a conversation that has grown too long: a summary takes the place of its older part, the last turns stay. */

import type { AttemptLimits } from '../../../shared/job/rows.ts';
import type { ProjectRow } from '../../../shared/project/projects.ts';
import { beginsAssignment } from '../../../shared/workspace/assignment.ts';
import type { SessionResult, SessionSpec } from '../../session/ports.ts';
import { SUMMARY_SYSTEM, summaryOpening } from '../../session/prompts/conversationSummary.ts';
import { type Conversation, foldTranscript } from '../../session/transcript/history.ts';
import { blocksOf, type Message, textBlock, withUser } from '../../session/transcript/messages.ts';
import { answerOnly } from '../answerOnly.ts';
import type { ConversationRun } from './conversationPorts.ts';
import { modelFor, newSession, ownSessions } from './conversationSession.ts';

const LIMITS: AttemptLimits = { turns: 4, tokens: 2_000_000, seconds: 600, microUsd: 0 };
const MAX_TOKENS = 3_000;
/** Turns that stay word for word, if they are no longer than this many characters together. */
const KEPT_TURNS = 3;
const KEPT_CHARACTERS = 60_000;
const NO_SUMMARY =
  'No summary could be written of the older part. A dated file beside this conversation contains that part.';

type Unavailable = Extract<SessionResult, { outcome: 'unavailable' }>;

interface Compacting {
  readonly project: ProjectRow;
  /** The conversation's. */
  readonly sessionId: number;
  /** The new spec of the conversation. */
  readonly spec: SessionSpec;
  readonly conversation: Conversation;
}

/** Call only at rest. Returns null if done; otherwise nothing has changed, and another attempt follows later. */
export async function compact(talk: ConversationRun, given: Compacting): Promise<Unavailable | null> {
  const { ports, journal, signal } = talk;
  const { messages } = given.conversation;
  const kept = keptFrom(messages);
  const summary = await summarize(talk, given, messages.slice(0, kept));
  if ('outcome' in summary) return summary;
  signal.throwIfAborted();
  const heading = `[The older part of this conversation, summed up]\n${summary.text}`;
  const [first, ...rest] = messages.slice(kept);
  const begun = withUser([], [textBlock(heading)]);
  const shortened = first === undefined ? begun : [...withUser(begun, blocksOf(first)), ...rest];
  await journal.restart([
    { kind: 'opening', spec: given.spec, checkpoint: null },
    { kind: 'compacted', messages: shortened, upTo: journal.heldUpTo, atRest: true },
  ]);
  await summary.end();
  ports.live({
    at: new Date(ports.clock.now()).toISOString(),
    jobId: '',
    sessionId: given.sessionId,
    featureId: null,
    text: 'conversation shortened',
  });
  return null;
}

/** Index of the first kept turn. The length if none is kept. */
function keptFrom(messages: readonly Message[]): number {
  const turns = messages.flatMap((message, index) => (beginsTurn(message) ? [index] : []));
  for (const from of turns.slice(-KEPT_TURNS)) {
    if (from > 0 && JSON.stringify(messages.slice(from)).length <= KEPT_CHARACTERS) return from;
  }
  return messages.length;
}

/** Results of tools belong to the reply before them: a history cannot start with them. */
function beginsTurn(message: Message): boolean {
  if (message.role !== 'user') return false;
  const blocks = blocksOf(message);
  return (
    blocks.some((block) => block.type === 'text' && beginsAssignment(block.text)) &&
    blocks.every((block) => block.type === 'text')
  );
}

interface Summary {
  readonly text: string;
  /** Call when the text is in use: until then it is found again after a kill. */
  end(): Promise<void>;
}

/** The summary, or why it cannot be had now. */
async function summarize(
  talk: ConversationRun,
  given: Compacting,
  older: readonly Message[],
): Promise<Summary | Unavailable> {
  const { ports, signal } = talk;
  const spec = specOf(talk, given, older);
  const id = await sessionFor(talk, given.sessionId, spec);
  const transcript = await ports.openTranscript(id);
  try {
    const { workdir } = ports;
    const result = await answerOnly(ports, spec, { sessionId: id, workdir, transcript, limits: LIMITS, signal });
    signal.throwIfAborted();
    if (result.outcome === 'unavailable') return result;
    const text = result.outcome === 'answered' && result.answer.kind === 'text' ? result.answer.text : '';
    return { text: text === '' ? NO_SUMMARY : text, end: () => end(talk, id, result.turns, text !== '') };
  } finally {
    await transcript.close();
  }
}

function specOf({ ports }: ConversationRun, { project }: Compacting, older: readonly Message[]): SessionSpec {
  const opening = summaryOpening(ports.projectId, older);
  const model = modelFor(project, 'summarizer', ports.models);
  return { role: 'summarizer', model, system: SUMMARY_SYSTEM, opening, maxTokens: MAX_TOKENS };
}

/** The open session for this very text. A session for any other text is ended. */
async function sessionFor(talk: ConversationRun, parentId: number, spec: SessionSpec): Promise<number> {
  for (const { id, status } of ownSessions(talk.ports, 'summarizer')) {
    if (status !== 'running') continue;
    const transcript = await talk.ports.openTranscript(id);
    await transcript.close();
    const begun = foldTranscript(transcript.entries);
    if (begun.spec === null || begun.spec.opening === spec.opening) return id;
    await end(talk, id, begun.turns, true);
  }
  return newSession(talk.ports, 'summarizer', parentId, spec.model);
}

async function end({ ports }: ConversationRun, id: number, turns: number, ok: boolean): Promise<void> {
  const status = ok ? 'completed' : 'failed';
  const error_message = ok ? null : 'it gave no summary';
  await ports.store.commit({ type: 'session_ended', session: { id, status, error_message, turns } });
}
