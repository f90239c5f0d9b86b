/**
 * Runs in the page of the board, in the place of the extension host: a state with workers at work, the real maker, packer
 * and feed. `window.followWorkers(…)` gives for each change of the state how long it took until its pixels were there.
 */
import { type PanelMaker, panelMaker } from '../../src/core/workspace/panel.ts';
import type { Clock } from '../../src/shared/clock.ts';
import type { ToPage } from '../../src/shared/workspace/pageProtocol.ts';
import { type SnapshotMessage, snapshotPacker } from '../../src/shared/workspace/snapshot.ts';
import type { State } from '../../src/shared/workspace/state.ts';
import { snapshotFeed } from '../../src/vscode/page/snapshotFeed.ts';
import { crowd, TODAY, work } from '../crowd.ts';

declare global {
  interface Window {
    followWorkers(features: number, events: number, workers: number): Promise<number[]>;
  }
}

interface Wanted {
  readonly card: number;
  readonly usd: number;
  readonly at: number;
}

const FRAME = { banner: null, mode: 'owner' } as const;
const LOOK = { featureId: null, costs: false } as const;
/** Newer than what the page was shown before. */
const REVISIONS = 1_000_000;
const HALF_A_CENT = 0.005;

const clock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  timer: (ms, run) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

const post = (message: ToPage): void => window.postMessage(message, '*');

function send(message: SnapshotMessage): void {
  post(message.kind === 'snapshot' ? { ...message, revision: message.revision + REVISIONS } : message);
}

function feedOf(state: State, panel: PanelMaker): ReturnType<typeof snapshotFeed> {
  return snapshotFeed({
    clock,
    source: Promise.resolve({
      packer: snapshotPacker(),
      catchUp: () => panel.catchUp(state),
      view: () => panel.view(state, TODAY, FRAME, LOOK, Date.now()),
    }),
    shown: () => true,
    send,
    sent: () => undefined,
    failed: (thrown) => {
      throw thrown;
    },
  });
}

function shownUsd(card: number): number {
  const cost = document.querySelector(`[data-card="${card}"]`)?.closest('.card')?.querySelector('.cost');
  return Number((cost?.textContent ?? '').replace(/[^\d.]/g, ''));
}

/** Calls back once the frame that is being made is on the screen. */
function afterPaint(then: () => void): void {
  requestAnimationFrame(() => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = then;
    port2.postMessage(null);
  });
}

window.followWorkers = async (features, events, workers) => {
  const state = crowd(features, workers);
  const panel = panelMaker();
  const feed = feedOf(state, panel);
  const took: number[] = [];
  let wanted: Wanted[] = [];
  const watcher = new MutationObserver(() => {
    const done = wanted.filter(({ card, usd }) => shownUsd(card) >= usd - HALF_A_CENT);
    wanted = wanted.filter((one) => !done.includes(one));
    afterPaint(() => took.push(...done.map(({ at }) => performance.now() - at)));
  });
  watcher.observe(document.body, { subtree: true, childList: true, characterData: true });
  feed.ask();
  await clock.sleep(1_500);
  const spent = new Map<number, number>();
  for (const { id, costUsd } of panel.view(state, TODAY, FRAME, LOOK, Date.now()).cards) spent.set(id, costUsd);
  for (let seq = 1; seq <= events; seq++) {
    const { card, usd } = work(state, seq, workers);
    spent.set(card, (spent.get(card) ?? 0) + usd);
    // Of 16 cards at work, the column shows those that fit.
    const isInSight = document.querySelector(`[data-card="${card}"]`) !== null;
    if (isInSight) wanted.push({ card, usd: spent.get(card) ?? 0, at: performance.now() });
    feed.ask();
    const line = { at: TODAY, jobId: 'job-1', sessionId: card, featureId: card, text: `edit src/part${seq}.ts` };
    post({ kind: 'live', lines: [line] });
    // As calls of workers end: not in step with the snapshots.
    await clock.sleep(((20 + ((seq * 37) % 90)) * 4) / workers);
  }
  await clock.sleep(1_000);
  watcher.disconnect();
  feed.dispose();
  return [...took, ...wanted.map(() => Number.POSITIVE_INFINITY)];
};
