/** Edits a text by its content: several edits at a time, all or none. Line ends do not count, and lines keep theirs. */
import { putLineEnds, replacedLineEnds, takeLineEnds, withLf } from './lineEnds.ts';
import { type MissingText, missingText } from './nearest/nearestText.ts';

export interface TextEdit {
  readonly old_string: string;
  readonly new_string: string;
  readonly replace_all: boolean;
}

/** Part of the new text that edits wrote, in characters of the text with LF. */
export interface EditedPart {
  readonly from: number;
  readonly to: number;
}

export type EditFault =
  | { readonly kind: 'empty' }
  /** The edit changes nothing. */
  | { readonly kind: 'same' }
  | { readonly kind: 'missing'; readonly nearest: MissingText | null }
  /** Lines, from 1, at which the text occurs. */
  | { readonly kind: 'ambiguous'; readonly lines: readonly number[] };

export type EditOutcome =
  | {
      readonly ok: true;
      readonly text: string;
      /** `text` with LF. */
      readonly shown: string;
      readonly replacements: number;
      /** In order, without overlaps. */
      readonly parts: readonly EditedPart[];
    }
  /** `at` is the index of the first edit that does not apply. */
  | { readonly ok: false; readonly at: number; readonly fault: EditFault };

/** Applies the edits in order: a later edit sees the result of an earlier one. */
export function applyEdits(text: string, edits: readonly TextEdit[]): EditOutcome {
  let current = takeLineEnds(text);
  let parts: readonly EditedPart[] = [];
  let replacements = 0;
  for (const [at, { old_string, new_string, replace_all }] of edits.entries()) {
    const edit = { old_string: withLf(old_string), new_string: withLf(new_string), replace_all };
    const places = placesOf(current.text, edit.old_string);
    const fault = faultOf(current.text, edit, places);
    if (fault !== null) return { ok: false, at, fault };
    parts = merged([...movedParts(parts, places, edit), ...writtenParts(places, edit)]);
    current = {
      text: current.text.replaceAll(edit.old_string, () => edit.new_string),
      crlf: replacedLineEnds(current, places, edit.old_string, edit.new_string),
    };
    replacements += places.length;
  }
  return { ok: true, text: putLineEnds(current), shown: current.text, replacements, parts };
}

function faultOf(text: string, edit: TextEdit, places: readonly number[]): EditFault | null {
  if (edit.old_string === '') return { kind: 'empty' };
  if (edit.old_string === edit.new_string) return { kind: 'same' };
  if (places.length === 0) return { kind: 'missing', nearest: missingText(text, edit.old_string) };
  if (places.length === 1 || edit.replace_all) return null;
  return { kind: 'ambiguous', lines: places.map((place) => lineAt(text, place)) };
}

/** Start positions of `part`, from left to right, without overlaps. */
function placesOf(text: string, part: string): readonly number[] {
  const places: number[] = [];
  if (part === '') return places;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) places.push(at);
  return places;
}

/** The number of the line, from 1, that a character is in. */
export function lineAt(text: string, at: number): number {
  let line = 1;
  for (let end = text.indexOf('\n'); end >= 0 && end < at; end = text.indexOf('\n', end + 1)) line++;
  return line;
}

/** Moves the ranges that earlier edits wrote to their positions after this edit. */
function movedParts(parts: readonly EditedPart[], places: readonly number[], edit: TextEdit): EditedPart[] {
  const grown = edit.new_string.length - edit.old_string.length;
  const moved = (at: number): number => at + grown * countUpTo(places, at - edit.old_string.length);
  return parts.map(({ from, to }) => ({ from: moved(from), to: Math.max(moved(from), moved(to)) }));
}

/** How many of the sorted numbers are at most `limit`. */
function countUpTo(sorted: readonly number[], limit: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

function writtenParts(places: readonly number[], { old_string, new_string }: TextEdit): EditedPart[] {
  const grown = new_string.length - old_string.length;
  return places.map((place, index) => {
    const from = place + index * grown;
    return { from, to: from + new_string.length };
  });
}

function merged(parts: readonly EditedPart[]): readonly EditedPart[] {
  const kept: EditedPart[] = [];
  for (const part of [...parts].sort((a, b) => a.from - b.from)) {
    const last = kept.at(-1);
    if (last === undefined || part.from > last.to) kept.push(part);
    else kept[kept.length - 1] = { from: last.from, to: Math.max(last.to, part.to) };
  }
  return kept;
}
