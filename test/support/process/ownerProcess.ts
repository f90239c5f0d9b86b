/**
 * A program that owns a state and commits as fast as it can; on losing it, it takes over again. Its arguments: the folder, the
 * key in hexadecimal, and a number that no other life of such a program has. It writes `<seq> <epoch> <number>` for each commit
 * that was acknowledged, and `refused` for each that was not.
 */
import { writeSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../../../src/adapters/clock.ts';
import { findFailure } from '../../../src/shared/errors.ts';
import { open } from '../state/stateFolder.ts';

const MOST_OF_A_LIFE = 1_000_000;
const AT_ONCE = 3;
const PAUSE_MS = 2;

const [root = '', key = '', life = ''] = process.argv.slice(2);
const clock = systemClock();
const folder = {
  root,
  stateDir: join(root, '.autonomous'),
  key: Buffer.from(key, 'hex'),
  [Symbol.dispose]: () => undefined,
};
let last = Number(life) * MOST_OF_A_LIFE;

async function own(): Promise<never> {
  const store = await open(folder, { segmentBytes: 50_000 });
  const commit = async (number: number): Promise<void> => {
    const limits = { callMicroUsd: null, projectMicroUsd: null, dayMicroUsd: null, totalMicroUsd: number };
    const event = await store.commit({ type: 'limits_set', limits, by: 'steward' });
    writeSync(1, `${event.seq} ${event.epoch} ${number}\n`);
  };
  for (;;) {
    await Promise.all(Array.from({ length: AT_ONCE }, () => commit(++last)));
    await clock.sleep(PAUSE_MS);
  }
}

for (;;) {
  try {
    await own();
  } catch (thrown) {
    const code = findFailure(thrown)?.code;
    if (code !== 'OWNER_LOST' && code !== 'STATE_DAMAGED') throw thrown;
    writeSync(1, 'refused\n');
    await clock.sleep(20 + Math.random() * 60);
  }
}
