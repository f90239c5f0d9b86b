/** Cuts a diff, and names the files that a cut diff does not show. */

/** The last line of a diff that was cut. */
export const DIFF_CUT = /\n?\[diff cut: [^\n]*\]\n$/;
const MAX_NAMES = 60;

export const isCut = (diff: string): boolean => DIFF_CUT.test(diff);

/** At most `maxBytes` of UTF-8 in whole lines, then a line that states the cut. `isPart`: the text is only the beginning of the diff. */
export function cutDiff(diff: string, maxBytes: number, isPart = false): string {
  if (!isPart && Buffer.byteLength(diff) <= maxBytes) return diff;
  const head = Buffer.from(diff, 'utf8').subarray(0, maxBytes).toString('utf8');
  return `${head.slice(0, head.lastIndexOf('\n') + 1)}[diff cut: it is longer than ${maxBytes} bytes]\n`;
}

/** The diff with one line on the files of the change that it does not show to their end. `paths` are all changed paths. */
export function withMissing(diff: string, paths: readonly string[]): string {
  // The last file of the diff is cut in its middle.
  const whole = (diff.match(/^diff --git .*$/gm) ?? []).slice(0, -1);
  const isWhole = (path: string): boolean => whole.some((line) => line.endsWith(` b/${path}`));
  const missing = paths.filter((path) => !isWhole(path));
  const names = missing.slice(0, MAX_NAMES).join(', ');
  const more = missing.length > MAX_NAMES ? ` and ${missing.length - MAX_NAMES} more` : '';
  return `${diff}[not shown, or not to the end: ${names}${more}]\n`;
}
