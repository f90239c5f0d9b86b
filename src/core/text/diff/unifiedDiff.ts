/** Computes the unified diff of two texts: the changes, with a few lines around. */

/** Unchanged lines around a change. */
const CONTEXT = 3;
/** Limit of pairs of lines that are compared. Beyond it, the changed part is shown as completely replaced. */
const MAX_PAIRS = 2_000_000;

interface Line {
  readonly mark: ' ' | '-' | '+';
  readonly text: string;
}

/** Each with its line break, so that a missing last one is a difference too. */
const linesOf = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

/** Length of the longest common run of lines from each pair of places to the ends. */
function commonLengths(before: readonly string[], after: readonly string[]): Uint32Array {
  const width = after.length + 1;
  const lengths = new Uint32Array((before.length + 1) * width);
  for (let b = before.length - 1; b >= 0; b--) {
    for (let a = after.length - 1; a >= 0; a--) {
      const at = b * width + a;
      lengths[at] =
        before[b] === after[a]
          ? (lengths[at + width + 1] ?? 0) + 1
          : Math.max(lengths[at + width] ?? 0, lengths[at + 1] ?? 0);
    }
  }
  return lengths;
}

const marked = (mark: Line['mark'], texts: readonly string[]): Line[] => texts.map((text) => ({ mark, text }));

function changed(before: readonly string[], after: readonly string[]): Line[] {
  if (before.length * after.length > MAX_PAIRS) return [...marked('-', before), ...marked('+', after)];
  const lengths = commonLengths(before, after);
  const width = after.length + 1;
  const lines: Line[] = [];
  let b = 0;
  let a = 0;
  while (b < before.length && a < after.length) {
    const at = b * width + a;
    if (before[b] === after[a]) {
      lines.push({ mark: ' ', text: before[b] ?? '' });
      b++;
      a++;
    } else if ((lengths[at + width] ?? 0) >= (lengths[at + 1] ?? 0)) lines.push({ mark: '-', text: before[b++] ?? '' });
    else lines.push({ mark: '+', text: after[a++] ?? '' });
  }
  return [...lines, ...marked('-', before.slice(b)), ...marked('+', after.slice(a))];
}

function allLines(before: readonly string[], after: readonly string[]): Line[] {
  const most = Math.min(before.length, after.length);
  let head = 0;
  while (head < most && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < most - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  return [
    ...marked(' ', before.slice(0, head)),
    ...changed(before.slice(head, before.length - tail), after.slice(head, after.length - tail)),
    ...marked(' ', before.slice(before.length - tail)),
  ];
}

/** Start and end of runs of changes, with their context; runs that touch are one. */
function hunksOf(lines: readonly Line[]): [number, number][] {
  const hunks: [number, number][] = [];
  lines.forEach(({ mark }, at) => {
    if (mark === ' ') return;
    const from = Math.max(0, at - CONTEXT);
    const to = Math.min(lines.length, at + CONTEXT + 1);
    const last = hunks.at(-1);
    if (last !== undefined && from <= last[1]) last[1] = to;
    else hunks.push([from, to]);
  });
  return hunks;
}

const count = (lines: readonly Line[], mark: Line['mark']): number => lines.filter((line) => line.mark !== mark).length;
const range = (from: number, length: number): string => `${length === 0 ? from : from + 1},${length}`;

/** Empty when the texts are the same. */
export function unifiedDiff(before: string, after: string, name: string): string {
  const lines = allLines(linesOf(before), linesOf(after));
  const hunks = hunksOf(lines).map(([from, to]) => {
    const earlier = lines.slice(0, from);
    const shown = lines.slice(from, to);
    const old = range(count(earlier, '+'), count(shown, '+'));
    const fresh = range(count(earlier, '-'), count(shown, '-'));
    const texts = shown.map(({ mark, text }) =>
      text.endsWith('\n') ? `${mark}${text}` : `${mark}${text}\n\\ No newline at end of file\n`,
    );
    return `@@ -${old} +${fresh} @@\n${texts.join('')}`;
  });
  return hunks.length === 0 ? '' : `--- ${name}\n+++ ${name}\n${hunks.join('')}`;
}
