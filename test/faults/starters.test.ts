/** T3: several starters at once on one state: one becomes its owner, its clients find it, and nothing of the others is left. */
import { afterAll, describe, expect, inject, test } from 'vitest';
import { startProcesses } from '../support/crash/starterProcesses.ts';
import { startAtOnce } from '../support/crash/startersAtOnce.ts';
import { testPrograms, WASM_FILE } from '../support/process/testPrograms.ts';
import { planted } from '../support/suite/planted.ts';
import { buildWith, type PlantedBug } from '../support/suite/plantedBug.ts';
import { amount, figure, randomOf, SEED } from '../support/suite/proof.ts';

/** Of each two or three starters in one process, in an order of their steps that the seed chooses. */
const ORDERS = amount({ short: 1_000, long: 5_000 });
/** Of real processes. */
const ROUNDS = amount({ short: 20, long: 1_000 });
const FEW = 300;

const BUGS: Record<string, PlantedBug> = {
  'clients find a starter before it has claimed the state': {
    file: 'src/adapters/ipc/server.ts',
    find: 'if (address.isPipe) await owner.place();',
    put: 'await owner.place();',
  },
  'the token is replaced before the pipe is taken': {
    file: 'src/adapters/ipc/server.ts',
    find: 'await this.#files.placeSocket((path) => this.#bind(path));\n      await this.#files.placeToken();',
    put: 'await this.#files.placeToken();\n      await this.#files.placeSocket((path) => this.#bind(path));',
  },
  'a claim is made above one that nobody asked about': {
    file: 'src/adapters/log/epoch.ts',
    find: 'await askHighest(folder, ops, claimant, before);',
    put: 'await askHighest(folder, ops, claimant); before.push(...(await claimed(folder, ops)));',
  },
  'a claim appears before its content': {
    file: 'src/adapters/log/epoch.ts',
    find: 'await makeFile(ops, path, claimant.claim)',
    put: 'await ops.create(path, claimant.claim)',
  },
};

/** `most`: it ends with so many faults. */
async function ordered(
  start: typeof startAtOnce,
  rounds: number,
  most: number,
): Promise<{ wrong: string[]; results: Set<string> }> {
  const random = randomOf(SEED);
  const wrong: string[] = [];
  const results = new Set<string>();
  for (let at = 0; at < rounds && wrong.length < most; at++) {
    const before = (['none', 'closed', 'killed'] as const)[at % 3] ?? 'none';
    const round = { starters: 2 + random(2), before, pipes: random(4) === 0, random };
    const ended = await start(round);
    results.add(ended.results.join(' '));
    const kind = `${before}, ${round.pipes ? 'pipes' : 'sockets'}`;
    if (ended.faults.length > 0) wrong.push(`round ${at}, ${kind}: ${ended.faults.join('; ')}`);
  }
  return { wrong, results };
}

describe('starters at once', () => {
  let [rounds, faults] = [0, 0];
  afterAll(() => {
    const tell = (what: string, value: number, aim: { atLeast: number } | { atMost: number }): void =>
      figure({ method: 'T3', what, value, unit: '', aim });
    tell('starts of two or three owners at once', rounds, { atLeast: 1_000 });
    tell('of them without exactly one owner that clients reach', faults, { atMost: 0 });
  });

  test(`one of them owns the state, in any order of their steps (seed ${SEED})`, async () => {
    const { wrong, results } = await ordered(startAtOnce, ORDERS, Number.POSITIVE_INFINITY);
    rounds += ORDERS;
    faults += wrong.length;
    expect(wrong).toEqual([]);
    // Each of two or three has won.
    expect(results.size).toBe(5);
  });

  test(`one of them owns the state, as processes (seed ${SEED})`, async () => {
    const { program } = await testPrograms(inject('tempRoot'));
    const wrong = await startProcesses(program('startingOwner'), WASM_FILE, ROUNDS, randomOf(SEED));
    rounds += ROUNDS;
    faults += wrong.length;
    expect(wrong).toEqual([]);
  });

  for (const [name, bug] of Object.entries(BUGS))
    planted(name, async () => {
      using built = await buildWith(bug, ['test/support/crash/startersAtOnce.ts']);
      const { startAtOnce: wrongly } = await import(built.program('startersAtOnce').href);
      expect((await ordered(wrongly, FEW, 1)).wrong).not.toEqual([]);
    });
});
