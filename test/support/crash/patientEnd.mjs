/**
 * Loaded before the terminal's program by tests that see how it ends by itself after a stop signal: its time for that is as long as a slow
 * machine needs.
 */
import { END_MS } from '../../../src/app/terminal/stopSignals.ts';

/** As long as a test waits. */
const LONG_MS = 240_000;
const { setTimeout: start } = globalThis;
globalThis.setTimeout = (run, ms, ...rest) => start(run, ms === END_MS ? LONG_MS : ms, ...rest);
