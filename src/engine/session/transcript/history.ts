/**
 * Computes the state of a conversation as a fold over its transcript. A live session and a resumed one use the same function, so
 * a resumed session has the same state.
 */
import type { BetaContentBlockParam } from '@anthropic-ai/sdk/resources/beta/messages/messages';
import { beginsAssignment } from '../../../shared/workspace/assignment.ts';
import { type Judgement, judgeAnswer, submittedAfter } from '../answers.ts';
import { isNudge } from '../nudges.ts';
import type { EndReason, SessionAnswer, SessionSpec, TranscriptEntry, Turn } from '../ports.ts';
import { openingBlocks } from '../request.ts';
import { endedTurnText, turnEnds } from '../tools/endsTurn.ts';
import {
  asReply,
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
  /** Since the last reply. */
  readonly shortened: boolean;
  /** Stop reason of the last reply. */
  readonly lastStop: string | null;
  readonly checkpoint: string | null;
  /** Replies in all. */
  readonly turns: number;
  /** Usage of the current assignment. */
  readonly attempt: { readonly turns: number; readonly tokens: number };
  /** Size of the context after the last reply. */
  readonly contextTokens: number;
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
  shortened: false,
  lastStop: null,
  checkpoint: null,
  turns: 0,
  contextTokens: 0,
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
    case 'spec':
      return { ...before, spec: entry.spec, messages: withoutThinking(before.messages) };
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

function addUser(before: Conversation, turn: Turn, by: Growth): Conversation {
  const { text } = turn;
  const messages = by.user(before.messages, [...beforeBlocks(turn), textBlock(text)]);
  const next = { ...before, messages, reply: null, turn: turn.messages ?? before.turn };
  if (isNudge(text)) return { ...next, nudges: before.nudges + 1 };
  return { ...next, ...FRESH_ASK, ...(beginsAssignment(text) ? FRESH_ATTEMPT : {}) };
}

function addReply(before: Conversation, reply: Reply, by: Growth): Conversation {
  const tokens = tokensOf(reply);
  return {
    ...before,
    messages: by.reply(before.messages, reply),
    reply,
    shortened: false,
    lastStop: reply.stop_reason,
    turns: before.turns + 1,
    attempt: { turns: before.attempt.turns + 1, tokens: before.attempt.tokens + tokens },
    contextTokens: tokens,
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
    checkpoint: entry.checkpoint ?? before.checkpoint,
    turn: entry.messages === undefined ? before.turn : [...before.turn, ...entry.messages],
  };
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

/** Journals of before may still hold thinking in it, which no provider takes any more. */
function addCompacted(before: Conversation, entry: Extract<TranscriptEntry, { kind: 'compacted' }>): Conversation {
  const messages = [...withoutThinking(entry.messages as readonly Message[])];
  const share = JSON.stringify(messages).length / Math.max(1, JSON.stringify(before.messages).length);
  return {
    ...before,
    messages,
    reply: null,
    shortened: true,
    lastStop: null,
    settled: entry.atRest === true ? AT_REST : before.settled,
    turn: entry.turn ?? (entry.atRest === true ? [] : before.turn),
    contextTokens: Math.round(before.contextTokens * Math.min(1, share)),
  };
}

/** The API requires a result for every call: unanswered calls get error results before any other message. */
function closeCalls(before: Conversation, by: Growth): Conversation {
  const calls = before.reply === null ? [] : toolCalls(before.reply);
  if (calls.length === 0) return { ...before, reply: null };
  return { ...before, messages: by.user(before.messages, pairResults(calls, null)), reply: null };
}
