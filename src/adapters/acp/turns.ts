/**
 * Runs the turns of a conversation: updates that arrive during a turn belong to it, and it ends in time after a cancel.
 */
import type { PromptResponse, StopReason } from '@agentclientprotocol/sdk';
import { isFields } from '../../core/text/json.ts';
import type { AgentOrder, TurnEnd } from '../../engine/agent/ports.ts';
import type { Clock } from '../../shared/clock.ts';
import { failure } from '../../shared/errors.ts';
import type { Usage } from '../../shared/money.ts';
import type { AgentConnection } from './agentConnection.ts';
import { updateOf } from './updates.ts';

const REASONS: Readonly<Record<StopReason, TurnEnd['reason']>> = {
  end_turn: 'end',
  max_tokens: 'max_tokens',
  max_turn_requests: 'max_turns',
  refusal: 'refusal',
  cancelled: 'cancelled',
};
/** Limit of its last message. */
const MAX_TEXT = 64 * 1024;

export interface TurnOrder {
  readonly clock: Clock;
  /** Between the cancel and the end of the process, ms. */
  readonly grace: number;
  readonly id: string;
  readonly text: string;
  readonly signal: AbortSignal;
}

export interface Turns {
  count(): number;
  /** The signal of the running turn; aborted between turns. */
  signal(): AbortSignal;
  /** `update` of a `session/update`. Updates between turns are ignored: a loaded conversation replays its history. */
  told(update: Readonly<Record<string, unknown>>): void;
  run(talk: AgentConnection, order: TurnOrder): Promise<TurnEnd>;
}

interface Turn {
  readonly over: AbortController;
  /** The last message so far. */
  text: string;
  message: string | null;
}

export function openTurns({ heard }: Pick<AgentOrder, 'heard'>): Turns {
  let turn: Turn | null = null;
  let count = 0;
  /** Total cost of the conversation, as reported. */
  let cost: number | null = null;
  return {
    count: () => count,
    signal: () => turn?.over.signal ?? AbortSignal.abort(),
    told(raw) {
      if (turn === null) return;
      const update = updateOf(raw);
      if (update === null) return;
      if (update.kind === 'usage') cost = update.costMicroUsd;
      if (update.kind === 'text') keep(turn, update.message, update.text);
      if (update.kind === 'tool') turn.message = AFTER_A_CALL;
      heard(update);
    },
    async run(talk, order) {
      if (turn !== null) throw new Error('a turn is already running');
      if (order.signal.aborted) return ended('cancelled', '');
      const mine: Turn = { over: new AbortController(), text: '', message: null };
      turn = mine;
      count++;
      const before = cost ?? 0;
      try {
        const answer = await asked(talk, order, mine.over);
        const spent = cost === null ? null : Math.max(0, cost - before);
        return answer === null
          ? { ...ended('cancelled', mine.text), costMicroUsd: spent }
          : { reason: REASONS[answer.stopReason], text: mine.text, usage: usageOf(answer), costMicroUsd: spent };
      } finally {
        mine.over.abort();
        turn = null;
      }
    },
  };
}

const AFTER_A_CALL = '\0';

function keep(turn: Turn, message: string | null, text: string): void {
  const goesOn = turn.message === message && turn.text !== '';
  turn.text = `${goesOn ? turn.text : ''}${text}`.slice(-MAX_TEXT);
  turn.message = message;
}

const ended = (reason: TurnEnd['reason'], text: string): TurnEnd => ({ reason, text, usage: null, costMicroUsd: null });

/** Returns null if the turn was cancelled: the agent confirmed it, or its process was ended. */
async function asked(talk: AgentConnection, order: TurnOrder, over: AbortController): Promise<PromptResponse | null> {
  const { clock, grace, id, text, signal } = order;
  let stopGrace: () => void = () => undefined;
  const cancel = (): void => {
    over.abort();
    stopGrace = clock.timer(grace, () =>
      talk.breakOff(failure('AGENT_DIED', 'it ignored the cancel, so it was ended')),
    );
    // The prompt itself reports the end of the connection.
    void talk.agent.notify('session/cancel', { sessionId: id }).catch(() => undefined);
  };
  signal.addEventListener('abort', cancel, { once: true });
  try {
    return await talk.agent.request('session/prompt', { sessionId: id, prompt: [{ type: 'text', text }] });
  } catch (thrown) {
    if (signal.aborted) return null;
    throw await talk.meaning(thrown, true);
  } finally {
    stopGrace();
    signal.removeEventListener('abort', cancel);
  }
}

/** Agents report usage in a field that the protocol does not define yet. */
function usageOf(answer: PromptResponse): Usage | null {
  const usage: unknown = 'usage' in answer ? answer.usage : null;
  if (!isFields(usage)) return null;
  const [input, output] = [tokens(usage['inputTokens']), tokens(usage['outputTokens'])];
  if (input === null || output === null) return null;
  const thought = tokens(usage['thoughtTokens']) ?? 0;
  return {
    input,
    output: output + thought,
    cacheRead: tokens(usage['cachedReadTokens']) ?? 0,
    cacheWrite5m: tokens(usage['cachedWriteTokens']) ?? 0,
    cacheWrite1h: 0,
  };
}

const tokens = (value: unknown): number | null =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;
