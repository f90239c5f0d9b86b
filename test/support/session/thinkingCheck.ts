/**
 * What a provider does about thinking (documentation: preserved thinking, prefix checks): each block is signed over everything before
 * it, and a request whose history has changed under one is refused. Thinking may go from the start of a history, not from its middle.
 */
import { createHash } from 'node:crypto';
import { CHARS_PER_TOKEN } from '../../../src/adapters/simulated/promptCache.ts';

interface Block {
  readonly type: string;
  readonly signature?: string;
}

export interface Thinking {
  readonly type: 'thinking';
  readonly thinking: '';
  readonly signature: string;
}

interface Body {
  readonly model?: unknown;
  readonly system?: unknown;
  readonly tools?: unknown;
  readonly messages: readonly { readonly role: string; readonly content: string | readonly Block[] }[];
}

interface Signed {
  /** Of all that is no thinking before it. */
  readonly prefix: string;
  /** The signature of the thinking before it; null: there was none. */
  readonly before: string | null;
}

/** Of all servers of this process: a successor takes what the one before it signed. */
const signed = new Map<string, Signed>();

export const BOUND =
  'Invalid `signature` in `thinking` block. The block is bound to a different conversation than the one in this request.';

const blocksOf = (content: string | readonly Block[]): readonly Block[] =>
  typeof content === 'string' ? [{ type: 'text' }] : content;
const isThinking = ({ type }: Block): boolean => type === 'thinking';

const hash = (text: string): string => createHash('sha256').update(text).digest('base64');

/** Cache marks are no part of it. */
const plain = (value: unknown): string =>
  JSON.stringify(value, (name, inner: unknown) => (name === 'cache_control' ? undefined : inner)) ?? '';

/** Of what stands before each message, and before an answer: one more than there are messages. */
function prefixesOf({ model, system, tools, messages }: Body): readonly string[] {
  const prefixes = [hash(plain([model, system, tools]))];
  for (const { role, content } of messages) {
    const kept = typeof content === 'string' ? content : content.filter((block) => !isThinking(block));
    prefixes.push(hash(`${prefixes.at(-1)} ${role} ${plain(kept)}`));
  }
  return prefixes;
}

function signaturesIn(body: Body): (readonly [at: number, signature: string])[] {
  return body.messages.flatMap(({ content }, at) =>
    blocksOf(content)
      .filter(isThinking)
      .map(({ signature = '' }) => [at, signature] as const),
  );
}

/** The thinking block, without words, that an answer to this request begins with. Its signature has the length of `tokens`. */
export function thinkingFor(body: Body, tokens = 0): Thinking {
  const before = signaturesIn(body).at(-1)?.[1] ?? null;
  const prefix = prefixesOf(body).at(-1) ?? '';
  const signature = hash(`${prefix} ${before}`).padEnd(tokens * CHARS_PER_TOKEN, '=');
  signed.set(signature, { prefix, before });
  return { type: 'thinking', thinking: '', signature };
}

/** Its events in a stream, as the first block. */
export function thinkingEvents({ signature, ...empty }: Thinking): readonly { readonly type: string }[] {
  const delta = { type: 'signature_delta', signature };
  const events = [
    { type: 'content_block_start', index: 0, content_block: { ...empty, signature: '' } },
    { type: 'content_block_delta', index: 0, delta },
    { type: 'content_block_stop', index: 0 },
  ];
  return events;
}

/** Why the provider refuses the request with 400; null: it takes it. */
export function thinkingFault(body: Body): string | null {
  const prefixes = prefixesOf(body);
  let last: string | null = null;
  for (const [at, signature] of signaturesIn(body)) {
    const known = signed.get(signature);
    const follows = last === null || known?.before === last;
    if (known === undefined || known.prefix !== prefixes[at] || !follows) return BOUND;
    last = signature;
  }
  return null;
}
