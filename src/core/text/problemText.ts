/** Formats problems of reading or writing for people. */

/** e.g. `1-1.jsonl:3: damaged line` */
export function problemText({
  file,
  line,
  what,
}: {
  readonly file: string;
  readonly line: number | null;
  readonly what: string;
}): string {
  return `${file}${line === null ? '' : `:${line}`}: ${what}`;
}

const SHOWN = 5;

/** The first ones, and how many more there are: a damaged history may have thousands. */
export function firstProblems(texts: readonly string[]): readonly string[] {
  const more = texts.length - SHOWN;
  return more <= 0 ? texts : [...texts.slice(0, SHOWN), `and ${more} more`];
}
