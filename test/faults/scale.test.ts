/** What many features cost: an event is told to be durable as soon as with few, and the event loop never waits long. Times: in the long form alone. */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import type { Scale, ScaleAmount } from '../support/scale/crowdOwner.ts';
import { planted } from '../support/suite/planted.ts';
import { buildWith, type PlantedBug } from '../support/suite/plantedBug.ts';
import { figure, LONG } from '../support/suite/proof.ts';

const PROGRAM = [fileURLToPath(new URL('../support/scale/crowdOwner.ts', import.meta.url))];
const MOST_TIMES = 1.2;
/** Of processor time: what grows with the features is many times as much. */
const GROWS_TIMES = 3;
const BLOCK_MS = 50;
const AMOUNT: ScaleAmount = { few: 100, many: 10_000, rounds: 30, seconds: 20 };

async function measured(bug: PlantedBug | null, amount: ScaleAmount): Promise<Scale> {
  using built = await buildWith(bug, PROGRAM);
  const root = mkdtempSync(join(tmpdir(), 'autonomous-scale-'));
  try {
    for (const name of ['few', 'many']) mkdirSync(join(root, name));
    const args = [fileURLToPath(built.program('crowdOwner')), root, JSON.stringify(amount)];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    return JSON.parse(stdout) as Scale;
  } finally {
    rmSync(root, { recursive: true, force: true, maxRetries: 3 });
  }
}

const round = (value: number): number => Math.round(value * 100) / 100;
const tell = (what: string, value: number, unit: string, atMost: number | null): void =>
  figure({ method: 'Scale', what, value: round(value), unit, aim: atMost === null ? null : { atMost } });

test.runIf(LONG)(
  `an event with ${AMOUNT.many} features costs what one with ${AMOUNT.few} does, and the board waits for nothing`,
  async () => {
    const { few, many, longest, snapshots } = await measured(null, AMOUNT);
    const times = many.wall / few.wall;
    tell(`durable event with ${AMOUNT.many} features, to one with ${AMOUNT.few}`, times, 'times', MOST_TIMES);
    tell('of its processor time', many.cpu / few.cpu, 'times', null);
    tell(`durable event with ${AMOUNT.many} features`, many.wall, 'ms', null);
    const turn = `longest turn of the event loop under commits and board snapshots with ${AMOUNT.many} features`;
    tell(`${turn}, by the thread's own time`, longest.own, 'ms', BLOCK_MS);
    tell(`${turn}, by the clock of a machine that does other things too`, longest.wall, 'ms', BLOCK_MS);
    tell(`${turn}, by that clock while nothing is done here`, longest.idle, 'ms', null);
    expect(snapshots).toBeGreaterThan(0);
    expect(times).toBeLessThanOrEqual(MOST_TIMES);
    expect(longest.own).toBeLessThanOrEqual(BLOCK_MS);
  },
);

planted('the whole state copied with each event', async () => {
  const bug = {
    file: 'src/engine/state/store.ts',
    find: '    this.end = end;\n    for (const',
    put: '    this.end = end;\n    replaceState(this.state, copyState(this.state));\n    for (const',
  };
  const { few, many } = await measured(bug, { few: 100, many: 10_000, rounds: 4, seconds: 0 });
  expect(many.cpu / few.cpu).toBeGreaterThan(GROWS_TIMES);
});
