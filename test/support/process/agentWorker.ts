/** The real worker thread, whose long waits are short: a back-off after a death takes minutes. Short timers are what they are. */

const SPEED = 200;
const LONG_MS = 8_000;

const later = globalThis.setTimeout;

/** A clock, faster. */
function quick(now: () => number): () => number {
  const begun = now();
  return () => begun + (now() - begun) * SPEED;
}

Date.now = quick(Date.now.bind(Date));
performance.now = quick(performance.now.bind(performance));
globalThis.setTimeout = ((run: () => void, ms = 0, ...args: []) =>
  later(run, ms >= LONG_MS ? ms / SPEED : ms, ...args)) as typeof setTimeout;

await import('../../../src/worker.ts');
