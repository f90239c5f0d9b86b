/** A journey: tests that follow each other in one window, as the work of a person does. After one that fails, the rest is not reached. */
import { NOT_REACHED } from '../../scripts/test/summary.mjs';
import { within } from '../support/demo/endings.ts';
import type { Result } from '../support/suite/suiteReport.ts';
import { inWindow, type Opened, type Place, type World } from './world.ts';

export interface Step<P> {
  readonly name: string;
  readonly body: (place: P) => Promise<void>;
}

export interface Journey {
  /** Of its tests. */
  readonly names: readonly string[];
  /** Runs the tests up to the last that is wanted; `report` gets each result at once. */
  run(world: World, wanted: (name: string) => boolean, report: (result: Result) => void): Promise<void>;
}

/** Ends what neither fails nor goes on: each wait has a limit of its own, below this one. */
const LONGEST_MS = 1_800_000;

const errorOf = (thrown: unknown): string =>
  thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);

async function runSteps<P>(
  steps: readonly Step<P>[],
  open: (use: (place: P) => Promise<void>) => Promise<void>,
  stop: AbortSignal,
  report: (result: Result) => void,
): Promise<void> {
  let start = performance.now();
  let reached = 0;
  const end = (error: string | null): void => {
    const name = steps[reached]?.name ?? '';
    report({ name, ms: Math.round(performance.now() - start), error });
    start = performance.now();
    reached += 1;
  };
  try {
    await open(async (place) => {
      for (const [at, { name, body }] of steps.entries()) {
        // The one before has passed; the last one when its window has closed.
        if (at > 0) end(null);
        await within(body(place), LONGEST_MS, name, stop);
      }
    });
    end(null);
  } catch (thrown) {
    const failed = steps[reached]?.name;
    end(errorOf(thrown));
    while (reached < steps.length) end(`${NOT_REACHED} "${failed}" failed before it`);
  }
}

export function journey<P>(
  open: (world: World, use: (place: P) => Promise<void>) => Promise<void>,
  steps: readonly Step<P>[],
): Journey {
  return {
    names: steps.map(({ name }) => name),
    run: async (world, wanted, report) => {
      const last = steps.findLastIndex(({ name }) => wanted(name));
      if (last < 0) return;
      await runSteps(steps.slice(0, last + 1), (use) => open(world, use), world.stop, report);
    },
  };
}

/** In one window on the demo's sample repository, whose working tree is checked after each test. */
export function windowJourney(opened: Opened, steps: readonly Step<Place>[]): Journey {
  const guarded = steps.map(({ name, body }) => ({
    name,
    body: async (place: Place) => {
      await body(place);
      place.guard.check();
    },
  }));
  return journey<Place>((world, use) => inWindow(world, opened, use), guarded);
}
