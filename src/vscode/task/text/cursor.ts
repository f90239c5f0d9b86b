/**
 * Finds the position of the cursor in a task's YAML by lines and indentation alone, because incomplete text seldom parses. Lines and columns are
 * zero-based. Independent of the editor.
 */

export type Path = readonly (string | number)[];

export interface Cursor {
  /** `word`: of a mapping's key or of a list's item, whichever the path allows. `reference`: between `{{` and `}}`. */
  readonly kind: 'word' | 'value' | 'reference' | 'none';
  /** For a word that may become a key, the path of its mapping. */
  readonly path: Path;
  /** The text before the cursor, starting at `from`. */
  readonly typed: string;
  readonly from: number;
  /** End of the replaced range. */
  readonly to: number;
}

interface Line {
  /** Column of the first sign. */
  readonly first: number;
  readonly dash: number | null;
  readonly key: string | null;
  readonly keyAt: number;
  readonly value: string;
}

const LINE = /^(\s*)(-\s+|-$)?(?:("[^"]*"|'[^']*'|[^\s#"'[\]{}][^:#]*?)\s*:(?=\s|$)\s*(.*)|.*)$/;
const BLOCK = /^[|>][+-]?\d?\s*(?:#.*)?$/;

function lineOf(text: string): Line | null {
  if (/^\s*(?:#.*)?$/.test(text)) return null;
  const [, blank = '', dash, key, value = ''] = LINE.exec(text) ?? [];
  const first = blank.length;
  return {
    first,
    dash: dash === undefined ? null : first,
    key: key === undefined ? null : unquoted(key),
    keyAt: first + (dash?.length ?? 0),
    value,
  };
}

const unquoted = (text: string): string => text.replace(/^(["'])(.*)\1$/, '$2');

/** The keys above a position at a column, and whether it is inside a block of text. `dash`: column of the item that starts at the position. */
function above(lines: readonly string[], from: number, column: number, dash: number | null) {
  const path: (string | number)[] = [];
  let [limit, item, index, inText] = [column, dash, 0, false];
  for (let at = from - 1; at >= 0 && (limit > 0 || item !== null); at--) {
    const line = lineOf(lines[at] ?? '');
    if (line === null) continue;
    if (item !== null && line.dash === item) index++;
    else if (item === null && line.keyAt === limit && line.dash !== null) [item, index] = [line.dash, 0];
    else if (line.key !== null && (item === null ? line.keyAt < limit : line.first <= item)) {
      path.unshift(...(item === null ? [line.key] : [line.key, index]));
      inText ||= BLOCK.test(line.value);
      [limit, item, index] = [line.keyAt, line.dash, 0];
    }
  }
  if (item !== null) path.unshift(index);
  return { path, inText };
}

export function cursorAt(text: string, line: number, column: number): Cursor {
  const lines = text.split(/\r?\n/);
  const whole = lines[line] ?? '';
  const before = whole.slice(0, column);
  const found = lineOf(before.trimEnd() === '' ? `${before}x` : before);
  const none: Cursor = { kind: 'none', path: [], typed: '', from: column, to: column };
  if (found === null) return none;
  const { path, inText } = above(lines, line, found.keyAt, found.dash);
  const open = before.lastIndexOf('{{');
  if (open > before.lastIndexOf('}}')) {
    const typed = before.slice(open + 2).trimStart();
    const rest = /^[^{}\n]*/.exec(whole.slice(column))?.[0] ?? '';
    const to = whole.startsWith('}}', column + rest.length) ? column + rest.trimEnd().length : column;
    return {
      kind: 'reference',
      path: inText || found.key === null ? path : [...path, found.key],
      typed,
      from: column - typed.length,
      to,
    };
  }
  if (inText) return none;
  if (found.key === null) {
    const typed = before.slice(found.keyAt);
    return { kind: 'word', path, typed, from: found.keyAt, to: endOf(whole, column) };
  }
  if (!/:\s/.test(before.slice(found.keyAt))) return none;
  return valueAt(whole, column, before.length - found.value.length, found.value, [...path, found.key]);
}

/** In a list on one line, the last item is being typed. */
function valueAt(whole: string, column: number, begin: number, value: string, path: Path): Cursor {
  const list = value.startsWith('[') ? Math.max(value.lastIndexOf(','), 0) + 1 : 0;
  const blank = /^\s*["']?/.exec(value.slice(list))?.[0].length ?? 0;
  const from = begin + list + blank;
  const typed = whole.slice(from, column);
  const at: Path = list > 0 ? [...path, value.split(',').length - 1] : path;
  return { kind: 'value', path: at, typed, from, to: endOf(whole, column) };
}

/** The end of the word at the cursor. */
function endOf(whole: string, column: number): number {
  return column + (/^[^\s,:\]}"'#]*/.exec(whole.slice(column))?.[0].length ?? 0);
}
