/**
 * What a provider needs back in the next request beside the text: signatures, encrypted reasoning, ids. It is kept in the conversation as the
 * signature of a thinking block, tagged with its connection, because a Messages conversation has no other place for it.
 */
import { z } from 'zod';
import { parseJson } from '../text/json.ts';

const TAG = 'autonomous.kept:';

const Kept = z.strictObject({
  connection: z.string(),
  /** The block that the part belongs to: this thinking block, or the one after or before it. */
  of: z.enum(['reasoning', 'next', 'previous']),
  metadata: z.record(z.string(), z.record(z.string(), z.json())),
  /** The arguments of the tool call that follows were not valid JSON, and were repaired. */
  repaired: z.boolean().exactOptional(),
});
export type KeptPart = z.infer<typeof Kept>;

/** The signature of the thinking block that holds it. */
export const signatureOf = (kept: KeptPart): string =>
  TAG + Buffer.from(JSON.stringify(kept), 'utf8').toString('base64url');

/** Null for a signature of another kind. */
export function keptIn(signature: unknown): KeptPart | null {
  if (typeof signature !== 'string' || !signature.startsWith(TAG)) return null;
  const parsed = Kept.safeParse(parseJson(Buffer.from(signature.slice(TAG.length), 'base64url').toString('utf8')));
  return parsed.success ? parsed.data : null;
}

const Thinking = z.looseObject({ type: z.literal('thinking'), signature: z.unknown() });
const Request = z.looseObject({ messages: z.array(z.looseObject({ content: z.unknown() })) });

/** The body of a request without these parts, which only the connection that they are from takes. The same text if there are none. */
export function withoutKept(body: string): string {
  if (!body.includes(TAG)) return body;
  const request = Request.safeParse(parseJson(body));
  if (!request.success) return body;
  const isKept = (block: unknown): boolean => keptIn(Thinking.safeParse(block).data?.signature) !== null;
  const messages = request.data.messages.map((message) =>
    Array.isArray(message.content)
      ? { ...message, content: message.content.filter((block) => !isKept(block)) }
      : message,
  );
  const filled = messages.filter(({ content }) => !Array.isArray(content) || content.length > 0);
  return JSON.stringify({ ...request.data, messages: filled });
}
