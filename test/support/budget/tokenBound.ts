/** Texts of which a tokenizer on bytes makes as many tokens as it ever can, against what the gateway reserves for them. */
import type { inputUpperBound } from '../../../src/core/model/usage/inputBound.ts';
import { randomOf } from '../suite/proof.ts';

/** Far above what is added for every request, which else hides that the text itself is counted too low. */
const CHARACTERS = 50_000;

/** Each comes close to a token a byte: digits, bytes at random, a script of three bytes a character, signs of four. */
const TEXTS: Readonly<Record<string, (random: (below: number) => number) => string>> = {
  digits: (random) => String(random(10)),
  letters: (random) => String.fromCharCode(97 + random(26)),
  syllables: (random) => String.fromCodePoint(0xac00 + random(11_172)),
  signs: (random) => String.fromCodePoint(0x1f300 + random(700)),
};

/** Of each text that is reserved for too low: its name, and by how many tokens. */
export function reservedTooLow(bound: typeof inputUpperBound, seed: number): string[] {
  return Object.entries(TEXTS).flatMap(([name, character]) => {
    const random = randomOf(seed);
    const content = Array.from({ length: CHARACTERS }, () => character(random)).join('');
    const bytes = Buffer.byteLength(JSON.stringify({ messages: [{ role: 'user', content }] }));
    const reserved = bound({ bytes, messages: 1, blocks: 1, images: 0, tools: 0, providerTools: 0 });
    const most = Buffer.byteLength(content);
    return reserved < most ? [`${name}: ${most - reserved} tokens`] : [];
  });
}
