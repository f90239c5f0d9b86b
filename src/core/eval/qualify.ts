/** Decides which commits of a history become tasks of an eval, and composes the brief of each. */
import { fileKind } from './testFiles.ts';

export interface ChangedFile {
  readonly path: string;
  /** Added and removed lines. Null for a binary file. */
  readonly lines: number | null;
}

export interface HistoryCommit {
  readonly id: string;
  readonly parents: readonly string[];
  readonly message: string;
  readonly files: readonly ChangedFile[];
}

export interface Qualified {
  readonly title: string;
  /** The commit's message without its trailers. */
  readonly brief: string;
  readonly category: string;
}

const MAX_FILES = 30;
const MAX_LINES = 1_000;
const MIN_BRIEF = 10;
const MAX_TITLE = 120;

/** Returns the reason why the commit cannot be a task, in a few words. */
export function qualify(commit: HistoryCommit): Qualified | { readonly refused: string } {
  if (commit.parents.length !== 1)
    return { refused: commit.parents.length === 0 ? 'it is the first commit' : 'it is a merge' };
  const kinds = commit.files.map(({ path }) => fileKind(path));
  if (kinds.every((kind) => kind === 'lock')) return { refused: 'it changes only lock files' };
  if (!kinds.includes('test')) return { refused: 'it changes no test' };
  if (!kinds.includes('code')) return { refused: 'it changes no code' };
  const counted = commit.files.filter((_, index) => kinds[index] !== 'lock');
  if (counted.length > MAX_FILES) return { refused: `it changes more than ${MAX_FILES} files` };
  if (counted.reduce((sum, { lines }) => sum + (lines ?? 0), 0) > MAX_LINES)
    return { refused: `it changes more than ${MAX_LINES} lines` };
  const brief = briefOf(commit.message);
  if (brief.length < MIN_BRIEF) return { refused: 'its message is too short to be a brief' };
  return { title: titleOf(brief), brief, category: categoryOf(commit.files) };
}

const TRAILER = /^[A-Za-z][A-Za-z0-9-]*: \S.*$/;
/** Trailers that stand alone in a message of one paragraph too. */
const KNOWN_TRAILER = /^(?:Signed-off-by|Co-authored-by|Reviewed-by|Acked-by|Tested-by|Change-Id|Cc|Autonomous-Job): /i;

/** The message without the trailers of its last paragraph, and without the number of a pull request. */
export function briefOf(message: string): string {
  const paragraphs = message
    .replaceAll('\r\n', '\n')
    .trim()
    .split(/\n\s*\n/);
  const last = (paragraphs.at(-1) ?? '').split('\n');
  const isTrailers = paragraphs.length > 1 && last.every((line) => TRAILER.test(line) || /^\s+\S/.test(line));
  const kept = isTrailers ? paragraphs.slice(0, -1) : paragraphs;
  const lines = kept
    .join('\n\n')
    .split('\n')
    .filter((line) => !KNOWN_TRAILER.test(line));
  return lines
    .join('\n')
    .replace(/ \(#\d+\)$/m, '')
    .trim();
}

export function titleOf(brief: string): string {
  const [first = ''] = brief.split('\n');
  return first.length <= MAX_TITLE ? first : `${first.slice(0, MAX_TITLE - 1)}…`;
}

/** The top folder with most of the changed lines of code. `.` for files of the top itself. */
export function categoryOf(files: readonly ChangedFile[]): string {
  const lines = new Map<string, number>();
  for (const { path, lines: changed } of files) {
    if (fileKind(path) !== 'code') continue;
    const folder = path.includes('/') ? (path.split('/')[0] ?? '.') : '.';
    lines.set(folder, (lines.get(folder) ?? 0) + (changed ?? 1));
  }
  return [...lines].sort(([a, of], [b, than]) => than - of || (a < b ? -1 : 1))[0]?.[0] ?? '.';
}
