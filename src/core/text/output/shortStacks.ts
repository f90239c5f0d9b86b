/** Shortens the stacks in a command's output. Pure. */

const FRAME = /^\s+at \S/;
/** A frame of a package or of Node itself. */
const FOREIGN = /[\\/]?node_modules[\\/]|\(?node:/;

interface ShortStacks {
  readonly lines: readonly string[];
  /** Whether frames are missing without a line that states it. */
  readonly leftOut: boolean;
}

/** Drops frames of packages after the first frame of a stack, and all frames of a stack that was shown before. */
export function shortStacks(lines: readonly string[]): ShortStacks {
  const seen = new Set<string>();
  const kept: string[] = [];
  let leftOut = false;
  for (let at = 0; at < lines.length; ) {
    const end = frameEnd(lines, at);
    if (end === at) {
      kept.push(lines[at] ?? '');
      at++;
      continue;
    }
    const frames = lines.slice(at, end).filter((line, nth) => nth === 0 || !FOREIGN.test(line));
    const key = frames.map((line) => line.trim()).join('\n');
    const isShown = frames.length > 1 && seen.has(key);
    kept.push(...(isShown ? [`${indentOf(frames[0])}[the same stack as before]`] : frames));
    leftOut ||= !isShown && frames.length < end - at;
    seen.add(key);
    at = end;
  }
  return { lines: kept, leftOut };
}

/** The index after the last frame of a stack that starts here; `at` itself if no stack does. */
function frameEnd(lines: readonly string[], at: number): number {
  let end = at;
  while (end < lines.length && FRAME.test(lines[end] ?? '')) end++;
  return end;
}

const indentOf = (line = ''): string => /^\s*/.exec(line)?.[0] ?? '';
