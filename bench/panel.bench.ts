/** Making and packing the snapshots of the board, and how long the event loop waits for it. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { systemClock } from '../src/adapters/clock.ts';
import { type PanelMaker, panelMaker } from '../src/core/workspace/panel.ts';
import type { Clock } from '../src/shared/clock.ts';
import { NO_LOOK, type PanelLook } from '../src/shared/workspace/panel.ts';
import { type SnapshotPacker, snapshotPacker } from '../src/shared/workspace/snapshot.ts';
import type { State } from '../src/shared/workspace/state.ts';
import { snapshotFeed } from '../src/vscode/page/snapshotFeed.ts';
import { crowd, TODAY, work } from './crowd.ts';
import { median, round, show } from './table.ts';

const ROUNDS = 30;
const FOLLOWED_MS = 8_000;
const EVENT_EVERY_MS = 25;
const BLOCK_MS = 50;
const GROWTH = 2.5;
const BOARD: PanelLook = { ...NO_LOOK, featureId: 1 };
const COSTS: PanelLook = { ...NO_LOOK, costs: true };
const FRAME = { banner: null, mode: 'owner' } as const;

interface Sent {
  readonly ms: number;
  readonly bytes: number;
}

function snapshot(state: State, panel: PanelMaker, packer: SnapshotPacker, look: PanelLook): Sent {
  const start = performance.now();
  let bytes = 0;
  for (const message of packer.pack(1, panel.view(state, TODAY, FRAME, look, Date.now()))) {
    bytes += (message.kind === 'part' ? message.rows : message.head).byteLength;
  }
  return { ms: performance.now() - start, bytes };
}

function first(state: State): Sent {
  return snapshot(state, panelMaker(), snapshotPacker(), BOARD);
}

/** After each event of a worker. */
function changes(state: State, look: PanelLook): Sent {
  const [panel, packer] = [panelMaker(), snapshotPacker()];
  snapshot(state, panel, packer, look);
  const rounds = Array.from({ length: ROUNDS }, (_, seq) => {
    work(state, seq + 1);
    return snapshot(state, panel, packer, look);
  });
  return { ms: median(rounds.map(({ ms }) => ms)), bytes: median(rounds.map(({ bytes }) => bytes)) };
}

const warm = crowd(1_000);
for (let round = 0; round < 5; round++) first(warm);
changes(warm, COSTS);

const kB = (bytes: number): number => Math.round(bytes / 1024);
const sizes = [1_000, 10_000, 20_000].map((features) => {
  const state = crowd(features);
  const firsts = [first(state), first(state), first(state)];
  return {
    features,
    whole: firsts.toSorted((a, b) => a.ms - b.ms)[1] as Sent,
    board: changes(state, BOARD),
    costs: changes(state, COSTS),
  };
});
show(
  'A snapshot made and packed',
  ['features', 'first ms', 'first kB', 'after an event ms', 'kB', 'with cost tables ms', 'kB'],
  sizes.map(({ features, whole, board, costs }) => [
    features,
    round(whole.ms),
    kB(whole.bytes),
    round(board.ms),
    kB(board.bytes),
    round(costs.ms),
    kB(costs.bytes),
  ]),
);

const [, ten, twenty] = sizes;
const judged = (name: string, of: (size: (typeof sizes)[number]) => number): (string | number)[] => {
  const ratio = of(twenty as (typeof sizes)[number]) / of(ten as (typeof sizes)[number]);
  return [name, round(ratio, 2), `<= ${GROWTH}`, ratio <= GROWTH ? 'met' : 'MISSED'];
};
show(
  'Twice the features (20,000 to 10,000)',
  ['what', 'times as long', 'target', ''],
  [
    judged('first snapshot', ({ whole }) => whole.ms),
    judged('after an event', ({ board }) => board.ms),
    judged('with cost tables', ({ costs }) => costs.ms),
  ],
);

interface Followed {
  readonly persecond: number;
  readonly busy: number;
  /** Of the event loop, by anybody: a busy machine has a part in it. */
  readonly longest: number;
  /** Processor time of the longest stretch of ours without a turn of the event loop. */
  readonly ours: number;
}

/** A clock that knows how long its user had the thread between two turns. */
function measuredClock(): { readonly clock: Clock; ended(): void; longest(): number } {
  const real = systemClock();
  let began = process.threadCpuUsage();
  let longest = 0;
  const ended = (): void => {
    const { user, system } = process.threadCpuUsage(began);
    longest = Math.max(longest, (user + system) / 1000);
  };
  const clock: Clock = {
    ...real,
    now: () => real.now(),
    monotonic: () => real.monotonic(),
    sleep: async (ms) => {
      ended();
      await real.sleep(ms);
      began = process.threadCpuUsage();
    },
    timer: (ms, run) =>
      real.timer(ms, () => {
        began = process.threadCpuUsage();
        run();
      }),
  };
  return { clock, ended, longest: () => longest };
}

/** Forty events a second for some seconds, a snapshot wanted after each; `look` null: nobody does, for comparison. */
async function follow(features: number, look: PanelLook | null): Promise<Followed> {
  const state = crowd(features);
  const panel = panelMaker();
  const clock = systemClock();
  const measured = measuredClock();
  let snapshots = 0;
  const feed = snapshotFeed({
    clock: measured.clock,
    source: Promise.resolve({
      packer: snapshotPacker(),
      catchUp: () => panel.catchUp(state),
      view: () => panel.view(state, TODAY, FRAME, look ?? BOARD, Date.now()),
    }),
    shown: () => look !== null,
    send: () => undefined,
    sent: () => {
      measured.ended();
      snapshots++;
    },
    failed: (thrown) => {
      throw thrown;
    },
  });
  globalThis.gc?.();
  await clock.sleep(200);
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const before = performance.eventLoopUtilization();
  for (let seq = 1; seq <= FOLLOWED_MS / EVENT_EVERY_MS; seq++) {
    work(state, seq);
    feed.ask();
    await clock.sleep(EVENT_EVERY_MS);
  }
  const { utilization } = performance.eventLoopUtilization(before);
  delay.disable();
  feed.dispose();
  return {
    persecond: snapshots / (FOLLOWED_MS / 1000),
    busy: utilization * 100,
    longest: delay.max / 1e6,
    ours: measured.longest(),
  };
}

const followed: (string | number)[][] = [];
for (const [features, look] of [
  [1_000, BOARD],
  [10_000, BOARD],
  [10_000, COSTS],
] as const) {
  const alone = await follow(features, null);
  const { persecond, busy, longest, ours } = await follow(features, look);
  followed.push([
    features,
    look.costs ? 'costs' : 'board',
    round(persecond),
    round(busy),
    round(ours),
    `<= ${BLOCK_MS}`,
    ours <= BLOCK_MS ? 'met' : 'MISSED',
    round(longest),
    round(alone.longest),
  ]);
}
show(
  'Followed by a page, 40 events a second',
  ['features', 'page', 'snapshots/s', 'busy %', 'our longest ms', 'target', '', 'longest by anybody', 'without a page'],
  followed,
);
