/**
 * Seals and reads the line by which a released claim records its owner's last committed event: a log that ends before
 * that event lost its end.
 */
import { parseJson } from '../../core/text/json.ts';
import type { LineSeal } from '../../engine/state/storePorts.ts';

interface Last {
  readonly epoch: number;
  readonly last: number;
}

export function sealLast(seal: LineSeal, epoch: number, last: number): string {
  const said: Last = { epoch, last };
  return `${seal.seal(JSON.stringify(said)).line}\n`;
}

/** Returns 0 if the claim contains no such line with a valid seal. */
export function lastCommitted(seal: Pick<LineSeal, 'check'>, claim: Uint8Array, epoch: number): number {
  for (const line of Buffer.from(claim).toString('utf8').split('\n')) {
    const said = seal.check(Buffer.from(line)) === null ? null : (parseJson(line) as Partial<Last>);
    if (said?.epoch === epoch && Number.isSafeInteger(said.last)) return said.last ?? 0;
  }
  return 0;
}
