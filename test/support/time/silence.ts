/** How long a test waits while nothing at all happens before it calls that a failure: no machine is as slow as that. */
export const LONGEST_SILENCE_MS = 240_000;
