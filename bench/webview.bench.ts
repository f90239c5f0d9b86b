/** The released page in Chromium: first paint, scrolling, and how soon a change is to be seen. Times are of this machine. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { type WebviewWorld, webviewWorld } from '../test/webview/browser.ts';
import { countCallbacks, scrollFrames, stepFrames, watchFirstCard } from './page/probes.ts';
import { type Cell, median, round, show } from './table.ts';

const OPENINGS = 7;
const SCROLLS = 3;
const EVENTS = 300;
const PAINT_MS = 300;
const FRAME_MS = 50;
const CHANGE_MS = 150;
const WATCHED_MS = 4_000;
const SIZE = { width: 1600, height: 900 };

/** `control` is the same with next to nothing in the page: where that misses the target as well, the machine is too busy to say. */
function row(what: string, figure: number, target?: number, control = 0): readonly Cell[] {
  if (target === undefined) return [what, round(figure), '', ''];
  const verdict = figure <= target ? 'met' : control > target ? 'machine too busy' : 'MISSED';
  return [what, round(figure), `<= ${target}`, verdict];
}

interface Paint {
  /** From the beginning of the navigation to the frame with the first card on the screen. */
  readonly ms: number;
  /** Processor time of the page's main thread for it: a busy machine does not lengthen it much. */
  readonly threadMs: number;
}

async function firstPaint(world: WebviewWorld, cards: number): Promise<Paint> {
  const all: Paint[] = [];
  for (let opening = 0; opening < OPENINGS; opening++) {
    let threadMs = async (): Promise<number> => Number.NaN;
    const { page } = await world.open(`view=board&cards=${cards}`, SIZE, watchFirstCard, async (blank) => {
      const session = await blank.context().newCDPSession(blank);
      await session.send('Performance.enable', { timeDomain: 'threadTicks' });
      threadMs = async () => {
        const { metrics } = await session.send('Performance.getMetrics');
        return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN) * 1000;
      };
    });
    const ms = await page.evaluate(() => window.firstCard);
    all.push({ ms, threadMs: await threadMs() });
    await page.close();
  }
  return { ms: median(all.map(({ ms }) => ms)), threadMs: median(all.map(({ threadMs }) => threadMs)) };
}

/** The worst frame of each time; the least of them is what the page cannot do better here. */
async function scrolled(world: WebviewWorld, cards: number): Promise<{ worst: number; usual: number }> {
  const all: number[][] = [];
  for (let time = 0; time < SCROLLS; time++) {
    const { page } = await world.open(`view=board&cards=${cards}`, SIZE);
    all.push(await page.evaluate(scrollFrames, { of: '.column-scroll', frames: 240, step: 600 }));
    await page.close();
  }
  return { worst: median(all.map((frames) => Math.max(...frames))), usual: median(all.flat()) };
}

/** The worst frame of each time, as above: of scrolling a task's steps, and of steps that end one after the other. */
async function taskFrames(world: WebviewWorld, steps: number): Promise<{ scrolling: number; changing: number }> {
  const scrolling: number[] = [];
  const changing: number[] = [];
  for (let time = 0; time < SCROLLS; time++) {
    const { page } = await world.open(`view=board&sample=tasks&steps=${steps}`, SIZE);
    await page.evaluate(() => window.send({ kind: 'task', taskId: 'task-research' }));
    await page.locator('.task-steps .step').first().waitFor();
    scrolling.push(Math.max(...(await page.evaluate(scrollFrames, { of: '.step-list', frames: 120, step: 600 }))));
    changing.push(Math.max(...(await page.evaluate(stepFrames, 60))));
    await page.close();
  }
  return { scrolling: median(scrolling), changing: median(changing) };
}

async function workersScript(): Promise<string> {
  const built = await build({
    entryPoints: [fileURLToPath(new URL('./page/workers.ts', import.meta.url))],
    bundle: true,
    format: 'iife',
    target: 'chrome128',
    minify: true,
    write: false,
    logLevel: 'warning',
  });
  return built.outputFiles[0]?.text ?? '';
}

async function changes(world: WebviewWorld, features: number, workers = 4): Promise<number[]> {
  const { page } = await world.open('view=board&cards=20', SIZE);
  await page.evaluate(await workersScript());
  const took = await page.evaluate(([of, events, at]) => window.followWorkers(of, events, at), [
    features,
    EVENTS,
    workers,
  ] as const);
  await page.close();
  return took.toSorted((a, b) => a - b);
}

async function wakeUps(world: WebviewWorld, query: string): Promise<number> {
  const { page } = await world.open(query, SIZE, countCallbacks);
  await page.waitForTimeout(2_000);
  const before = await page.evaluate(() => window.callbacks);
  await page.waitForTimeout(WATCHED_MS);
  const after = await page.evaluate(() => window.callbacks);
  await page.close();
  return (after - before) / (WATCHED_MS / 1000);
}

const folder = mkdtempSync(join(tmpdir(), 'autonomous-bench-'));
try {
  await using world = await webviewWorld(folder);
  const scroll = await scrolled(world, 10_000);
  const thousand = await changes(world, 1_000);
  const sixteen = await changes(world, 1_000, 16);
  const tenThousand = await changes(world, 10_000);
  const p95 = (sorted: readonly number[]): number => sorted[Math.floor(sorted.length * 0.95)] ?? Number.NaN;
  const paint = await firstPaint(world, 1_000);
  const small = await firstPaint(world, 1);
  const still = await scrolled(world, 20);
  const task = await taskFrames(world, 1_000);
  show(
    'The page',
    ['what', 'figure', 'target', ''],
    [
      row('first paint of 1,000 cards, ms', paint.ms, PAINT_MS, small.ms),
      row('  processor time of its main thread, ms', paint.threadMs),
      row('  of one card, for comparison', small.ms),
      row('scrolling 10,000 cards, worst frame ms', scroll.worst, FRAME_MS, still.worst),
      row('  usual frame', scroll.usual),
      row('  of 20 cards, worst frame, for comparison', still.worst),
      row('scrolling 1,000 steps of a task, worst frame ms', task.scrolling, FRAME_MS, still.worst),
      row('  steps that end, worst frame', task.changing, FRAME_MS, still.worst),
      row('a change to its pixels, 1,000 cards, 4 workers, p95 ms', p95(thousand), CHANGE_MS),
      row('  median', median(thousand)),
      row('  with 16 lanes, p95', p95(sixteen), CHANGE_MS),
      row('  10,000 cards, p95', p95(tenThousand)),
      row('wake-ups a second, cards at work', await wakeUps(world, 'view=board&cards=100'), 1),
      row('wake-ups a second, nothing at work', await wakeUps(world, 'view=board&cards=3'), 0),
    ],
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
