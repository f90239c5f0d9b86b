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

/** Scrolls the longest column as fast as a wheel does; gives the length of every frame. */
export async function scrollFrames({ frames, step }: { frames: number; step: number }): Promise<number[]> {
  const columns = [...document.querySelectorAll<HTMLElement>('.column-scroll')];
  const longest = columns.toSorted((a, b) => b.scrollHeight - a.scrollHeight)[0];
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
