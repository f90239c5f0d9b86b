/**
 * The first three frames. The client asks with a nonce; the owner proves that it knows the token, and says who it is; then
 * the client shows the token. So a stranger on the socket learns nothing, and being alive is answering the first one.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';

export const PROTOCOL = 1;
const HEX = z.string().regex(/^[0-9a-f]{64}$/);

export const helloSchema = z.object({ hello: z.literal(PROTOCOL), nonce: HEX });
export const answerSchema = z.object({ owner: z.number().int(), proof: HEX });
export const tokenSchema = z.object({ token: HEX });
export const welcomeSchema = z.object({ welcome: z.literal(true) });

export function proofOf(token: string, nonce: string): string {
  return createHmac('sha256', Buffer.from(token, 'hex')).update(`owner ${nonce}`).digest('hex');
}

/** Takes the same time wherever they differ. */
export function sameSecret(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
