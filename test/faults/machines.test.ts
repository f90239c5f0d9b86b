/** T6: whatever is asked of the machines, in whatever order and by however many at once, no row is illegal. */

import { afterEach, describe, expect, it } from 'vitest';
import { nextAction } from '../../src/core/job/nextAction.ts';
import { reduce } from '../../src/core/workspace/reduce.ts';
import type { Event } from '../../src/shared/workspace/events.ts';
import { applyChanges, emptyState, type State, TABLE_NAMES } from '../../src/shared/workspace/state.ts';
import { planted } from '../support/suite/planted.ts';
import { type Built, buildWith, type PlantedBug } from '../support/suite/plantedBug.ts';
import { amount, figure, SEED } from '../support/suite/proof.ts';
import { fc } from '../support/suite/property.ts';
import { GOLDEN } from './machines/drafts.ts';
import { game } from './machines/game/game.ts';
import { interleaved } from './machines/interleaved.ts';
import { begun, type Reduce, requests } from './machines/storm.ts';

const RUNS = amount({ short: 120, long: 20_000 });
const STORE_RUNS = amount({ short: 40, long: 2_000 });
const COMMANDS = 60;

function fold(judged: Reduce, events: readonly Event[], state = emptyState()): State {
  for (const event of events) applyChanges(state, judged(state, event));
  return state;
}

const plain = (state: State): unknown => ({
  ...Object.fromEntries(TABLE_NAMES.map((name) => [name, [...state[name]].toSorted(([a], [b]) => (a < b ? -1 : 1))])),
  meta: state.meta,
});

/** Throws what breaks a law, with the commands that did it. */
function storm(judged: Reduce, runs: number): { accepted: number; refused: number } {
  let [accepted, refused] = [0, 0];
  fc.assert(
    fc.property(fc.nat(GOLDEN.length), requests(COMMANDS), (cut, commands) => {
      const { model, real } = begun(judged, cut);
      fc.modelRun(() => ({ model, real }), commands);
      accepted += model.events.length - cut;
      refused += model.refused;
      expect(plain(fold(judged, model.events))).toEqual(plain(real.state));
      // What is not over has something to do, or to wait for.
      for (const { id } of real.state.jobs.values())
        expect(nextAction(real.state, id, Date.now())).toHaveProperty('do');
    }),
    { numRuns: runs },
  );
  return { accepted, refused };
}

describe(`machines, from seed ${SEED}`, () => {
  it('the golden log folds to rows that keep every law', () => {
    const { real } = begun(reduce, GOLDEN.length);
    expect(plain(real.state)).toEqual(plain(fold(reduce, GOLDEN)));
  });

  it(`${RUNS} storms of ${COMMANDS} requests of any kind`, () => {
    // One ends the storms.
    let illegal = 1;
    const { accepted, refused } = (() => {
      try {
        const told = storm(reduce, RUNS);
        illegal = 0;
        return told;
      } finally {
        figure({ method: 'T6', what: 'illegal rows', value: illegal, unit: '', aim: { atMost: 0 } });
      }
    })();
    figure({
      method: 'T6',
      what: `storms of ${COMMANDS} requests on every machine`,
      value: RUNS,
      unit: '',
      aim: { atLeast: 60 },
    });
    figure({ method: 'T6', what: 'requests accepted', value: accepted, unit: '', aim: null });
    figure({ method: 'T6', what: 'requests refused, with nothing changed', value: refused, unit: '', aim: null });
    expect(accepted).toBeGreaterThan(RUNS);
    expect(refused).toBeGreaterThan(RUNS);
  });

  it(`${STORE_RUNS} interleavings of two clients, a worker and crashes on the real store`, async () => {
    const { acknowledged, lost } = await interleaved(STORE_RUNS);
    figure({
      method: 'T6',
      what: 'interleavings of two clients, a worker and crashes',
      value: STORE_RUNS,
      unit: '',
      aim: { atLeast: 40 },
    });
    figure({ method: 'T6', what: 'acknowledged events lost', value: lost, unit: '', aim: { atMost: 0 } });
    expect(acknowledged).toBeGreaterThan(STORE_RUNS);
    expect(lost).toBe(0);
  });
});

const made: Built[] = [];
afterEach(() => made.splice(0).forEach((built) => void built[Symbol.dispose]()));

async function withBug(bug: PlantedBug): Promise<Reduce> {
  const built = await buildWith(bug, ['src/core/workspace/reduce.ts']);
  made.push(built);
  return ((await import(built.program('reduce').href)) as { reduce: Reduce }).reduce;
}

const BUGS: readonly (PlantedBug & { readonly name: string; readonly says: RegExp })[] = [
  {
    name: 'an illegal transition let through',
    file: 'src/core/state/machines.ts',
    find: "cancel: 'cancelled' },\n  completed: {},",
    put: "cancel: 'cancelled' },\n  completed: { cancel: 'cancelled' },",
    says: /a job that was completed is cancelled/,
  },
  {
    name: 'a row changed by a refused request',
    file: 'src/core/job/reduce/jobs.ts',
    find: '  const target = step(',
    put: '  (job as { reason: string | null }).reason = null;\n  const target = step(',
    says: /read only property/,
  },
  {
    name: 'a count below zero',
    file: 'src/core/job/reduce/attempts.ts',
    find: 'crash_count: feature.crash_count + 1',
    put: 'crash_count: feature.crash_count - 1',
    says: /crash_count is -1/,
  },
];
for (const { name, says, ...bug } of BUGS)
  planted(name, async () => {
    const judged = await withBug(bug);
    expect(lawBrokenBy(() => storm(judged, 400))).toMatch(says);
  });

planted('a retry counted for a crash', async () => {
  const judged = await withBug({
    file: 'src/core/job/reduce/attempts.ts',
    find: 'crash_count: feature.crash_count + 1',
    put: 'crash_count: feature.crash_count + 1, retry_count: feature.retry_count + 1',
  });
  expect(lawBrokenBy(() => storm(judged, 400))).toMatch(/used 1 retries/);
  const lives = fc.property(
    fc.nat(2 ** 31),
    fc.array(fc.nat(2 ** 31), { maxLength: 60, size: 'max' }),
    (start, moves) => {
      game(start, moves, judged);
    },
  );
  const played = (): void => fc.assert(lives, { numRuns: 200 });
  expect(lawBrokenBy(played)).not.toBe('');
});

/** What the checker says of a judged one, '' where it says nothing. */
function lawBrokenBy(check: () => unknown): string {
  try {
    check();
  } catch (thrown) {
    return thrown instanceof Error && thrown.cause instanceof Error ? thrown.cause.message : String(thrown);
  }
  return '';
}
