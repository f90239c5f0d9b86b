/**
 * Computes the state of a conversation as a fold over its transcript. A live session and a resumed one use the same function, so
 * a resumed session has the same state.
 */
import { createHash } from 'node:crypto';
import type { BetaContentBlockParam } from '@anthropic-ai/sdk/resources/beta/messages/messages';
import { addCall, type ConversationUse, type HandoverReason, UNUSED } from '../../../core/session/handover.ts';
import { beginsAssignment } from '../../../shared/workspace/assignment.ts';
import { answerTool, type Judgement, judgeAnswer, submittedAfter } from '../answers.ts';
import { changedInstructions, isNudge } from '../nudges.ts';
import type { EndReason, SessionAnswer, SessionSpec, TranscriptEntry, Turn } from '../ports.ts';
import { openingBlocks } from '../request.ts';
import { endedTurnText, turnEnds } from '../tools/endsTurn.ts';
import {
  asReply,
  callUse,
  type Message,
  type Reply,
  replyText,
  textBlock,
  tokensOf,
  toolCalls,
  withReply,
  withUser,
} from './messages.ts';
import { FRESH_GUARD, guardRound, type LoopGuard, pairResults } from './rounds.ts';
import { withoutThinking } from './thinking.ts';

export interface Conversation {
  /** null until an opening was journaled. */
  readonly spec: SessionSpec | null;
  /** The messages of the next request. */
  readonly messages: readonly Message[];
  /** The last entry, when it is a reply: what to do about it is open. */
  readonly reply: Reply | null;
  /** Whether this conversation replaced an earlier one since the last reply. */
  readonly isAnew: boolean;
  /** Whether the provider refused the history before this one: what is left of it is handed over. */
  readonly isRefused: boolean;
  /** A summary was requested for a handover, this often. Null if none is open. */
  readonly handingOver: { readonly reason: HandoverReason; readonly requests: number } | null;
  /** Whether it begins with the summary of an earlier conversation. */
  readonly isSummarized: boolean;
  /** Names the conversation within its session: another name, another history. */
  readonly name: string;
  /** Usage of this conversation. */
  readonly use: ConversationUse;
  /** The most tokens of a prompt, as the provider stated. Null if it did not. */
  readonly window: number | null;
  /** The instructions that hold: the spec's, or those of a later message. */
  readonly system: string;
  /** What the session was given since the last assignment, which is first. */
  readonly given: readonly string[];
  /** Stop reason of the last reply. */
  readonly lastStop: string | null;
  readonly checkpoint: string | null;
  /**
   * The checkpoint of the assignment before, if this one began without: journals of older versions repeat it in the results of rounds that
   * changed nothing.
   */
  readonly staleCheckpoint: string | null;
  /** Replies in all. */
  readonly turns: number;
  /** Assignments in all. */
  readonly assignments: number;
  /** Usage of the current assignment. */
  readonly attempt: { readonly turns: number; readonly tokens: number };
  /** Ids of the messages of the current turn, or of the last one. */
  readonly turn: readonly number[];
  /** Re-asks in a row. */
  readonly nudges: number;
  readonly invalidAnswers: number;
  readonly guard: LoopGuard;
  /** The plan that a planner submitted last, with its corrections, or was shown as refused, as JSON. Null if there is none. */
  readonly submitted: unknown;
  /** The result of the assignment after the last round. Null if it continues. */
  readonly settled: Settled | null;
  /** The session of an external agent, which detects its own loops: its reported calls may look alike. */
  readonly foreign: boolean;
}

export type Settled =
  | { readonly kind: 'answered'; readonly answer: SessionAnswer }
  | { readonly kind: 'ended'; readonly reason: EndReason; readonly detail: string };

const FRESH_ATTEMPT = { attempt: { turns: 0, tokens: 0 }, guard: FRESH_GUARD };
const FRESH_ASK = { nudges: 0, invalidAnswers: 0, settled: null };
const MAX_INVALID = 2;
const AT_REST: Settled = { kind: 'answered', answer: { kind: 'text', text: '' } };

const EMPTY: Conversation = {
  spec: null,
  messages: [],
  reply: null,
  isAnew: false,
  isRefused: false,
  handingOver: null,
  isSummarized: false,
  name: '0',
  use: UNUSED,
  window: null,
  system: '',
  given: [],
  lastStop: null,
  checkpoint: null,
  staleCheckpoint: null,
  turns: 0,
  assignments: 0,
  turn: [],
  submitted: null,
  foreign: false,
  ...FRESH_ATTEMPT,
  ...FRESH_ASK,
};

/** The operations that extend a history. */
interface Growth {
  readonly user: typeof withUser;
  readonly reply: typeof withReply;
}

/** For callers that keep the earlier history. */
const COPYING: Growth = { user: withUser, reply: withReply };

/** For callers that drop the earlier history: ten thousand entries are not copied ten thousand times. */
const IN_PLACE: Growth = {
  user: (messages, blocks) => inPlace(messages, withUser(messages.slice(-1), blocks)),
  reply: (messages, reply) => inPlace(messages, withReply(messages.slice(-1), reply)),
};

/** Replaces the last message by `tail`, which was computed from it. */
function inPlace(messages: readonly Message[], tail: readonly Message[]): readonly Message[] {
  const grown = messages as Message[];
  grown.splice(-1, 1, ...tail);
  return grown;
}

export function foldTranscript(entries: readonly TranscriptEntry[]): Conversation {
  const nothing: Conversation = { ...EMPTY, messages: [] };
  return entries.reduce((before, entry) => add(before, entry, IN_PLACE), nothing);
}

/** The texts that a session was given: what the sessions of its job and phase share, its opening and the messages after it. */
export function givenTexts(entries: readonly TranscriptEntry[]): readonly string[] {
  return entries.flatMap((entry) => {
    if (entry.kind === 'opening') return [entry.spec.shared ?? '', entry.spec.phase ?? '', entry.spec.opening];
    return entry.kind === 'user' ? [entry.text] : [];
  });
}

/** An invalid entry (damaged lines were skipped before it) is repaired or ignored. Never throws. */
export function addEntry(before: Conversation, entry: TranscriptEntry): Conversation {
  return add(before, entry, COPYING);
}

function add(before: Conversation, entry: TranscriptEntry, by: Growth): Conversation {
  switch (entry.kind) {
    case 'opening':
      return {
        ...EMPTY,
        spec: entry.spec,
        system: entry.spec.system,
        given: [givenText({ ...entry, text: entry.spec.opening })],
        assignments: 1,
        messages: withUser([], [...beforeBlocks(entry), ...openingBlocks(entry.spec)]),
        checkpoint: entry.checkpoint,
        turn: entry.messages ?? [],
        submitted: entry.spec.refusedPlan ?? null,
      };
    case 'user':
      return addUser(closeCalls(before, by), entry, by);
    case 'reply': {
      const reply = asReply(entry.message);
      return reply === null ? before : addReply(closeCalls(before, by), reply, by);
    }
    case 'results':
      return before.reply === null ? before : addResults(before, before.reply, entry, by);
    case 'instructions':
      return addInstructions(before, entry.system, by);
    case 'spec':
      return anew({
        ...before,
        spec: entry.spec,
        system: entry.spec.system,
        messages: withoutThinking(before.messages),
      });
    case 'explored':
      return before;
    case 'agent':
      return { ...before, foreign: true };
    case 'ended':
      return {
        ...closeCalls(before, by),
        settled: { kind: 'ended', reason: entry.reason, detail: entry.detail },
      };
    case 'compacted':
      return addCompacted(closeCalls(before, by), entry);
  }
}

function beforeBlocks({ before }: Pick<Turn, 'before'>): readonly BetaContentBlockParam[] {
  return before === undefined ? [] : [textBlock(before)];
}

function addUser(before: Conversation, turn: Extract<TranscriptEntry, { kind: 'user' }>, by: Growth): Conversation {
  const { text, handover } = turn;
  const messages = by.user(before.messages, [...beforeBlocks(turn), textBlock(text)]);
  const next = { ...before, messages, reply: null, turn: turn.messages ?? before.turn };
  if (handover !== undefined) return { ...next, handingOver: requested(before, handover) };
  if (isNudge(text)) return { ...next, nudges: before.nudges + 1 };
  const isAssignment = beginsAssignment(text);
  const given = [...(isAssignment ? [] : before.given), givenText(turn)];
  const assignments = before.assignments + (isAssignment ? 1 : 0);
  // The tree of the last assignment is not that of this one: meanwhile, other work may have been accepted.
  const { checkpoint = null } = turn;
  const staleCheckpoint = checkpoint === null ? (before.checkpoint ?? before.staleCheckpoint) : null;
  const begun = isAssignment ? { ...FRESH_ATTEMPT, checkpoint, staleCheckpoint } : {};
  return { ...next, given, assignments, ...FRESH_ASK, ...begun };
}

const givenText = ({ text, before }: Turn): string => (before === undefined ? text : `${text}\n\n${before}`);

const requested = ({ handingOver }: Conversation, reason: HandoverReason): Conversation['handingOver'] => ({
  reason,
  requests: (handingOver?.requests ?? 0) + 1,
});

/** Closes nothing: instructions change only at rest. */
function addInstructions(before: Conversation, system: string, by: Growth): Conversation {
  return { ...before, system, messages: by.user(before.messages, [textBlock(changedInstructions(system))]) };
}

function addReply(before: Conversation, reply: Reply, by: Growth): Conversation {
  const tokens = tokensOf(reply);
  return {
    ...before,
    messages: by.reply(before.messages, reply),
    reply,
    isAnew: false,
    lastStop: reply.stop_reason,
    turns: before.turns + 1,
    attempt: { turns: before.attempt.turns + 1, tokens: before.attempt.tokens + tokens },
    use: addCall(before.use, callUse(reply)),
  };
}

function addResults(
  before: Conversation,
  reply: Reply,
  entry: Extract<TranscriptEntry, { kind: 'results' }>,
  by: Growth,
): Conversation {
  const calls = toolCalls(reply);
  const blocks = pairResults(calls, entry.message);
  const next = {
    ...before,
    messages: by.user(before.messages, blocks),
    reply: null,
    checkpoint:
      entry.checkpoint === before.staleCheckpoint ? before.checkpoint : (entry.checkpoint ?? before.checkpoint),
    turn: entry.messages === undefined ? before.turn : [...before.turn, ...entry.messages],
    given: entry.messages === undefined ? before.given : [...before.given, ...textsAfter(blocks)],
  };
  const { handingOver } = before;
  if (handingOver !== null && calls.every(({ name }) => name !== answerTool(before.spec?.role ?? 'worker')))
    return { ...next, handingOver: requested(before, handingOver.reason) };
  if (reply.stop_reason !== 'tool_use') return { ...next, nudges: before.nudges + 1 };
  const results = blocks.filter((block) => block.type === 'tool_result');
  const round = guardRound(before.guard, calls, results);
  const role = before.spec?.role ?? 'worker';
  const judgement = judgeAnswer(role, calls, results, before.submitted);
  const invalidAnswers = before.invalidAnswers + (judgement.kind === 'invalid' ? 1 : 0);
  const isEnded = entry.messages === undefined && turnEnds(role, calls, results);
  const isLoop = round.verdict === 'end' && !before.foreign;
  const settled: Settled | null = isEnded
    ? { kind: 'answered', answer: { kind: 'text', text: endedTurnText(replyText(reply), calls, results) } }
    : settledBy(judgement, invalidAnswers, isLoop);
  const submitted = submittedAfter(role, calls, before.submitted);
  return { ...next, guard: round.guard, submitted, invalidAnswers, settled, nudges: 0 };
}

function settledBy(judgement: Judgement, invalidAnswers: number, isLoop: boolean): Settled | null {
  if (judgement.kind === 'accepted') return { kind: 'answered', answer: judgement.answer };
  if (judgement.kind === 'invalid' && invalidAnswers >= MAX_INVALID) {
    return { kind: 'ended', reason: 'invalid_answer', detail: judgement.fault };
  }
  return isLoop
    ? { kind: 'ended', reason: 'loop', detail: 'the same call gave the same result six times in a row' }
    : null;
}

/** The messages that a person or another agent sent during a round: they follow its results. */
const textsAfter = (blocks: readonly BetaContentBlockParam[]): readonly string[] =>
  blocks.flatMap((block) => (block.type === 'text' ? [block.text] : []));

/** Journals of before may still hold thinking in it, which no provider takes any more. */
function addCompacted(before: Conversation, entry: Extract<TranscriptEntry, { kind: 'compacted' }>): Conversation {
  const messages = [...withoutThinking(entry.messages as readonly Message[])];
  const { handover, refused, window = before.window, atRest } = entry;
  const spec = handover?.spec ?? before.spec;
  return {
    ...anew({ ...before, messages, spec }),
    system: handover === undefined ? before.system : handover.spec.system,
    given: entry.given ?? before.given,
    reply: null,
    isAnew: true,
    isRefused: refused !== undefined && refused !== 'image',
    handingOver: null,
    isSummarized: handover?.isSummarized === true,
    window,
    lastStop: null,
    settled: atRest === true ? AT_REST : before.settled,
    turn: entry.turn ?? (atRest === true ? [] : before.turn),
  };
}

/** Another history, of which nothing was sent yet. Its name is the same in a live session and in a resumed one. */
function anew(before: Conversation): Conversation {
  const begins = JSON.stringify([before.spec, before.messages]);
  return { ...before, name: createHash('sha256').update(begins).digest('hex').slice(0, 12), use: UNUSED };
}

/** The API requires a result for every call: unanswered calls get error results before any other message. */
function closeCalls(before: Conversation, by: Growth): Conversation {
  const calls = before.reply === null ? [] : toolCalls(before.reply);
  if (calls.length === 0) return { ...before, reply: null };
  return { ...before, messages: by.user(before.messages, pairResults(calls, null)), reply: null };
}
