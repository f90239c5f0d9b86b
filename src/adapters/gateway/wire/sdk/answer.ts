/** Converts the stream of the AI SDK's language models to an answer of the Messages API. */
import {
  InvalidResponseDataError,
  JSONParseError,
  type LanguageModelV4FinishReason,
  type LanguageModelV4StreamPart,
  TypeValidationError,
} from '@ai-sdk/provider';
import { type KeptPart, signatureOf } from '../../../../core/model/keptParts.ts';
import { event } from '../../../../core/model/messagesEvents.ts';
import { BrokenAnswer } from '../../send/answer.ts';
import { type MessagesUsage, messagesUsage } from './usage.ts';

type Metadata = KeptPart['metadata'];

/** Arguments of a call after a possible repair. */
export interface Arguments {
  readonly input: Readonly<Record<string, unknown>>;
  readonly repaired: boolean;
}

export interface AnswerOptions {
  readonly connection: string;
  /** The name that the server was asked for. */
  readonly model: string;
  readonly id: string;
  /** Reads the arguments of a tool call. */
  readonly argumentsOf: (tool: string, text: string, isCut: boolean) => Arguments;
}

/** An error that the server reports in its answer. */
export class ServerError extends Error {
  readonly error: unknown;

  constructor(error: unknown) {
    super('the server reported an error in its answer');
    this.error = error;
  }
}

/** What the error of a part means: the package's own errors are about an answer that no longer follows its protocol. */
function errorOf(error: unknown): ServerError | BrokenAnswer {
  if (InvalidResponseDataError.isInstance(error)) return ended();
  if (JSONParseError.isInstance(error)) return new BrokenAnswer('malformed', NO_FORM);
  if (!TypeValidationError.isInstance(error)) return new ServerError(error);
  const { value } = error as TypeValidationError;
  const isReport = typeof value === 'object' && value !== null && 'error' in value;
  return isReport ? new ServerError(value.error) : new BrokenAnswer('malformed', NO_FORM);
}

const NO_FORM = 'the answer has no form that its protocol knows';

export const ended = (): BrokenAnswer => new BrokenAnswer('cut', 'the answer ended in the middle');

interface Call {
  readonly id: string;
  readonly name: string;
  readonly input: string;
  readonly metadata: Metadata;
}

const NO_USAGE: MessagesUsage = {};
const PING = event('ping', {});

/** Creates the events of one answer. `part` returns the events of a part as text of the wire. */
export class SdkAnswer {
  readonly #options: AnswerOptions;
  readonly #content: object[] = [];
  /** Index of the open block by the id of its part. */
  readonly #open = new Map<string, number>();
  readonly #texts = new Map<number, string>();
  /** Calls are written at the end, when it is known whether the answer was cut. */
  readonly #calls: Call[] = [];
  #model: string;
  #usage: MessagesUsage = NO_USAGE;
  #stop = 'end_turn';
  #started = false;

  constructor(options: AnswerOptions) {
    this.#options = options;
    this.#model = options.model;
  }

  /** Whether the end of the answer was seen. */
  isEnded = false;

  /** Throws ServerError, or BrokenAnswer. */
  part(part: LanguageModelV4StreamPart): string {
    switch (part.type) {
      case 'response-metadata':
        this.#model = part.modelId ?? this.#model;
        return '';
      case 'text-start':
        return this.#begin(part.id, { type: 'text', text: '' });
      case 'reasoning-start':
        return this.#begin(part.id, { type: 'thinking', thinking: '', signature: '' });
      case 'text-delta':
        return this.#delta(part.id, part.delta, 'text');
      case 'reasoning-delta':
        return this.#delta(part.id, part.delta, 'thinking');
      case 'text-end':
        return this.#endText(part.id, metadataOf(part));
      case 'reasoning-end':
        return this.#endReasoning(part.id, metadataOf(part));
      // A call is written when it is whole. Until then the reader must notice that the server is at work.
      case 'tool-input-start':
        return this.#start() + PING;
      case 'tool-input-delta':
        return PING;
      case 'tool-call':
        this.#calls.push({ id: part.toolCallId, name: part.toolName, input: part.input, metadata: metadataOf(part) });
        return '';
      case 'finish':
        return this.#finish(part.finishReason, messagesUsage(part.usage));
      case 'error':
        throw errorOf(part.error);
      default:
        return '';
    }
  }

  /** The whole answer as the body of a request that does not stream. */
  message(): string {
    return JSON.stringify({
      ...this.#envelope(),
      content: this.#content,
      stop_reason: this.#stop,
      usage: this.#usage,
    });
  }

  #envelope(): object {
    return { id: this.#options.id, type: 'message', role: 'assistant', model: this.#model, stop_sequence: null };
  }

  #start(): string {
    if (this.#started) return '';
    this.#started = true;
    // Without counts: those at the end are the first, and if there are none, the usage is unknown.
    return event('message_start', { message: { ...this.#envelope(), content: [], stop_reason: null, usage: {} } });
  }

  #begin(id: string, block: object): string {
    const index = this.#content.push(block) - 1;
    this.#open.set(id, index);
    return this.#start() + event('content_block_start', { index, content_block: block });
  }

  #delta(id: string, text: string, kind: 'text' | 'thinking'): string {
    const index = this.#open.get(id);
    if (index === undefined || text === '') return '';
    this.#texts.set(index, (this.#texts.get(index) ?? '') + text);
    const delta = kind === 'text' ? { type: 'text_delta', text } : { type: 'thinking_delta', thinking: text };
    return event('content_block_delta', { index, delta });
  }

  #close(id: string): number | null {
    const index = this.#open.get(id);
    this.#open.delete(id);
    return index ?? null;
  }

  #endText(id: string, metadata: Metadata): string {
    const index = this.#close(id);
    if (index === null) return '';
    this.#content[index] = { type: 'text', text: this.#texts.get(index) ?? '' };
    const stop = event('content_block_stop', { index });
    return isEmpty(metadata) ? stop : stop + this.#kept({ of: 'previous', metadata });
  }

  #endReasoning(id: string, metadata: Metadata): string {
    const index = this.#close(id);
    if (index === null) return '';
    const signature = signatureOf({ connection: this.#options.connection, of: 'reasoning', metadata });
    this.#content[index] = { type: 'thinking', thinking: this.#texts.get(index) ?? '', signature };
    const delta = { type: 'signature_delta', signature };
    return event('content_block_delta', { index, delta }) + event('content_block_stop', { index });
  }

  /** Some servers do not end their blocks. */
  #endLeft(id: string, index: number): string {
    const isText = (this.#content[index] as { readonly type: string }).type === 'text';
    return isText ? this.#endText(id, {}) : this.#endReasoning(id, {});
  }

  #kept(kept: Omit<KeptPart, 'connection'>): string {
    const signature = signatureOf({ ...kept, connection: this.#options.connection });
    return this.#whole(
      { type: 'thinking', thinking: '', signature: '' },
      { type: 'signature_delta', signature },
      { signature },
    );
  }

  /** A block that is written at once. `given`: what the delta adds to it. */
  #whole(block: object, delta: object, given: object): string {
    const index = this.#content.push({ ...block, ...given }) - 1;
    return (
      this.#start() +
      event('content_block_start', { index, content_block: block }) +
      event('content_block_delta', { index, delta }) +
      event('content_block_stop', { index })
    );
  }

  #call({ id, name, input: text, metadata }: Call, isCut: boolean): string {
    const { input, repaired } = this.#options.argumentsOf(name, text, isCut);
    const kept = { of: 'next', metadata, ...(repaired ? { repaired } : {}) } as const;
    const before = isEmpty(metadata) && !repaired ? '' : this.#kept(kept);
    const delta = { type: 'input_json_delta', partial_json: JSON.stringify(input) };
    return before + this.#whole({ type: 'tool_use', id, name, input: {} }, delta, { input });
  }

  /** `stop` with a call of a tool means the call: some servers report it so. */
  #finish({ unified }: LanguageModelV4FinishReason, usage: MessagesUsage): string {
    if (unified === 'error' || unified === 'interrupted') throw ended();
    const isCut = unified === 'length';
    const open = [...this.#open].map(([id, index]) => this.#endLeft(id, index)).join('');
    const calls = this.#calls.map((call) => this.#call(call, isCut)).join('');
    this.#usage = usage;
    if (isCut) this.#stop = 'max_tokens';
    else if (this.#calls.length > 0) this.#stop = 'tool_use';
    else if (unified === 'content-filter') this.#stop = 'refusal';
    this.isEnded = true;
    const delta = { stop_reason: this.#stop, stop_sequence: null };
    return this.#start() + open + calls + event('message_delta', { delta, usage }) + event('message_stop', {});
  }
}

const isEmpty = (metadata: Metadata): boolean => Object.values(metadata).every((of) => Object.keys(of).length === 0);

function metadataOf({ providerMetadata }: { readonly providerMetadata?: unknown }): Metadata {
  return JSON.parse(JSON.stringify(providerMetadata ?? {})) as Metadata;
}
