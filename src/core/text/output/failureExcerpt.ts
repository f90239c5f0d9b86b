/**
 * Shortens a command's output for a person or a model: for a failed command, the lines that state a failure, with the lines that follow them, and the
 * end. Test runners print a failure where it happens, often long before the end. Lines of passed tests are left out, and a failed test comes before a
 * bare error: programs that succeed print errors too. Pure.
 */
import { shortLines } from './lineDifference.ts';
import { shortStacks } from './shortStacks.ts';
import { withoutTapMarks } from './tapLines.ts';

/** Lines by which test runners, tsc and eslint state a failure: TAP and node:test, mocha, jest, vitest, pytest, go test, cargo. */
const FAILED: readonly RegExp[] = [
  /^\s*not ok\b/,
  /^\s*(?:✖|✗|×|✕|●)\s/,
  /^\s*\d+\) /,
  /^\s*(?:FAIL|FAILED|--- FAIL|E {3})\b/,
  /\bFAILED\b/,
  /\berror(?:\[E\d+\]| TS\d+):/,
  /^\s*\d+:\d+\s+error\b/,
  /\bpanicked at\b/,
];

/** Lines by which any program states an error. */
const ERRORS: readonly RegExp[] = [
  /^\s*(?:error|fatal)\b/i,
  /\b(?:[A-Z]\w*)?(?:Error|Exception):/,
  /\berror:/,
  /: command not found$|: not found$/,
];

/** A line of a test that passed. */
const PASSED = /^\s*(?:ok \d+\b|[✓✔√]\s|--- PASS\b|test .* \.\.\. ok$)|\sPASSED\b/;

/** A line that only counts failures that did not happen. */
const NOT_ONE = /\b0 (?:failed|failures|errors)\b|^\s*(?:#|ℹ) fail 0\b/;

/** Lines shown after one that states a failure. */
const FOLLOWING = 20;
/** The most characters of a line that states a failure or follows one. */
const LONGEST_LINE = 300;
const GAP = '[…]';
const NO_PASSED = '[Lines of passed tests are left out]';
const NO_FRAMES = '[Stack frames of packages are left out]';
const NO_BEGINNING = '[The beginning is left out]';

/** Returns at most about `max` characters, after lines that state what is left out. Paths within `folder` become relative. */
export function failureExcerpt(printed: string, max: number, folder = ''): string {
  const output = relative(printed, folder);
  const lines = output.split('\n');
  const failed = factLines(lines);
  if (failed.join('').trim() === '') return endWithin(output, max);
  const short = shortStacks(failed);
  const notices = [...(lines.some(isPassed) ? [NO_PASSED] : []), ...(short.leftOut ? [NO_FRAMES] : [])];
  return [...notices, excerptOf(short.lines.join('\n'), max)].join('\n');
}

const isPassed = (line: string): boolean => PASSED.test(line);

const factLines = (lines: readonly string[]): readonly string[] =>
  withoutTapMarks(lines).filter((line) => !isPassed(line));

function excerptOf(text: string, max: number): string {
  if (text.length <= max) return text;
  const end = endOf(text, Math.floor(max / 3));
  const before = text.slice(0, text.length - end.length).split('\n');
  return [...failureLines(before, max - end.length), GAP, end].join('\n');
}

/** Gives paths a leading `./`, so that a file of the repository does not look like a package. */
function relative(output: string, folder: string): string {
  if (folder === '') return output;
  return output.replaceAll(`file://${folder}/`, './').replaceAll(`${folder}/`, './');
}

/** Returns the end of a passed command's output: at most `max` characters, after lines that state what is left out. */
export function passedExcerpt(output: string, max: number): string {
  const lines = output.split('\n');
  const text = factLines(lines).join('\n');
  if (text.trim() === '') return endWithin(output, max);
  return `${lines.some(isPassed) ? `${NO_PASSED}\n` : ''}${endWithin(text, max)}`;
}

/** The end of the output, after a line that states whether the beginning is missing. */
function endWithin(output: string, max: number): string {
  return output.length <= max ? output : `${NO_BEGINNING}\n${endOf(output, max)}`;
}

/** The last `max` characters, from the start of a line if one starts in their first half. */
function endOf(output: string, max: number): string {
  if (output.length <= max) return output;
  const end = output.slice(-max);
  const line = end.indexOf('\n');
  return line >= 0 && line < max / 2 ? end.slice(line + 1) : end;
}

/** In the order of the output. Errors use the space that failed tests leave. */
function failureLines(lines: readonly string[], max: number): readonly string[] {
  const short = shortLines(lines, LONGEST_LINE);
  // The end may start within the last failure: its first line names the failure.
  const last = lastFailure(short);
  const picked = new Set<number>(last === null ? [] : [last]);
  let room = last === null ? max : max - (short[last]?.length ?? 0) - 1;
  for (const patterns of [FAILED, ERRORS]) {
    for (const at of linesAbout(short, patterns)) {
      if (picked.has(at)) continue;
      room -= (short[at]?.length ?? 0) + 1;
      if (room < 0) break;
      picked.add(at);
    }
  }
  return short.flatMap((line, at) => {
    if (!picked.has(at)) return [];
    return at === 0 || picked.has(at - 1) ? [line] : [GAP, line];
  });
}

/** The index of the line that states a failure if the lines after it to the end belong to it. */
function lastFailure(lines: readonly string[]): number | null {
  const at = lines.findLastIndex((line) => statesOne(line, FAILED));
  return at < 0 || lines.length - at > FOLLOWING ? null : at;
}

const statesOne = (line: string, patterns: readonly RegExp[]): boolean =>
  !NOT_ONE.test(line) && patterns.some((pattern) => pattern.test(line));

/** The lines that one of the patterns describes, each with those that follow it. */
function* linesAbout(lines: readonly string[], patterns: readonly RegExp[]): Generator<number> {
  let until = -1;
  for (const [at, line] of lines.entries()) {
    if (statesOne(line, patterns)) until = at + FOLLOWING;
    if (at <= until) yield at;
  }
}
