/**
 * fast-check with a fixed seed: a property test makes the same inputs in every run. A failure prints its seed and path;
 * `PROOF_SEED=<seed> vitest run <file>` makes the same failure again, and another seed makes other inputs.
 */
import fc from 'fast-check';
import { SEED } from './proof.ts';

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: SEED });

export { fc };

const HALVES = { from: 0xd800, count: 0x800 };

/** Any character but half of a pair: what `unit: 'binary'` is to `fc.string`, which needs a second to list them all first. */
export const anyCharacter = fc.integer({ min: 0, max: 0x10ffff - HALVES.count }).map(
  (at) => String.fromCodePoint(at < HALVES.from ? at : at + HALVES.count),
  (character) => {
    if (typeof character !== 'string' || [...character].length !== 1) throw new Error('not a character');
    const code = character.codePointAt(0) ?? 0;
    return code < HALVES.from ? code : code - HALVES.count;
  },
);
