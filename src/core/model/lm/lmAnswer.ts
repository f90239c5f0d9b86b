/** Converts the stream of an editor's language model into an answer of the Messages API: events, or one message. */
import { event } from '../messagesEvents.ts';
import { type LmPart, textOfPart } from './lmTranslate.ts';

/** Parts that a model sends; results are never among them. */
export type AnswerPart = Exclude<LmPart, { kind: 'result' }>;

/** Recognizes a part by its shape, so that any version of the editor's classes works. Null for parts that the Messages API does not have. */
export function readPart(part: unknown): AnswerPart | null {
  if (typeof part !== 'object' || part === null) return null;
  if ('callId' in part && 'name' in part && 'input' in part) {
    const { callId, name, input } = part;
    if (typeof callId !== 'string' || typeof name !== 'string' || typeof input !== 'object') return null;
    return { kind: 'call', id: callId, name, input: input ?? {} };
  }
  return 'value' in part && typeof part.value === 'string' ? { kind: 'text', text: part.value } : null;
}

export interface AnswerHead {
  readonly id: string;
  readonly model: string;
  readonly inputTokens: number;
  readonly maxTokens: number;
}

/** Creates the events of one answer. Each method returns the events of its part as text of the wire. */
export class LmAnswer {
  readonly #head: AnswerHead;
  readonly #blocks: AnswerPart[] = [];
  #openText = false;

  constructor(head: AnswerHead) {
    this.#head = head;
  }

  start(): string {
    return event('message_start', {
      message: { ...this.#envelope(), content: [], stop_reason: null, usage: this.#usage(1) },
    });
  }

  /** Texts that follow one another are one block. */
  part(part: AnswerPart): string {
    const last = this.#blocks.at(-1);
    if (part.kind === 'text') {
      if (part.text === '') return '';
      const begins = !this.#openText;
      if (begins) this.#blocks.push(part);
      else if (last?.kind === 'text')
        this.#blocks[this.#blocks.length - 1] = { kind: 'text', text: last.text + part.text };
      this.#openText = true;
      const index = this.#blocks.length - 1;
      const start = begins ? event('content_block_start', { index, content_block: { type: 'text', text: '' } }) : '';
      return start + event('content_block_delta', { index, delta: { type: 'text_delta', text: part.text } });
    }
    const closed = this.#closeText();
    const index = this.#blocks.push(part) - 1;
    return (
      closed +
      event('content_block_start', {
        index,
        content_block: { type: 'tool_use', id: part.id, name: part.name, input: {} },
      }) +
      event('content_block_delta', {
        index,
        delta: { type: 'input_json_delta', partial_json: JSON.stringify(part.input) },
      }) +
      event('content_block_stop', { index })
    );
  }

  /** `outputTokens` by the model's own count. */
  end(outputTokens: number): string {
    const delta = { stop_reason: this.#stopReason(outputTokens), stop_sequence: null };
    return (
      this.#closeText() +
      event('message_delta', { delta, usage: this.#usage(outputTokens) }) +
      event('message_stop', {})
    );
  }

  /** The whole answer as the body of a request that does not stream. */
  message(outputTokens: number): string {
    const content = this.#blocks.map((block) =>
      block.kind === 'text'
        ? { type: 'text', text: block.text, citations: null }
        : { type: 'tool_use', id: block.id, name: block.name, input: block.input },
    );
    return JSON.stringify({
      ...this.#envelope(),
      content,
      stop_reason: this.#stopReason(outputTokens),
      usage: this.#usage(outputTokens),
    });
  }

  /** Returns the whole text, for counting. */
  text(): string {
    return this.#blocks.map(textOfPart).join('\n');
  }

  #closeText(): string {
    if (!this.#openText) return '';
    this.#openText = false;
    return event('content_block_stop', { index: this.#blocks.length - 1 });
  }

  /** The editor does not say why an answer ended: one that is as long as it may be was cut. */
  #stopReason(outputTokens: number): string {
    if (outputTokens >= this.#head.maxTokens) return 'max_tokens';
    return this.#blocks.some(({ kind }) => kind === 'call') ? 'tool_use' : 'end_turn';
  }

  #envelope(): object {
    const { id, model } = this.#head;
    return { id, type: 'message', role: 'assistant', model, stop_sequence: null };
  }

  #usage(outputTokens: number): object {
    return {
      input_tokens: this.#head.inputTokens,
      output_tokens: outputTokens,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
    };
  }
}
