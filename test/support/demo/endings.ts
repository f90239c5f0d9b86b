/** How a test in a window ends that does not end by itself. */

/** Aborted by Ctrl-C, or by a ceiling around the whole. A second one ends the process at once. */
export function stopSignal(): AbortSignal {
  const stop = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.once(name, () => stop.abort(new Error(`stopped by ${name}`)));
  }
  return stop.signal;
}

/** What it comes to. Rejects when that takes longer, or when all is stopped; then it goes on unheard. */
export async function within<T>(running: Promise<T>, ms: number, what: string, stop?: AbortSignal): Promise<T> {
  const { promise: end, reject } = Promise.withResolvers<never>();
  const stopped = (): void => reject(stop?.reason);
  const late = setTimeout(() => reject(new Error(`${what} did not end within ${ms / 1000} s`)), ms);
  stop?.addEventListener('abort', stopped, { once: true });
  if (stop?.aborted) stopped();
  try {
    return await Promise.race([running, end]);
  } finally {
    clearTimeout(late);
    stop?.removeEventListener('abort', stopped);
  }
}
