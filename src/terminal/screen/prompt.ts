/** One line from the person at the terminal. */
import type { Context } from './context.ts';

/** Trimmed; null when the input ended. Rejects when `signal` aborts. The cursor is at the begin of a line afterwards, always. */
export async function prompt(context: Context, question: string, signal: AbortSignal): Promise<string | null> {
  const { io } = context.deps;
  let line: string | null = null;
  try {
    line = await io.ask(question, signal);
  } finally {
    // Only an answer brought its own line end.
    if (line === null) io.out('\n');
  }
  return line === null ? null : line.trim();
}
