/** A streamed answer of the Messages API as one of the OpenAI chat protocol: chunks, or one completion. */
import { z } from 'zod';
import { type AutonomousError, failure } from '../../../shared/errors.ts';
import { parseJson } from '../../text/json.ts';
import { Lines } from '../../text/lines.ts';

export interface ChatHead {
  /** Epoch seconds. */
  readonly created: number;
  /** The stream ends with the usage. */
  readonly includeUsage: boolean;
}

const Count = z.int().nonnegative().nullish();
const Usage = z.looseObject({
  input_tokens: Count,
  output_tokens: Count,
  cache_read_input_tokens: Count,
  cache_creation_input_tokens: Count,
});
const Event = z.looseObject({
  type: z.string(),
  index: z.number().optional(),
  message: z.looseObject({ id: z.string(), model: z.string(), usage: Usage.nullish() }).optional(),
  content_block: z
    .looseObject({
      type: z.string(),
      id: z.string().optional(),
      name: z.string().optional(),
      input: z.unknown().optional(),
    })
    .optional(),
  delta: z
    .looseObject({
      type: z.string().optional(),
      text: z.string().optional(),
      partial_json: z.string().optional(),
      stop_reason: z.string().nullish(),
    })
    .optional(),
  usage: Usage.nullish(),
});
type Event = z.infer<typeof Event>;

interface Call {
  readonly id: string;
  readonly name: string;
  arguments: string;
}

/** All other reasons, also future ones, count as a normal end. */
const FINISH: Readonly<Record<string, string>> = {
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  tool_use: 'tool_calls',
  refusal: 'content_filter',
};

/** Takes the text of the stream in pieces of any size. */
export class ChatAnswer {
  readonly #head: ChatHead;
  readonly #calls: Call[] = [];
  /** Calls in progress, by their index in the answer. */
  readonly #open = new Map<number | undefined, { readonly at: number; readonly input: unknown }>();
  readonly #lines = new Lines();
  #id = '';
  #model = '';
  #text = '';
  #finish: string | null = null;
  #over = false;
  #usage: z.infer<typeof Usage> = {};

  constructor(head: ChatHead) {
    this.#head = head;
  }

  /** Returns the resulting chunks as text of the wire. Throws MODEL_STREAM_BROKEN. */
  push(text: string): string {
    return this.#lines
      .push(text)
      .map((line) => this.#line(line.trimEnd()))
      .join('');
  }

  /** The end of the stream. Throws MODEL_STREAM_BROKEN when the answer is not whole. */
  end(): string {
    this.#needWhole();
    const usage = this.#head.includeUsage
      ? wire({ ...this.#envelope('chat.completion.chunk'), choices: [], usage: this.#counts() })
      : '';
    return `${usage}data: [DONE]\n\n`;
  }

  /** The whole answer as the body of a request that does not stream. Throws as `end`. */
  completion(): string {
    this.#needWhole();
    const tool_calls = this.#calls.map(({ id, name, arguments: input }) => functionCall(id, name, input));
    const message = {
      role: 'assistant',
      content: this.#text === '' && tool_calls.length > 0 ? null : this.#text,
      refusal: null,
      ...(tool_calls.length === 0 ? {} : { tool_calls }),
    };
    return JSON.stringify({
      ...this.#envelope('chat.completion'),
      choices: [{ index: 0, message, logprobs: null, finish_reason: this.#finish }],
      usage: this.#counts(),
    });
  }

  #needWhole(): void {
    if (!this.#over) throw broken('the answer ended in the middle');
  }

  /** Each event of the Messages API has its data on one line. */
  #line(line: string): string {
    if (!line.startsWith('data:')) return '';
    const parsed = Event.safeParse(parseJson(line.slice(5)));
    if (!parsed.success) throw broken('the answer has no form that the Messages API knows');
    return this.#event(parsed.data);
  }

  #event(event: Event): string {
    switch (event.type) {
      case 'message_start':
        this.#id = event.message?.id ?? '';
        this.#model = event.message?.model ?? '';
        this.#count(event.message?.usage);
        return this.#chunk({ role: 'assistant', content: '' });
      case 'content_block_start':
        return this.#start(event);
      case 'content_block_delta':
        return this.#delta(event);
      case 'content_block_stop':
        return this.#stop(event);
      case 'message_delta':
        this.#finish = FINISH[event.delta?.stop_reason ?? ''] ?? 'stop';
        this.#count(event.usage);
        return '';
      case 'message_stop':
        this.#over = true;
        return this.#chunk({}, this.#finish ?? 'stop');
      case 'error':
        throw broken('the provider ended the answer');
      default:
        return '';
    }
  }

  #start({ index, content_block: block }: Event): string {
    if (block?.type === 'text') return this.#say(String(block['text'] ?? ''));
    if (block?.type !== 'tool_use') return '';
    const { id = '', name = '', input } = block;
    const at = this.#calls.push({ id, name, arguments: '' }) - 1;
    this.#open.set(index, { at, input });
    return this.#chunk({ tool_calls: [{ index: at, ...functionCall(id, name, '') }] });
  }

  #delta({ index, delta }: Event): string {
    if (delta?.type === 'text_delta') return this.#say(delta.text ?? '');
    const open = this.#open.get(index);
    return delta?.type === 'input_json_delta' && open !== undefined
      ? this.#argue(open.at, delta.partial_json ?? '')
      : '';
  }

  /** A call whose input was not streamed arrived complete at its start. */
  #stop({ index }: Event): string {
    const open = this.#open.get(index);
    this.#open.delete(index);
    if (open === undefined || this.#calls[open.at]?.arguments !== '') return '';
    return this.#argue(open.at, JSON.stringify(open.input ?? {}));
  }

  #say(text: string): string {
    this.#text += text;
    return text === '' ? '' : this.#chunk({ content: text });
  }

  #argue(at: number, text: string): string {
    const call = this.#calls[at];
    if (call === undefined || text === '') return '';
    call.arguments += text;
    return this.#chunk({ tool_calls: [{ index: at, function: { arguments: text } }] });
  }

  #chunk(delta: object, finish_reason: string | null = null): string {
    const choices = [{ index: 0, delta, logprobs: null, finish_reason }];
    return wire({
      ...this.#envelope('chat.completion.chunk'),
      choices,
      ...(this.#head.includeUsage ? { usage: null } : {}),
    });
  }

  #envelope(object: string): object {
    return { id: this.#id, object, created: this.#head.created, model: this.#model };
  }

  /** Reports are cumulative: a count that a report omits keeps its value. */
  #count(usage: z.infer<typeof Usage> | null | undefined): void {
    const named = Object.entries(usage ?? {}).filter(([, count]) => typeof count === 'number');
    this.#usage = { ...this.#usage, ...Object.fromEntries(named) };
  }

  /** The chat protocol includes cached tokens in the prompt's count. */
  #counts(): object {
    const { input_tokens, output_tokens, cache_read_input_tokens, cache_creation_input_tokens } = this.#usage;
    const cached = cache_read_input_tokens ?? 0;
    const prompt = (input_tokens ?? 0) + cached + (cache_creation_input_tokens ?? 0);
    const completion = output_tokens ?? 0;
    return {
      prompt_tokens: prompt,
      completion_tokens: completion,
      total_tokens: prompt + completion,
      prompt_tokens_details: { cached_tokens: cached },
    };
  }
}

function functionCall(id: string, name: string, input: string): object {
  return { id, type: 'function', function: { name, arguments: input } };
}

function wire(data: object): string {
  return `data: ${JSON.stringify(data)}\n\n`;
}

function broken(message: string): AutonomousError {
  return failure('MODEL_STREAM_BROKEN', message);
}
