/** Collects the tool calls of an answer of the Messages API while it passes. A call counts when it is complete. */
import { type Fields, isFields, parseJson } from '../text/json.ts';
import { Lines } from '../text/lines.ts';

export interface AnsweredCall {
  readonly name: string;
  readonly input: unknown;
}

/** Limit of one line, or of an answer in one piece, in characters. A longer one is not read. */
const MAX_TEXT = 16 * 1024 * 1024;

/** Takes the text in pieces of any size. Parts in an unknown format are ignored. */
export class AnsweredCalls {
  readonly #streams: boolean;
  readonly #open = new Map<unknown, { readonly name: string; readonly input: unknown; json: string }>();
  readonly #lines = new Lines();
  #whole = '';

  constructor(contentType: string) {
    this.#streams = contentType.includes('event-stream');
  }

  /** The calls that are whole with this piece. */
  push(text: string): readonly AnsweredCall[] {
    return this.#streams ? this.#inStream(text) : this.#inOne(text);
  }

  #inStream(text: string): readonly AnsweredCall[] {
    const lines = this.#lines.push(text).filter(({ length }) => length <= MAX_TEXT);
    if (this.#lines.length > MAX_TEXT) this.#lines.take();
    return lines.flatMap((line) => {
      const event = line.startsWith('data:') ? parseJson(line.slice('data:'.length)) : null;
      return isFields(event) ? this.#event(event) : [];
    });
  }

  #event(event: Fields): readonly AnsweredCall[] {
    const { index, content_block: block, delta } = event;
    const open = this.#open.get(index);
    if (event['type'] === 'content_block_start' && isFields(block) && block['type'] === 'tool_use') {
      this.#open.set(index, { name: String(block['name']), input: block['input'], json: '' });
    } else if (event['type'] === 'content_block_delta' && open !== undefined && isFields(delta)) {
      open.json += typeof delta['partial_json'] === 'string' ? delta['partial_json'] : '';
    } else if (event['type'] === 'content_block_stop' && open !== undefined) {
      this.#open.delete(index);
      const input = open.json === '' ? open.input : parseJson(open.json);
      return input === undefined ? [] : [{ name: open.name, input }];
    }
    return [];
  }

  #inOne(text: string): readonly AnsweredCall[] {
    this.#whole += text;
    if (this.#whole.length > MAX_TEXT) this.#whole = '';
    const message = this.#whole.trimEnd().endsWith('}') ? parseJson(this.#whole) : undefined;
    if (!isFields(message) || !Array.isArray(message['content'])) return [];
    this.#whole = '';
    return message['content']
      .filter(isFields)
      .flatMap(({ type, name, input }) => (type === 'tool_use' ? [{ name: String(name), input }] : []));
  }
}
