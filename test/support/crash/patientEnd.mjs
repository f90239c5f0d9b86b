/**
 * Loaded before the terminal's program by tests that see how it ends by itself after a stop signal: its time for that is as long as a slow
 * machine needs.
 */
import { END_MS } from '../../../src/app/terminal/stopSignals.ts';

/** Shorter than the silence that ends a call by itself: a pause that waits for that does not count. */
const LONG_MS = 60_000;
const { setTimeout: start } = globalThis;
globalThis.setTimeout = (run, ms, ...rest) => start(run, ms === END_MS ? LONG_MS : ms, ...rest);
