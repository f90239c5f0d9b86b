/** Simulates a model: takes a request's path and body, returns an answer. Independent of transport and time. */
import {
  asksForSummary,
  briefOf,
  FOREIGN_CLOSING,
  foreignPositionOf,
  positionOf,
  summaryText,
} from './conversation.ts';
import { isForeign, withForeignHands } from './foreignHands.ts';
import { countInputTokens, PromptCache } from './promptCache.ts';
import { makeReply, type Reply } from './reply.ts';
import { type MessagesRequest, readRequest } from './request.ts';
import type { Scenario, Turn } from './scenario.ts';
import { lineAt } from './script.ts';
import { talkOf } from './talk.ts';
import { talkTurn } from './talkScript.ts';
import { taskTurn } from './taskScript.ts';

export type Answer =
  | { readonly kind: 'reply'; readonly reply: Reply; readonly stream: boolean }
  | { readonly kind: 'tokens'; readonly inputTokens: number }
  | {
      readonly kind: 'error';
      readonly status: 400 | 404;
      /** As in the API's error body. */
      readonly type: 'invalid_request_error' | 'not_found_error';
      readonly message: string;
      /** Whether the request is valid but the scenario has no answer to it. */
      readonly exhausted: boolean;
    };

export class SimulatedModel {
  readonly #scenario: Scenario;
  readonly #cache = new PromptCache();

  constructor(scenario: Scenario) {
    this.#scenario = scenario;
  }

  /**
   * Answers a POST. `path` may have a query. Deterministic, except for the prompt cache, which earlier answers filled.
   */
  answer(path: string, body: string): Answer {
    const endpoint = path.split('?', 1)[0];
    if (endpoint !== '/v1/messages' && endpoint !== '/v1/messages/count_tokens') {
      return {
        kind: 'error',
        status: 404,
        type: 'not_found_error',
        message: `no such path: ${endpoint}`,
        exhausted: false,
      };
    }
    const read = readRequest(body);
    if (!read.ok) return invalid(read.message, false);
    const { request } = read;
    if (endpoint !== '/v1/messages') return { kind: 'tokens', inputTokens: countInputTokens(request) };
    if (request.max_tokens === undefined) return invalid('max_tokens: Field required', false);
    const turn = this.#turnFor(request);
    if (typeof turn === 'string') return invalid(`SCENARIO_EXHAUSTED: ${turn}`, true);
    return { kind: 'reply', reply: makeReply(request, turn, this.#cache.use(request)), stream: request.stream };
  }

  /**
   * The turn, or the reason why there is none. Text without an assignment comes from a task: it gets plain text, which
   * is never a plan or a verdict.
   */
  #turnFor(request: MessagesRequest): Turn | string {
    const talk = talkOf(request);
    if (asksForSummary(request)) {
      const turn = talk?.turn ?? positionOf(request)?.turn ?? 0;
      return { text: summaryText(turn), calls: [] };
    }
    if (talk !== null) return talkTurn(this.#scenario, talk);
    if (isForeign(request)) return this.#foreignTurn(request);
    const position = positionOf(request);
    if (position === null) return taskTurn(this.#scenario, request);
    const line = lineAt(this.#scenario, position, briefOf(request));
    return line.found ? line.turn : line.reason;
  }

  /**
   * An external agent also sends requests that are not turns of a session (for titles, for instance), and one more
   * after its report.
   */
  #foreignTurn(request: MessagesRequest): Turn {
    const position = foreignPositionOf(request);
    if (position === null) return taskTurn(this.#scenario, request);
    const line = lineAt(this.#scenario, position, briefOf(request));
    if (!line.found) return { text: FOREIGN_CLOSING, calls: [] };
    return withForeignHands(line.turn, position.assignment, request.tools);
  }
}

function invalid(message: string, exhausted: boolean): Answer {
  return { kind: 'error', status: 400, type: 'invalid_request_error', message, exhausted };
}
