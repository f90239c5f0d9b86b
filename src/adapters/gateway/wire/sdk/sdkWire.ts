/**
 * The chat, the responses and the Gemini protocol, through the AI SDK's provider packages. This file and its imports are a chunk of their own,
 * which only a connection with such a wire loads.
 */
import { GoogleLanguageModel } from '@ai-sdk/google/internal';
import { OpenAIResponsesLanguageModel } from '@ai-sdk/openai/internal';
import { OpenAICompatibleChatLanguageModel } from '@ai-sdk/openai-compatible';
import {
  APICallError,
  type LanguageModelV4,
  type LanguageModelV4StreamPart,
  type SharedV4ProviderOptions,
} from '@ai-sdk/provider';
import { byteStream, EVENT_STREAM, errorBody, JSON_BODY } from '../../../../core/model/messagesEvents.ts';
import type { ModelReply, ModelRequest } from '../../../../engine/session/gatewayPorts.ts';
import { AutonomousError, failure } from '../../../../shared/errors.ts';
import type { Connection, Wire } from '../../../../shared/model/connections.ts';
import { BrokenAnswer } from '../../send/answer.ts';
import type { ModelHost } from '../modelHost.ts';
import { ended, SdkAnswer, ServerError } from './answer.ts';
import { type SdkRequest, sdkRequest } from './prompt.ts';
import { argumentsReader } from './toolArguments.ts';

type SdkWire = Exclude<Wire, 'messages' | 'vertex'>;

/** These models refuse a request for encrypted reasoning, because they do not reason. */
const WITHOUT_REASONING = /^(?:gpt-3|gpt-4|chatgpt|gpt-5-chat)/;

/** Options that a stateless conversation needs: nothing is stored at the provider, so it returns what it needs back. */
function optionsOf(wire: SdkWire, model: string): SharedV4ProviderOptions {
  if (wire !== 'responses') return {};
  const include = WITHOUT_REASONING.test(model) ? [] : ['reasoning.encrypted_content'];
  return { openai: { store: false, ...(include.length === 0 ? {} : { include }) } };
}

/** Sends one request of the Messages API over another wire. Rejects as `Provider.send` does. */
export async function sendOverSdk(
  { name, wire, baseUrl }: Connection & { readonly wire: SdkWire },
  host: ModelHost,
  request: ModelRequest,
  signal: AbortSignal,
): Promise<ModelReply> {
  const asked = sdkRequest(request.body, name);
  if ('refused' in asked) return errorReply(400, asked.refused);
  const posted = new Posted(host, baseUrl, signal);
  const model = modelOf(wire, baseUrl, asked.model, posted.fetch);
  let parts: ReadableStreamDefaultReader<LanguageModelV4StreamPart>;
  try {
    const providerOptions = optionsOf(wire, asked.model);
    const { stream } = await model.doStream({ ...asked.call, providerOptions, abortSignal: signal });
    parts = stream.getReader();
  } catch (thrown) {
    return posted.replyTo(thrown, asked.streams);
  }
  return reply(asked, parts, name, posted);
}

/** The classes of the models alone: the packages' own entries also contain images, speech and batches. */
function modelOf(wire: SdkWire, baseURL: string, model: string, fetch: typeof globalThis.fetch): LanguageModelV4 {
  const headers = () => ({});
  const url = ({ path }: { readonly path: string }): string => baseURL + path;
  if (wire === 'responses')
    return new OpenAIResponsesLanguageModel(model, { provider: 'openai.responses', url, headers, fetch });
  if (wire === 'gemini') {
    const generateId = () => `call_${crypto.randomUUID()}`;
    return new GoogleLanguageModel(model, { provider: 'google.generative-ai', baseURL, headers, fetch, generateId });
  }
  return new OpenAICompatibleChatLanguageModel(model, {
    provider: 'chat.chat',
    url,
    headers,
    fetch,
    includeUsage: true,
  });
}

/** The package's requests, sent by the host of the connection, and its answer if that is an error. */
class Posted {
  readonly #host: ModelHost;
  readonly #base: string;
  readonly #signal: AbortSignal;
  #refused: ModelReply | null = null;
  #failed: unknown = null;
  #isAnswered = false;
  /** Fingerprints that come with the answer. */
  #secrets: NonNullable<ModelReply['secrets']> = [];

  constructor(host: ModelHost, base: string, signal: AbortSignal) {
    this.#host = host;
    this.#base = base;
    this.#signal = signal;
  }

  readonly fetch: typeof globalThis.fetch = async (input, init) => {
    const url = String(input instanceof Request ? input.url : input);
    if (!url.startsWith(`${this.#base}/`)) throw new Error('the package left the base URL');
    const headers = Object.fromEntries(new Headers(init?.headers));
    const request = { method: init?.method ?? 'POST', headers, body: String(init?.body ?? '') };
    try {
      const answer = await this.#host.send(url.slice(this.#base.length), request, this.#signal);
      if (answer.status !== 200) {
        // Read by the gateway instead of the package.
        this.#refused = answer;
        return new Response('{}', { status: answer.status });
      }
      this.#isAnswered = true;
      this.#secrets = answer.secrets ?? [];
      return new Response(answer.body, { status: 200, headers: answer.headers });
    } catch (thrown) {
      this.#failed = thrown;
      throw thrown;
    }
  };

  /** The reply if the package threw instead of reading the answer. Throws what the host threw, and ABORTED. */
  replyTo(thrown: unknown, streams: boolean): ModelReply {
    if (this.#failed instanceof AutonomousError) throw this.#failed;
    if (this.#refused !== null) return this.#refused;
    if (this.#signal.aborted) throw failure('ABORTED', 'the call was aborted');
    if (this.#failed !== null)
      throw failure('MODEL_UNAVAILABLE', 'the request could not be made', { details: { sent: false } });
    if (!this.#isAnswered) return errorReply(400, `the request has no form in this protocol: ${said(thrown)}`);
    // The package reads on until the first word, and throws the error that the server reports instead.
    if (APICallError.isInstance(thrown) && thrown.data !== undefined) return this.reported(thrown);
    return this.body(brokenOff(), streams, async () => undefined);
  }

  /** An error of the server inside an answer. It may quote what was sent. */
  reported(error: unknown): ModelReply {
    return errorReply(statusOf(error), this.#host.redact(said(error)));
  }

  body(texts: AsyncGenerator<string>, streams: boolean, cancel: (reason: unknown) => Promise<void>): ModelReply {
    const headers = streams ? EVENT_STREAM : JSON_BODY;
    return { status: 200, headers, body: byteStream(texts, cancel), secrets: this.#secrets };
  }
}

/** The first event of an answer is awaited: servers report errors in an answer with status 200, too. */
async function reply(
  asked: SdkRequest,
  parts: ReadableStreamDefaultReader<LanguageModelV4StreamPart>,
  connection: string,
  posted: Posted,
): Promise<ModelReply> {
  const answer = new SdkAnswer({
    connection,
    model: asked.model,
    id: `msg_${crypto.randomUUID()}`,
    argumentsOf: argumentsReader(asked.tools),
  });
  const first = await firstEvents(answer, parts);
  if (first.refused !== null) return posted.reported(first.refused);
  const events = eventsOf(answer, parts, first);
  const texts = asked.streams ? events : wholeOf(events, answer);
  return posted.body(texts, asked.streams, (reason) => parts.cancel(reason));
}

// biome-ignore lint/correctness/useYield: it ends before its first text
async function* brokenOff(): AsyncGenerator<string> {
  throw ended();
}

interface FirstEvents {
  readonly begun: string;
  /** What broke the answer before its first event: the reader of the body receives it, because the call may have been billed. */
  readonly broken: { readonly thrown: unknown } | null;
  /** An error that the server reported instead of an answer. */
  readonly refused: unknown;
}

async function firstEvents(
  answer: SdkAnswer,
  parts: ReadableStreamDefaultReader<LanguageModelV4StreamPart>,
): Promise<FirstEvents> {
  let begun = '';
  try {
    while (begun === '' && !answer.isEnded) {
      const { done, value } = await parts.read();
      if (done) throw ended();
      begun += answer.part(value);
    }
  } catch (thrown) {
    if (thrown instanceof ServerError) return { begun: '', broken: null, refused: thrown.error };
    return { begun: '', broken: { thrown }, refused: null };
  }
  return { begun, broken: null, refused: null };
}

/** An answer to a request that does not stream: its text comes when it is whole. */
async function* wholeOf(events: AsyncGenerator<string>, answer: SdkAnswer): AsyncGenerator<string> {
  for await (const _ of events);
  yield answer.message();
}

/** Throws when the stream breaks off: a cut answer must not look like a whole one. */
async function* eventsOf(
  answer: SdkAnswer,
  parts: ReadableStreamDefaultReader<LanguageModelV4StreamPart>,
  { begun, broken }: FirstEvents,
): AsyncGenerator<string> {
  if (broken !== null) throw broken.thrown;
  yield begun;
  while (!answer.isEnded) {
    const { done, value } = await parts.read();
    if (done) throw ended();
    const text = nextOf(answer, value);
    if (text !== '') yield text;
  }
}

/** An error of the server ends an answer that had begun. Throws BrokenAnswer. */
function nextOf(answer: SdkAnswer, part: LanguageModelV4StreamPart): string {
  try {
    return answer.part(part);
  } catch (thrown) {
    if (!(thrown instanceof ServerError)) throw thrown;
    // biome-ignore lint/style/useErrorCause: its text may quote what was sent
    throw new BrokenAnswer('api_error', 'the server ended the answer with an error');
  }
}

/** An error inside an answer: a prompt that is too long is the request's fault, everything else may pass. */
const statusOf = (error: unknown): number =>
  /context|too long|maximum.{0,20}tokens|n_ctx|invalid/i.test(said(error)) ? 400 : 529;

/** One line of what a server reported. */
function said(error: unknown): string {
  const { message } = typeof error === 'object' && error !== null ? (error as { message?: unknown }) : {};
  const text = typeof message === 'string' ? message : typeof error === 'string' ? error : JSON.stringify(error ?? '');
  return text.replace(/\s+/g, ' ').slice(0, 500);
}

function errorReply(status: number, message: string): ModelReply {
  const type = status === 400 ? 'invalid_request_error' : 'api_error';
  return { status, headers: JSON_BODY, body: new Blob([errorBody(type, message)]).stream() };
}
