/** Durable events a second against bare lines of the same length, appended and fsynced through the same API. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { nodeFiles } from '../src/adapters/files/files.ts';
import type { Store } from '../src/engine/state/store.ts';
import { open, stateFolder } from '../test/support/state/stateFolder.ts';
import { median, round, show } from './table.ts';

const TARGET = 0.7;
const ROUNDS = 9;
const COMMITS = 300;
const PARALLEL = 16;
/** Of a `limits_set` line with its seal. */
const LINE_BYTES = 300;

const perSecond = (count: number, ms: number): number => (count * 1_000) / ms;

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

async function bare(path: string): Promise<number> {
  const file = await nodeFiles.openNew(path);
  if (file === null) throw new Error(`${path} is there already`);
  const line = Buffer.alloc(LINE_BYTES, 'x');
  const ms = await timed(async () => {
    for (let n = 0; n < COMMITS; n++) {
      await file.write(line);
      await file.sync();
    }
  });
  await file.close();
  return perSecond(COMMITS, ms);
}

function commit(store: Store, totalMicroUsd: number): Promise<unknown> {
  const limits = { callMicroUsd: null, projectMicroUsd: null, dayMicroUsd: null, totalMicroUsd };
  return store.commit({ type: 'limits_set', limits, by: 'steward' });
}

async function oneByOne(store: Store): Promise<number> {
  const ms = await timed(async () => {
    for (let n = 0; n < COMMITS; n++) await commit(store, n);
  });
  return perSecond(COMMITS, ms);
}

async function sideBySide(store: Store): Promise<number> {
  const ms = await timed(async () => {
    for (let n = 0; n < COMMITS; n += PARALLEL) {
      await Promise.all(Array.from({ length: PARALLEL }, (_, at) => commit(store, n + at)));
    }
  });
  return perSecond(COMMITS, ms);
}

using folder = stateFolder();
const store = await open(folder, { database: true });
const plain = join(folder.root, 'plain');
mkdirSync(plain);
const rates = { bare: [] as number[], single: [] as number[], parallel: [] as number[] };
for (let at = 0; at < ROUNDS; at++) {
  rates.bare.push(await bare(join(plain, String(at))));
  rates.single.push(await oneByOne(store));
  rates.parallel.push(await sideBySide(store));
}
await store.close();

const base = median(rates.bare);
const row = (what: string, values: readonly number[], target: string): (string | number)[] => {
  const ratio = median(values.map((value, at) => value / (rates.bare[at] ?? base)));
  return [
    what,
    Math.round(median(values)),
    round(ratio, 2),
    target,
    target === '' ? '' : ratio >= TARGET ? 'met' : 'MISSED',
  ];
};
show(
  `Durable events (median of ${ROUNDS} rounds of ${COMMITS})`,
  ['what', 'a second', 'to bare', 'target', ''],
  [
    row('bare append and fsync', rates.bare, ''),
    row('commits, one after the other', rates.single, `>= ${TARGET}`),
    row(`commits, ${PARALLEL} at a time`, rates.parallel, `>= ${TARGET}`),
  ],
);
