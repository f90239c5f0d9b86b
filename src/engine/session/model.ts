/** The SDK's tool runner, one turn at a time: a reply is journaled between the call and its tools. */
import Anthropic from '@anthropic-ai/sdk';
import type { BetaRunnableTool } from '@anthropic-ai/sdk/lib/tools/BetaRunnableTool';
import type { BetaToolRunnerParams } from '@anthropic-ai/sdk/lib/tools/BetaToolRunner';
import type { BetaToolResultBlockParam } from '@anthropic-ai/sdk/resources/beta/messages/messages';
import { CONVERSATION_HEADER } from './gatewayPorts.ts';
import type { RequestBody } from './request.ts';
import { distinctCalls } from './transcript/callIds.ts';
import { blocksOf, type Message } from './transcript/messages.ts';

/** Never resolved: requests leave through the gateway's fetch. */
const NOWHERE = 'http://gateway.invalid';
/** The gateway owns waiting: it queues, backs off and watches streams. Largest delay that a timer takes. */
const NO_TIMEOUT_MS = 2 ** 31 - 1;

export interface Model {
  /** Makes one call. Rejects if the reply is incomplete; then no part of it counts. */
  reply(body: RequestBody): Promise<unknown>;
  /** Runs the calls of the reply that the body's messages end with: one result for each, in order. */
  runTools(body: RequestBody): Promise<readonly BetaToolResultBlockParam[]>;
}

export function openModel(options: {
  readonly fetch: typeof fetch;
  readonly signal: AbortSignal;
  readonly tools: readonly BetaRunnableTool[];
  /** The name of the conversation that a request belongs to. */
  readonly conversation: () => string;
}): Model {
  const { signal } = options;
  const client = new Anthropic({
    apiKey: 'unused',
    authToken: null,
    baseURL: NOWHERE,
    fetch: (input, init) => {
      const headers = new Headers(init?.headers);
      headers.set(CONVERSATION_HEADER, options.conversation());
      return options.fetch(input, { ...init, headers, signal: either(signal, init?.signal) });
    },
    maxRetries: 0,
    timeout: NO_TIMEOUT_MS,
    logLevel: 'off',
  });
  // The SDK does not receive the abort, because it would drop an answer that was just paid. The streams that it reads
  // end without it.
  const runner = ({ tools, ...body }: RequestBody) => {
    // A session without tools sends none, not an empty list; the runner's type wants one.
    const offered = new Set(tools?.map(({ name }) => name));
    const given = tools === undefined ? {} : { tools: options.tools.filter(({ name }) => offered.has(name)) };
    const params = { ...body, ...given, thread: false } as unknown as BetaToolRunnerParams & { stream: true };
    return client.beta.messages.toolRunner(params);
  };
  return {
    async reply(body) {
      for await (const stream of runner(body)) {
        const message = plain(await stream.finalMessage());
        distinctCalls(message, body.messages);
        return message;
      }
      throw new Error('the tool runner ended before its first reply');
    },
    async runTools(body) {
      const message = await runner(body).generateToolResponse(signal);
      return message === null ? [] : results(plain(message));
    },
  };
}

function either(one: AbortSignal, other: AbortSignal | null | undefined): AbortSignal {
  return other ? AbortSignal.any([one, other]) : one;
}

function results(message: Message): readonly BetaToolResultBlockParam[] {
  return blocksOf(message).filter((block) => block.type === 'tool_result');
}

/** The message as the journal would return it, so that a live history and a resumed one have the same bytes. */
function plain<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}
