/** Marks the output of a command in feedback. The output is the rest of the text. */
export const PRINTED = 'What it printed:\n';

/** Feedback of older logs calls each output shortened. */
const MARK = /What it printed(?:, shortened)?:\n/;

interface Printed {
  /** Ends with the line that introduces the output. */
  readonly before: string;
  readonly output: string;
}

/** Splits feedback at the output of a command. Returns null if it contains none. */
export function splitPrinted(text: string): Printed | null {
  const mark = MARK.exec(text);
  if (mark === null) return null;
  const at = mark.index + mark[0].length;
  return { before: text.slice(0, at), output: text.slice(at) };
}
