/**
 * A model that works for many rounds and knows only what a request shows it. It finds facts of the form `fact <name>: <value>.`, writes
 * those that it was shown into its summary, and reports them at the end.
 */
import type { Answer } from '../../../src/adapters/simulated/model.ts';
import { countInputTokens, PromptCache } from '../../../src/adapters/simulated/promptCache.ts';
import { makeReply } from '../../../src/adapters/simulated/reply.ts';
import { type MessagesRequest, readRequest } from '../../../src/adapters/simulated/request.ts';
import type { Turn } from '../../../src/adapters/simulated/scenario.ts';
import { isHandoverRequest } from '../../../src/shared/workspace/assignment.ts';

const FACT = /fact ([a-z]+-\d+): ([^\n]+?)\.(?=\s|$)/g;
const ROUND = /round (\d+)\b/g;

export const factText = (name: string, value: string): string => `fact ${name}: ${value}.`;

export class FactKeeper {
  /** Requests for a summary. */
  summaries = 0;
  readonly #rounds: number;
  readonly #decisions: ReadonlyMap<number, string>;
  readonly #leftOut: readonly string[];
  readonly #cache = new PromptCache();

  /** `decisions`: what the model decides by itself, by round. `leftOut`: names of facts that its summaries leave out. */
  constructor(rounds: number, decisions: ReadonlyMap<number, string>, leftOut: readonly string[] = []) {
    this.#leftOut = leftOut;
    this.#rounds = rounds;
    this.#decisions = decisions;
  }

  answer(path: string, body: string): Answer {
    const read = readRequest(body);
    if (!read.ok)
      return { kind: 'error', status: 400, type: 'invalid_request_error', message: read.message, exhausted: false };
    const { request } = read;
    if (path.split('?', 1)[0] !== '/v1/messages') return { kind: 'tokens', inputTokens: countInputTokens(request) };
    const reply = makeReply(request, this.#turn(request), this.#cache.use(request));
    return { kind: 'reply', reply, stream: request.stream };
  }

  #turn(request: MessagesRequest): Turn {
    const shown = textsIn(request);
    const facts = new Map(shown.flatMap((text) => [...text.matchAll(FACT)]).map(([, name, value]) => [name, value]));
    const known = (leftOut: readonly string[]): string =>
      [...facts]
        .flatMap(([name = '', value = '']) => (leftOut.includes(name) ? [] : [factText(name, value)]))
        .join('\n');
    const last = Math.max(0, ...shown.flatMap((text) => [...text.matchAll(ROUND)]).map(([, round]) => Number(round)));
    if (isHandoverRequest(shown.at(-1) ?? '')) {
      this.summaries++;
      return { text: `Done up to round ${last}.\n${known(this.#leftOut)}`, calls: [] };
    }
    if (last >= this.#rounds)
      return { text: '', calls: [{ tool: 'report', input: { outcome: 'done', summary: known([]) } }] };
    const decision = this.#decisions.get(last + 1);
    return {
      text: decision === undefined ? '' : `I decided: ${decision}`,
      calls: [{ tool: 'bash', input: { command: `round ${last + 1}` } }],
    };
  }
}

/** Every text that a request shows: of people, of the model, of its calls and their results. */
function textsIn({ messages }: MessagesRequest): readonly string[] {
  return messages.flatMap(({ content }) =>
    content.flatMap((block): string[] => {
      if (block.type === 'text') return [String(block['text'])];
      if (block.type === 'tool_use') return [JSON.stringify(block['input'])];
      const { content: result } = block as { readonly content?: unknown };
      return block.type === 'tool_result' ? [typeof result === 'string' ? result : JSON.stringify(result)] : [];
    }),
  );
}
