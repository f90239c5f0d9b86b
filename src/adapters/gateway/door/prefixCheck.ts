/**
 * Checks that each request of a conversation begins with the one before it: a provider refuses thinking whose history has changed, and
 * a changed history is paid for again.
 */
import { createHash } from 'node:crypto';
import { CONVERSATION_HEADER, type ModelRequest } from '../../../engine/session/gatewayPorts.ts';

export const CHANGED = 'changes what was sent before it in the same conversation';
/** Conversations whose last request is remembered. */
const REMEMBERED = 500;
const LONGEST_NAME = 64;

/** A part of a request: the model, a tool, a block of the system prompt or of a message, or the start of a message. */
interface Part {
  /** e.g. `messages[3].content[0]` */
  readonly place: string;
  readonly value: unknown;
}

interface Body {
  readonly model?: unknown;
  readonly system?: unknown;
  readonly tools?: unknown;
  readonly messages?: readonly { readonly role?: unknown; readonly content?: unknown }[];
}

/** The name of the conversation that a request belongs to. Null if its caller may change the history. */
export function conversationOf({ headers }: Pick<ModelRequest, 'headers'>): string | null {
  return headers[CONVERSATION_HEADER]?.slice(0, LONGEST_NAME) ?? null;
}

export class PrefixCheck {
  /** Digests of the parts of each conversation's last request, the oldest conversation first. */
  readonly #last = new Map<string, readonly string[]>();

  /** Returns a text that names the first difference, or null if there is none. `request` has a valid body. */
  take(request: ModelRequest): string | null {
    const conversation = conversationOf(request);
    if (conversation === null) return null;
    const key = `${request.sessionId} ${conversation}`;
    const parts = partsOf(JSON.parse(request.body) as Body);
    const digests = parts.map(digest);
    const before = this.#last.get(key) ?? [];
    this.#last.delete(key);
    this.#last.set(key, digests);
    const [oldest] = this.#last.keys();
    if (this.#last.size > REMEMBERED && oldest !== undefined) this.#last.delete(oldest);
    const at = before.findIndex((one, index) => one !== digests[index]);
    if (at < 0) return null;
    const where = parts[at]?.place ?? `its end, after ${digests.length} of ${before.length} parts`;
    return `a request of session ${request.sessionId} ${CHANGED}, at ${where}`;
  }
}

function partsOf({ model, system, tools, messages = [] }: Body): Part[] {
  return [
    { place: 'model', value: model },
    ...blocksOf(tools).map((value, index) => ({ place: `tools[${index}]`, value })),
    ...blocksOf(system).map((value, index) => ({ place: `system[${index}]`, value })),
    ...messages.flatMap(({ role, content }, at) => [
      { place: `messages[${at}].role`, value: role },
      ...blocksOf(content).map((value, index) => ({ place: `messages[${at}].content[${index}]`, value })),
    ]),
  ];
}

const blocksOf = (content: unknown): readonly unknown[] =>
  Array.isArray(content) ? content : content === undefined || content === null ? [] : [content];

/** Without the marks of the cache, which move. */
function digest({ value }: Part): string {
  const text = JSON.stringify(value, (name, inner: unknown) => (name === 'cache_control' ? undefined : inner)) ?? '';
  return createHash('sha1').update(text).digest('base64');
}
