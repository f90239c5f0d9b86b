/**
 * Encodes the first three frames. The client asks with a nonce; the owner proves that it knows the token, and
 * identifies itself; then the client shows the token. So a stranger on the socket learns nothing, and an owner proves
 * that it is alive by answering the first frame.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';

export const PROTOCOL = 1;
const HEX = /^[0-9a-f]{64}$/;

// Parsed by hand, so that a process that only checks for an owner loads no validator.

function field(message: unknown, name: string): unknown {
  return typeof message === 'object' && message !== null && Object.hasOwn(message, name)
    ? (message as Record<string, unknown>)[name]
    : undefined;
}

function hexField(message: unknown, name: string): string | null {
  const value = field(message, name);
  return typeof value === 'string' && HEX.test(value) ? value : null;
}

/** The nonce of `{hello, nonce}`; null for another form or protocol. */
export function readHello(message: unknown): string | null {
  return field(message, 'hello') === PROTOCOL ? hexField(message, 'nonce') : null;
}

/** `{owner, proof}`; null for another form. */
export function readAnswer(message: unknown): { readonly owner: number; readonly proof: string } | null {
  const owner = field(message, 'owner');
  const proof = hexField(message, 'proof');
  return typeof owner === 'number' && Number.isSafeInteger(owner) && proof !== null ? { owner, proof } : null;
}

/** The token of `{token}`; null for another form. */
export function readToken(message: unknown): string | null {
  return hexField(message, 'token');
}

export function isWelcome(message: unknown): boolean {
  return field(message, 'welcome') === true;
}

export function proofOf(token: string, nonce: string): string {
  return createHmac('sha256', Buffer.from(token, 'hex')).update(`owner ${nonce}`).digest('hex');
}

/** Takes the same time wherever they differ. */
export function sameSecret(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
