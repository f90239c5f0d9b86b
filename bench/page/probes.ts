/** What the benchmark runs inside the page. Each is sent there as text: it may use nothing of this module. */

declare global {
  interface Window {
    firstCard: Promise<number>;
    callbacks: number;
  }
}

/** Before the page's own scripts: when the frame with the first card is on the screen, since the navigation began. */
export function watchFirstCard(): void {
  window.firstCard = new Promise((resolve) => {
    const painted = (): void => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => resolve(performance.now());
      port2.postMessage(null);
    };
    const look = (): void => {
      if (document.querySelector('.card') === null) requestAnimationFrame(look);
      else painted();
    };
    requestAnimationFrame(look);
  });
}

/** Before the page's own scripts: counts all that timers and frames call. */
export function countCallbacks(): void {
  window.callbacks = 0;
  const { setInterval: every, setTimeout: once, requestAnimationFrame: frame } = window;
  const counted =
    (run: (...args: never[]) => unknown) =>
    (...args: never[]): unknown => {
      window.callbacks++;
      return run(...args);
    };
  Object.assign(window, {
    setInterval: (run: () => void, ms?: number) => every(counted(run), ms),
    setTimeout: (run: () => void, ms?: number) => once(counted(run), ms),
    requestAnimationFrame: (run: (at: number) => void) => frame(counted(run)),
  });
}

interface Scrolling {
  readonly of: string;
  readonly frames: number;
  readonly step: number;
}

/** Scrolls the longest of such elements as fast as a wheel does; gives the length of every frame. */
export async function scrollFrames({ of, frames, step }: Scrolling): Promise<number[]> {
  const longest = [...document.querySelectorAll<HTMLElement>(of)].toSorted(
    (a, b) => b.scrollHeight - a.scrollHeight,
  )[0];
  const frame = (): Promise<number> => new Promise((resolve) => requestAnimationFrame(resolve));
  const lengths: number[] = [];
  let before = await frame();
  for (let at = 0; at < frames; at++) {
    if (longest !== undefined) longest.scrollTop += step;
    const now = await frame();
    lengths.push(now - before);
    before = now;
  }
  return lengths;
}

/** Ends one step after the other of the task that is shown; gives the length of every frame. */
export async function stepFrames(frames: number): Promise<number[]> {
  const frame = (): Promise<number> => new Promise((resolve) => requestAnimationFrame(resolve));
  const lengths: number[] = [];
  for (let at = 0; at < frames; at++) {
    const view = window.shown();
    const { task } = view;
    if (task === null) throw new Error('no task is shown');
    const steps = task.steps.map((step, place) =>
      place === at * 7 ? { ...step, status: 'COMPLETED' as const, costUsd: at } : step,
    );
    const before = await frame();
    window.show({ ...view, task: { ...task, steps } });
    // It comes with a message, is made in the next task and painted with the next frame: the longest of them counts.
    const first = await frame();
    const second = await frame();
    lengths.push(Math.max(first - before, second - first));
  }
  return lengths;
}
