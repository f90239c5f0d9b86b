/**
 * What the proofs in test/faults and test/hostile share: how much of them is run, from which seed, and what they measured.
 * `npm test` runs the short form, `npm run proof` all of it: the long form with the planted bugs, or these alone.
 */
import { appendFileSync } from 'node:fs';

const FORMS = ['short', 'planted', 'long'] as const;
const form = FORMS.find((one) => one === (process.env['PROOF'] ?? 'short'));
if (form === undefined) throw new Error(`PROOF is one of ${FORMS.join(', ')}`);

export const LONG = form === 'long';
/** Bugs are planted, beside all else in the long form; with PROOF=planted they are what is run. */
export const PLANTED = form !== 'short';
/** Of the long form, by hand: PROOF_TIMES=10 makes 10,000 kills of 1,000. */
const TIMES = Number(process.env['PROOF_TIMES'] ?? 1);

/** How many, by the form that is run. */
export function amount({ short, long }: { readonly short: number; readonly long: number }): number {
  return LONG ? Math.ceil(long * TIMES) : short;
}

/** What a test of the long form may take, in milliseconds. */
export const PATIENCE_MS = 3_600_000 * Math.max(1, TIMES);

/** Of everything random in a proof: named in the title of its tests, and chosen by PROOF_SEED. */
export const SEED = Number(process.env['PROOF_SEED'] ?? 20261122);

/** Numbers below a bound, the same ones for the same seed (mulberry32). */
export function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** A line of docs/TRUST.md. */
export interface Figure {
  /** T1 to T17, a planted bug, or a figure of its own: by this the lines are ordered. */
  readonly method: string;
  /** What was counted or measured, in plain words. */
  readonly what: string;
  readonly value: number;
  /** `''` for a count. */
  readonly unit: string;
  /** What it should be: `0`, `at most 2`, `at least 1000`; null where there is no aim. */
  readonly aim: { readonly atMost: number } | { readonly atLeast: number } | null;
}

const toldBefore = new Set<string>();

/**
 * Tells what was measured; whether it is good enough is the test's own matter, told by `expect`. Once: of two tellers the second
 * would hide what the first saw.
 */
export function figure(told: Figure): void {
  const name = `${told.method} ${told.what}`;
  if (toldBefore.has(name)) throw new Error(`this figure was told before: ${name}`);
  toldBefore.add(name);
  const file = process.env['PROOF_FIGURES'];
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(told)}\n`);
}
