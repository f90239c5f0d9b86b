/** Reads one line from the person at the terminal. */
import type { Context } from './context.ts';

/** Returns the trimmed line, or null if the input ended. Rejects when `signal` aborts. Afterwards the cursor is always at the start of a line. */
export async function prompt(context: Context, question: string, signal: AbortSignal): Promise<string | null> {
  const { io } = context.deps;
  let line: string | null = null;
  try {
    line = await io.ask(question, signal);
  } finally {
    // Only an answer includes a line end.
    if (line === null) io.out('\n');
  }
  return line === null ? null : line.trim();
}
