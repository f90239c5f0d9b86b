/** Decides the next step of a session from its conversation alone. */
import type { Unfit } from '../../core/model/unfitHistory.ts';
import type { HandoverReason } from '../../core/session/handover.ts';
import type { AttemptLimits } from '../../shared/job/rows.ts';
import type { AgentRole } from '../../shared/session.ts';
import { answerTool } from './answers.ts';
import type { Economy } from './economy.ts';
import { askForAnswer, truncatedNotice } from './nudges.ts';
import type { EndReason } from './ports.ts';
import { handoverRequest, SUMMARY_AGAIN } from './prompts/handover.ts';
import { clearToolResults, withoutImages } from './transcript/contextEditing.ts';
import type { Conversation, Settled } from './transcript/history.ts';
import { contentOf, type Message, type Reply, replyText, toolCalls } from './transcript/messages.ts';
import { holdsThinking, withoutThinking } from './transcript/thinking.ts';

export type Step =
  | { readonly do: 'ask' }
  /** Run the calls of the reply at hand. */
  | { readonly do: 'run' }
  /** Answer its calls with errors instead, and say why. */
  | { readonly do: 'refuse'; readonly text: string }
  | { readonly do: 'tell'; readonly text: string }
  /** Ask for the summary that a fresh conversation begins with. */
  | { readonly do: 'request_summary'; readonly reason: HandoverReason; readonly text: string }
  /** Remove what the model takes no longer: nothing else can be sent. */
  | { readonly do: 'shorten'; readonly messages: readonly Message[] }
  /** Begin a fresh conversation. `summary` is null if the model wrote none. */
  | { readonly do: 'hand_over'; readonly reason: HandoverReason; readonly summary: string | null }
  | { readonly do: 'finish'; readonly settled: Settled };

export interface Bounds {
  readonly limits: AttemptLimits;
  readonly elapsedSeconds: number;
  readonly economy: Pick<Economy, 'handoverDue'>;
}

/** Rounds whose results stay, if they fit, and the share that is left of a history that the model took no longer. */
const KEPT_ROUNDS = 3;
const LEFT_SHARE = 0.3;
/** Requests for a summary, after which the fresh conversation begins without one. */
const SUMMARY_REQUESTS = 2;

const NOTHING_SAID: Settled = { kind: 'answered', answer: { kind: 'text', text: '' } };

export function decide(conversation: Conversation, role: AgentRole, bounds: Bounds): Step {
  if (conversation.reply !== null) return afterReply(conversation, conversation.reply, role, bounds);
  if (conversation.settled !== null) return { do: 'finish', settled: conversation.settled };
  return askWithin(conversation, role, bounds);
}

/** The state at which the conversation rests. Null if a step is unfinished, as after a kill; it must be finished first. */
export function atRest(
  conversation: Conversation,
  role: AgentRole,
  limits: AttemptLimits,
): Extract<Step, { do: 'finish' }> | null {
  if (conversation.messages.length === 0) return { do: 'finish', settled: NOTHING_SAID };
  const bounds = { limits, elapsedSeconds: 0, economy: { handoverDue: () => null } };
  const step = decide(conversation, role, bounds);
  return step.do === 'finish' ? step : null;
}

function afterReply(conversation: Conversation, reply: Reply, role: AgentRole, bounds: Bounds): Step {
  const calls = toolCalls(reply).length > 0;
  const handover = reply.stop_reason === 'refusal' ? null : afterRequest(conversation, reply, role);
  if (handover !== null) return handover;
  switch (reply.stop_reason) {
    case 'tool_use':
      return calls ? { do: 'run' } : withoutAnswer(conversation, reply, role);
    case 'end_turn':
    case 'stop_sequence':
      return calls ? cutOff(conversation, reply, role) : withoutAnswer(conversation, reply, role);
    case 'max_tokens':
    case 'model_context_window_exceeded':
      return cutOff(conversation, reply, role);
    case 'pause_turn':
      if (calls) return ended('unknown_stop', 'the model paused in the middle of its server-side tool calls');
      // Without content to send back, the same request would be repeated.
      return contentOf(reply).length > 0
        ? askWithin(conversation, role, bounds)
        : withoutAnswer(conversation, reply, role);
    case 'refusal':
      return ended('refusal', replyText(reply) || 'the model refused');
    default:
      return ended('unknown_stop', `the reply ended with ${JSON.stringify(reply.stop_reason)}`);
  }
}

/**
 * Such a reply is not read at all, neither its calls nor its answer. A task's step sets the length of its answer, so it is not
 * asked again.
 */
function cutOff(conversation: Conversation, reply: Reply, role: AgentRole): Step {
  const text = truncatedNotice(role);
  if (role !== 'task' && conversation.nudges === 0)
    return toolCalls(reply).length > 0 ? { do: 'refuse', text } : { do: 'tell', text };
  return reply.stop_reason === 'model_context_window_exceeded'
    ? ended('context_full', 'the conversation no longer fits into the model')
    : ended('truncated', role === 'task' ? 'the reply was cut off' : 'the reply was cut off twice in a row');
}

function withoutAnswer(conversation: Conversation, reply: Reply, role: AgentRole): Step {
  const text = replyText(reply);
  const tool = answerTool(role);
  // A project may end a turn without text, because `notify` is its other way to report.
  if (tool === null && (text !== '' || role === 'project')) {
    return { do: 'finish', settled: { kind: 'answered', answer: { kind: 'text', text } } };
  }
  if (conversation.nudges === 0) return { do: 'tell', text: askForAnswer(role) };
  return conversation.invalidAnswers > 0
    ? ended('invalid_answer', 'no valid answer after a repair turn')
    : ended('no_report', tool === null ? 'the model gave no text' : `the model stopped without calling ${tool}`);
}

function askWithin(conversation: Conversation, role: AgentRole, bounds: Bounds): Step {
  const over = limitReached(bounds.limits, conversation.attempt, bounds.elapsedSeconds);
  if (over !== null) return ended(over.reason, over.detail);
  return handoverFirst(conversation, role, bounds) ?? { do: 'ask' };
}

/** The ceiling of the attempt that is reached. Null if the attempt may continue. */
export function limitReached(
  limits: AttemptLimits,
  { turns, tokens }: { readonly turns: number; readonly tokens: number },
  elapsedSeconds: number,
): { readonly reason: EndReason; readonly detail: string } | null {
  if (turns >= limits.turns) return { reason: 'turns', detail: `${turns} of ${limits.turns} turns used` };
  if (tokens >= limits.tokens) return { reason: 'tokens', detail: `${tokens} of ${limits.tokens} tokens used` };
  if (elapsedSeconds < limits.seconds) return null;
  return { reason: 'time', detail: `${Math.round(elapsedSeconds)} of ${limits.seconds} seconds used` };
}

/** The step after a reply to the request for a summary. Null if none was requested, or the reply is the session's answer instead. */
function afterRequest({ handingOver }: Conversation, reply: Reply, role: AgentRole): Step | null {
  if (handingOver === null) return null;
  const calls = toolCalls(reply);
  if (reply.stop_reason === 'tool_use' && calls.some(({ name }) => name === answerTool(role))) return null;
  const { reason, requests } = handingOver;
  const text = replyText(reply);
  const isLast = requests >= SUMMARY_REQUESTS;
  if (text !== '' && (calls.length === 0 || isLast)) return { do: 'hand_over', reason, summary: text };
  if (isLast) return { do: 'hand_over', reason, summary: null };
  return calls.length > 0
    ? { do: 'refuse', text: SUMMARY_AGAIN }
    : { do: 'request_summary', reason, text: SUMMARY_AGAIN };
}

/** Hands over a conversation that the model refused, or that costs too much. */
function handoverFirst(conversation: Conversation, role: AgentRole, { economy }: Bounds): Step | null {
  if (conversation.handingOver !== null) return null;
  if (conversation.lastStop === 'model_context_window_exceeded') {
    const messages = fitting(conversation, 'too_long');
    if (messages !== null) return { do: 'shorten', messages };
  }
  const reason = conversation.isRefused ? 'refused' : economy.handoverDue(conversation);
  return reason === null ? null : { do: 'request_summary', reason, text: handoverRequest(role) };
}

/**
 * What is left of a history that the provider refused, without what it refuses. Null if that was removed since the last reply
 * already, or nothing can be removed.
 */
export function fitting(conversation: Conversation, why: Unfit): readonly Message[] | null {
  if (conversation.isAnew) return null;
  const { messages } = conversation;
  if (why === 'thinking_bound') return holdsThinking(messages) ? withoutThinking(messages) : null;
  if (why === 'image') return withoutImages(messages);
  const shortened = clearToolResults(messages, KEPT_ROUNDS, LEFT_SHARE);
  return shortened.freedShare > 0 ? shortened.messages : null;
}

function ended(reason: EndReason, detail: string): Step {
  return { do: 'finish', settled: { kind: 'ended', reason, detail } };
}
