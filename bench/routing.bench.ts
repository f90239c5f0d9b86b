/**
 * What routing saves: 100 features of three difficulties, simulated over the real decisions and the real prices. Every feature has a fixed least model
 * that passes it, so both ways are judged by the same outcomes.
 */
import { DEFAULT_LADDERS, DEFAULT_OPTIONS } from '../src/core/job/defaults.ts';
import { PRICES } from '../src/core/money/price/prices.ts';
import { cost } from '../src/core/money/price/pricing.ts';
import type { Observation } from '../src/core/routing/evidence.ts';
import { chooseRung, type PastModel } from '../src/core/routing/route.ts';
import { rungsOf } from '../src/core/routing/rungs.ts';
import { round, show } from './table.ts';

const TARGET = 0.6;
const SEEDS = [1, 2, 3, 4, 5];
const LADDER = DEFAULT_LADDERS.worker ?? [];
const STRONGEST = LADDER.slice(-1);
const { maxRetries } = DEFAULT_OPTIONS;

/** The rung of the weakest model that passes, and the size of a feature if difficult features are larger. */
const KINDS = [
  { name: 'easy', features: 50, rung: 0, size: 1 },
  { name: 'medium', features: 30, rung: 1, size: 1.5 },
  { name: 'hard', features: 20, rung: 2, size: 2 },
] as const;
/** Calls of an attempt that passes. */
const CALLS = 12;

interface Feature {
  readonly category: string;
  readonly calls: number;
  readonly rung: number;
}

/** Mulberry32: the same numbers for the same seed. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** In random order. A category names the difficulty of a part of its features, as a planner's word would. */
function featuresOf(seed: number, told: number, grows: boolean): readonly Feature[] {
  const random = randomOf(seed);
  const all = KINDS.flatMap(({ name, features, size, rung }) =>
    Array.from({ length: features }, () => ({
      category: random() < told ? name : 'other',
      calls: Math.round(CALLS * (grows ? size : 1) * (0.7 + 0.6 * random())),
      rung,
      order: random(),
    })),
  );
  return all.sort((a, b) => a.order - b.order);
}

/** A conversation that grows by 2,500 tokens a call. A failed attempt takes half as many calls more. */
function attemptCost(model: string, calls: number, passed: boolean): number {
  const count = passed ? calls : Math.round(calls * 1.5);
  let sum = 0;
  for (let call = 0; call < count; call++) {
    const usage = { input: 200, output: 900, cacheRead: 6_000 + call * 2_500, cacheWrite5m: 2_500, cacheWrite1h: 0 };
    sum += cost(PRICES, model, usage);
  }
  return sum;
}

interface Result {
  readonly microUsd: number;
  readonly passed: number;
  readonly attempts: number;
}

/** All features in order, with what was observed on the way. */
function carryOut(ladder: readonly string[], features: readonly Feature[]): Result {
  const seen: Observation[] = [];
  const result = { microUsd: 0, passed: 0, attempts: 0 };
  for (const { category, calls, rung } of features) {
    const past: PastModel[] = [];
    while (past.length < maxRetries) {
      const rungs = rungsOf(ladder, seen, category, PRICES);
      const choice = chooseRung({ rungs, category, past, attemptsLeft: maxRetries - past.length });
      const model = rungs[choice?.rung ?? 0]?.model ?? '';
      const passed = LADDER.indexOf(model) >= rung;
      const microUsd = attemptCost(model, calls, passed);
      const isFirst = !past.some((one) => one.model === model);
      if (isFirst) seen.push({ task: null, model, category, passed, microUsd, afterFailure: past.length > 0 });
      past.push({ model, number: past.length + 1, failed: !passed });
      result.microUsd += microUsd;
      result.attempts++;
      if (!passed) continue;
      result.passed++;
      break;
    }
  }
  return result;
}

const usd = (microUsd: number): string => `$${(microUsd / 1e6).toFixed(2)}`;

/** Larger difficult features have no aim: most of their cost is the strong model's, whatever is chosen before. */
const WORLDS = [
  { name: 'one', told: 0, grows: false },
  { name: 'half by difficulty', told: 0.5, grows: false },
  { name: 'by difficulty', told: 1, grows: false },
  { name: 'by difficulty, hard ones twice as large', told: 1, grows: true },
] as const;

const rows = WORLDS.flatMap(({ name, told, grows }) =>
  SEEDS.map((seed) => {
    const features = featuresOf(seed, told, grows);
    const [alone, routed] = [carryOut(STRONGEST, features), carryOut(LADDER, features)];
    const share = routed.microUsd / alone.microUsd;
    const isMet = (grows || share <= TARGET) && routed.passed === alone.passed;
    return { name, seed, alone, routed, share, isMet };
  }),
);
show(
  `100 features: ${LADDER.join(', ')}, compared with ${STRONGEST[0]} alone; aim: at most ${TARGET} of the cost, the same features`,
  ['categories', 'seed', 'alone', 'passed', 'routed', 'passed', 'attempts', 'share', ''],
  rows.map(({ name, seed, alone, routed, share, isMet }) => [
    name,
    seed,
    usd(alone.microUsd),
    alone.passed,
    usd(routed.microUsd),
    routed.passed,
    routed.attempts,
    round(share, 2),
    isMet ? 'ok' : 'MISSED',
  ]),
);
if (rows.some(({ isMet }) => !isMet)) process.exitCode = 1;
