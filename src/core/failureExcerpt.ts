/**
 * What a person or a model needs of a command's output: of a failed one the lines that state a failure, with what follows them,
 * and the end. Test runners print a failure where it happens, often long before the end. Pure.
 */

/**
 * Lines by which known programs state a failure: TAP and node:test, mocha, jest, vitest, pytest, go test, cargo, tsc, eslint,
 * and plain errors.
 */
const FAILURES: readonly RegExp[] = [
  /^\s*not ok\b/,
  /^\s*(?:✖|✗|×|✕|●)\s/,
  /^\s*\d+\) /,
  /^\s*(?:FAIL|FAILED|--- FAIL|E {3})\b/,
  /\bFAILED\b/,
  /^\s*(?:error|fatal)\b/i,
  /\b(?:[A-Z]\w*)?(?:Error|Exception):/,
  /\berror(?:\[E\d+\]| TS\d+)?:/,
  /^\s*\d+:\d+\s+error\b/,
  /\bpanicked at\b/,
  /: command not found$|: not found$/,
];

/** A line that only counts failures that did not happen. */
const NOT_ONE = /\b0 (?:failed|failures|errors)\b|^\s*(?:#|ℹ) fail 0\b/;

/** Lines shown after one that states a failure. */
const FOLLOWING = 12;
const GAP = '[…]';

/** At most about `max` characters. All of it if it fits. */
export function failureExcerpt(output: string, max: number): string {
  if (output.length <= max) return output;
  const end = endOf(output, Math.floor(max / 2));
  const before = output.slice(0, output.length - end.length).split('\n');
  return [...failureLines(before, max - end.length), GAP, end].join('\n');
}

/** The last `max` characters, from the beginning of a line if one begins in their first half. */
function endOf(output: string, max: number): string {
  const end = output.slice(-max);
  const line = end.indexOf('\n');
  return line >= 0 && line < max / 2 ? end.slice(line + 1) : end;
}

function failureLines(lines: readonly string[], max: number): readonly string[] {
  const shown: string[] = [];
  let room = max;
  let last = -1;
  let until = -1;
  for (const [at, line] of lines.entries()) {
    if (statesFailure(line)) until = at + FOLLOWING;
    if (at > until) continue;
    room -= line.length + 1;
    if (room < 0) break;
    if (at > last + 1) shown.push(GAP);
    shown.push(line);
    last = at;
  }
  return shown;
}

function statesFailure(line: string): boolean {
  return !NOT_ONE.test(line) && FAILURES.some((pattern) => pattern.test(line));
}
