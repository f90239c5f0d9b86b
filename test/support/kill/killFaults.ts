/** How a provider goes wrong under a program that is killed, or at work for hours. */
import type { Fault } from '../provider/messagesServer.ts';
import { randomOf } from '../suite/proof.ts';

/** One of so many requests, 0: none. By the seed, and by nothing that the process under test does. */
export function faultsOf(seed: number, often: number): (request: { readonly index: number }) => Fault | null {
  const kinds: readonly ((random: (below: number) => number) => Fault)[] = [
    () => ({ kind: 'status', status: 429, headers: { 'retry-after': '0' } }),
    () => ({ kind: 'status', status: 529 }),
    (random) => ({ kind: 'cut', afterEvents: random(6) }),
    (random) => ({ kind: 'delay', ms: 20 + random(200) }),
    (random) => ({ kind: 'errorEvent', afterEvents: random(4), type: 'overloaded_error' }),
  ];
  return ({ index }) => {
    const random = randomOf(seed * 1_000_003 + index);
    if (often === 0 || random(often) > 0) return null;
    return kinds[random(kinds.length)]?.(random) ?? null;
  };
}
