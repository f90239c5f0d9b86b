/** The real worker thread, whose long waits are short: a back-off after a death takes minutes. Short timers are what they are. */

const SPEED = 200;
const LONG_MS = 8_000;

const begun = Date.now();
const now = Date.now.bind(Date);
const later = globalThis.setTimeout;

Date.now = () => begun + (now() - begun) * SPEED;
globalThis.setTimeout = ((run: () => void, ms = 0, ...args: []) =>
  later(run, ms >= LONG_MS ? ms / SPEED : ms, ...args)) as typeof setTimeout;

await import('../../src/worker.ts');
