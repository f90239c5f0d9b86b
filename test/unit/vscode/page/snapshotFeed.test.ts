import { expect, it } from 'vitest';
import { panelMaker } from '../../../../src/core/workspace/panel.ts';
import { NO_LOOK } from '../../../../src/shared/workspace/panel.ts';
import {
  type Snapshot,
  type SnapshotMessage,
  snapshotPacker,
  snapshotUnpacker,
} from '../../../../src/shared/workspace/snapshot.ts';
import type { State } from '../../../../src/shared/workspace/state.ts';
import { snapshotFeed } from '../../../../src/vscode/page/snapshotFeed.ts';
import { featureRow, jobRow, phaseRow, stateOf } from '../../../support/state/builders.ts';
import { FakeClock } from '../../../support/time/fakeClock.ts';

const TODAY = '2026-11-02';
const FRAME = { banner: null, mode: 'owner' } as const;

function large(): State {
  const features = Array.from({ length: 2_000 }, (_, index) => featureRow({ id: index + 1, position: index }));
  return stateOf({ jobs: [jobRow()], phases: [phaseRow()], features });
}

/** A page, and a clock on which every message costs so many milliseconds. */
function world(state: State, costMs: number) {
  const clock = new FakeClock();
  const panel = panelMaker();
  const unpack = snapshotUnpacker();
  const page = { shown: true, sent: 0, messages: [] as SnapshotMessage[], snapshots: [] as Snapshot[] };
  const feed = snapshotFeed({
    clock,
    source: Promise.resolve({
      packer: snapshotPacker(),
      catchUp: () => panel.catchUp(state),
      view: () => panel.view(state, TODAY, FRAME, NO_LOOK, 0),
    }),
    shown: () => page.shown,
    send: (message) => {
      page.messages.push(message);
      const came = unpack(message);
      if (came !== null && came !== 'lost') page.snapshots.push(came);
      clock.advance(costMs);
    },
    sent: () => void page.sent++,
    failed: (thrown) => {
      throw thrown;
    },
  });
  return { clock, feed, page };
}

/** Lets promises go on between the steps of the clock. */
async function pass(clock: FakeClock, ms: number): Promise<void> {
  for (let at = 0; at < ms; at++) {
    clock.advance(1);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

it('sends a large snapshot whole, in slices', async () => {
  const { clock, feed, page } = world(large(), 3);
  feed.ask();
  await pass(clock, 20);
  expect(page.messages.length).toBeGreaterThan(0);
  expect(page.snapshots).toEqual([]);
  await pass(clock, 200);
  expect(page.snapshots.map(({ view }) => view.cards.length)).toEqual([2_000]);
});

it('sends nothing while nobody looks, and stops when nobody does any more', async () => {
  const { clock, feed, page } = world(large(), 10);
  page.shown = false;
  feed.ask();
  await pass(clock, 50);
  expect(page.messages).toEqual([]);
  page.shown = true;
  feed.ask();
  while (page.messages.length === 0) await pass(clock, 1);
  page.shown = false;
  await pass(clock, 100);
  expect(page.messages.length).toBe(1);
  expect(page.snapshots).toEqual([]);
  expect(page.sent, 'what waits for a whole snapshot goes on waiting').toBe(0);
  page.shown = true;
  feed.ask();
  await pass(clock, 1_000);
  expect(page.sent).toBe(1);
});

it('takes at most a fifth of the time, however often it is asked', async () => {
  const { clock, feed, page } = world(large(), 40);
  const began = clock.monotonic();
  for (let at = 0; at < 3_000; at++) {
    feed.ask();
    await pass(clock, 1);
  }
  const spent = page.messages.length * 40;
  expect(page.snapshots.length).toBeGreaterThan(2);
  expect(spent).toBeLessThanOrEqual((clock.monotonic() - began) * 0.25);
});
