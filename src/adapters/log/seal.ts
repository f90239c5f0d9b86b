/** Seals lines of JSON with this installation's key. */
import { hash, timingSafeEqual } from 'node:crypto';
import type { LineSeal } from '../../engine/state/storePorts.ts';

const MAC_DIGITS = 32;
const KEY_NAME = ',"mac":"';
/** `,"mac":"` + digits + `"}` */
const TAIL_BYTES = KEY_NAME.length + MAC_DIGITS + 2;
const TAIL = new RegExp(`^,"mac":"([0-9a-f]{${MAC_DIGITS}})"}$`);

/** The part of a line that its mac covers, and the stored mac; null if the line has no mac. */
function splitMac(line: Uint8Array): { readonly body: Uint8Array; readonly mac: string } | null {
  const cut = line.length - TAIL_BYTES;
  if (cut <= 0) return null;
  const mac = TAIL.exec(Buffer.from(line.buffer, line.byteOffset + cut, TAIL_BYTES).toString('latin1'))?.[1];
  return mac === undefined ? null : { body: line.subarray(0, cut), mac };
}

/** A seal for one purpose is invalid for another: an agent's words in a transcript never become an event. */
export type SealPurpose = 'events' | 'transcript' | 'database' | 'answers' | 'claim';

const BLOCK_BYTES = 64;
const HASH_BYTES = 32;

/** HMAC-SHA256 for many short messages: Node's object for it costs seven times as much (measured). */
export function hmacSha256(key: Uint8Array): (data: Uint8Array) => string {
  const inner = Buffer.alloc(BLOCK_BYTES, 0x36);
  const outer = Buffer.alloc(BLOCK_BYTES + HASH_BYTES, 0x5c);
  const short = key.length > BLOCK_BYTES ? hash('sha256', key, 'buffer') : key;
  for (const [index, byte] of short.entries()) {
    inner[index] = 0x36 ^ byte;
    outer[index] = 0x5c ^ byte;
  }
  return (data) => {
    outer.set(hash('sha256', Buffer.concat([inner, data]), 'buffer'), BLOCK_BYTES);
    return hash('sha256', outer, 'hex');
  };
}

export function lineSeal(installationKey: Uint8Array, purpose: SealPurpose): LineSeal {
  const key = Buffer.from(hmacSha256(installationKey)(Buffer.from(purpose)), 'hex');
  const sum = hmacSha256(key);
  const mac = (data: Uint8Array) => sum(data).slice(0, MAC_DIGITS);
  return {
    mac,
    seal(body) {
      const open = body.slice(0, -1);
      const digits = mac(Buffer.from(open));
      return { line: `${open}${KEY_NAME}${digits}"}`, mac: digits };
    },
    check(line) {
      const parts = splitMac(line);
      if (parts === null) return null;
      const expected = mac(parts.body);
      return timingSafeEqual(Buffer.from(expected), Buffer.from(parts.mac)) ? expected : null;
    },
  };
}

/** For showing the log of another installation: accepts every line without a check. */
export const unsealed: Pick<LineSeal, 'check'> = { check: (line) => splitMac(line)?.mac ?? null };
