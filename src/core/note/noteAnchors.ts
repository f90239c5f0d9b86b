/** Finds the current position of a note by its line and that line's content, after the text around it changed. */
import type { NoteRow } from '../../shared/note.ts';

export interface NotePosition {
  /** 1 is the first line of the text. */
  readonly line: number;
  /** The noted line no longer exists: the position is approximate. */
  readonly outdated: boolean;
}

/** A text as lines, so that an open document need not be copied. */
export interface Lines {
  readonly count: number;
  /** 0 is the first. */
  at(index: number): string;
}

export function linesOf(text: string): Lines {
  const lines = text.split(/\r?\n/);
  return { count: lines.length, at: (index) => lines[index] ?? '' };
}

/** Characters: a minified file has one line. */
const MAX_ANCHOR = 1_000;

/** The content of a noted line that is stored to find it again. Null for a blank line, which would match anywhere. */
export function anchorOf(line: string): string | null {
  const text = line.trim().slice(0, MAX_ANCHOR).trim();
  return text === '' ? null : text;
}

/** Indentation does not count. Of several lines with the noted content the nearest is taken, the earlier of two as near. */
export function placeNote(note: Pick<NoteRow, 'line' | 'anchor'>, lines: Lines): NotePosition {
  const noted = Math.max(1, note.line ?? 1);
  const inside = Math.min(noted, Math.max(1, lines.count));
  const anchor = note.anchor === null ? null : anchorOf(note.anchor);
  if (anchor === null) return { line: inside, outdated: noted > lines.count };
  const isIt = (line: number): boolean => line >= 1 && line <= lines.count && anchorOf(lines.at(line - 1)) === anchor;
  const farthest = Math.max(noted, lines.count);
  for (let distance = 0; distance <= farthest; distance++) {
    if (isIt(noted - distance)) return { line: noted - distance, outdated: false };
    if (isIt(noted + distance)) return { line: noted + distance, outdated: false };
  }
  return { line: inside, outdated: true };
}
