/**
 * What long sessions cost, in units of one input token of their model: the real session and SDK against a server that refuses
 * thinking behind a changed history and prompts that are too long, keeps a cache that expires, and bills by the length of a prompt.
 */
import { PRICES } from '../src/core/money/price/prices.ts';
import {
  type Measured,
  measured,
  neverShortened,
  overTier,
  unitsOf,
  type Work,
} from '../test/support/economy/measuredSession.ts';
import { round, show } from './table.ts';

interface Aim {
  readonly name: string;
  readonly work: Work;
  /** Thousand units; or a share of what the same rounds cost unshortened. */
  readonly most?: { readonly units: number } | { readonly ofNever: number };
  readonly rewrites?: number;
}

const SONNET = 'claude-sonnet-5-5';
const HAIKU = 'claude-haiku-5-5';
/** How far above what can be reached a work may be. */
const NEAR = 1.08;
const REWRITES = 3;

/**
 * Sizes with which never shortening costs what it did where the aims were set, within 3 %: 541k, 1,371k, 7,200k, 1,098k.
 * `size` is characters of a file, which line numbers and escapes add a tenth to unless its lines are long; `said` and `thinking` are tokens of each reply,
 * beside its call. The targets are those of the issue: what can be reached, with a margin.
 */
const WORKS: readonly Aim[] = [
  {
    name: '60 rounds of 5 kB, thinking',
    work: { model: SONNET, rounds: 60, size: 5_000, said: 50, thinking: 565 },
    most: { units: NEAR * 453 },
    rewrites: REWRITES,
  },
  {
    name: '150 rounds of 5 kB, thinking',
    work: { model: SONNET, rounds: 150, size: 5_000, said: 20, thinking: 145 },
    most: { units: NEAR * 791 },
    rewrites: REWRITES,
  },
  {
    name: '150 rounds of 5 kB, Haiku',
    work: { model: HAIKU, rounds: 150, size: 4_570, said: 20, thinking: null },
    most: { units: NEAR * 706 },
    rewrites: REWRITES,
  },
  {
    name: '40 reads of 48 kB',
    work: { model: SONNET, rounds: 40, size: 48_000, line: 400, said: 50, thinking: null },
    most: { units: NEAR * 350 },
    rewrites: REWRITES,
  },
];

/** Characters of a file by the tokens of its result: never shortened, 80 rounds cost 320k, 568k and 1,017k. */
const SIZES: Readonly<Record<number, number>> = { 300: 800, 1260: 4_250, 3000: 10_500 };
const REPLY = 350;

const SHORT: readonly Aim[] = Object.entries(SIZES).flatMap(([tokens, size]) =>
  [40, 80].map((rounds) => ({
    name: `${rounds} rounds of ${tokens} tokens`,
    work: { model: SONNET, rounds, size, said: REPLY, thinking: null },
    most: { ofNever: 1.05 },
  })),
);

const LONG: readonly Aim[] = Object.keys(PRICES.models).map((model) => ({
  name: `300 rounds of 5 kB, thinking, ${model}`,
  work: { model, rounds: 300, size: 5_000, said: 50, thinking: 300 },
}));

const OTHERS: readonly Aim[] = [
  {
    name: '150 rounds, thinking, two pauses of 400 s',
    work: {
      model: SONNET,
      rounds: 150,
      size: 5_000,
      said: 20,
      thinking: 145,
      pauses: { seconds: 400, before: [50, 100] },
    },
  },
  {
    name: '80 rounds of 3000 tokens, prompts up to 200k',
    work: { model: SONNET, rounds: 80, size: 10_500, said: REPLY, thinking: 0, window: 200_000 },
  },
];

/** A window that nobody stated is found by one refusal. */
const refusalsOf = ({ work }: Aim): number => (work.window === undefined ? 0 : 1);

function row(aim: Aim, of: Measured): (string | number)[] {
  const { name, work, most, rewrites } = aim;
  const { result, usages, refused, handovers } = of;
  const units = unitsOf(work.model, usages) / 1_000;
  const never = neverShortened(work, usages) / 1_000;
  const limit = most === undefined ? null : 'units' in most ? most.units : most.ofNever * never;
  const over = overTier(work.model, usages);
  const end = result.outcome === 'ended' ? result.reason : result.outcome;
  const faults = [
    ...(result.outcome === 'answered' ? [] : [`ended: ${end}`]),
    ...(limit !== null && units > limit ? ['units'] : []),
    ...(refused.length > refusalsOf(aim) ? ['refused'] : []),
    ...(over > 0 ? ['over a tier'] : []),
    ...(rewrites !== undefined && of.rewrites.count > rewrites ? ['rewrites'] : []),
  ];
  return [
    name,
    usages.length,
    round(units),
    round(never),
    round(units / never, 2),
    refused.length,
    over,
    of.rewrites.count,
    round(of.rewrites.tokens / 1_000),
    handovers,
    limit === null ? '' : `<= ${round(limit)}`,
    faults.length === 0 ? 'met' : `MISSED: ${faults.join(', ')}`,
  ];
}

const rows: (string | number)[][] = [];
for (const aim of [...WORKS, ...SHORT, ...LONG, ...OTHERS]) rows.push(row(aim, await measured(aim.work)));
show(
  'Sessions, in thousand input tokens of the model',
  [
    'work',
    'requests',
    'units',
    'never shortened',
    'share',
    'refused',
    'over a tier',
    'rewrites',
    'rewritten',
    'handovers',
    'target',
    '',
  ],
  rows,
);
