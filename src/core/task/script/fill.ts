/** Replaces references by results before a step runs. A filled-in value is never searched for references again. */

import type { Json, JsonObject } from '../../../shared/task/tasks.ts';
import { shellQuote } from '../../text/shellQuote.ts';
import { FILLED_CHARACTERS } from './params.ts';
import {
  escapeReferences,
  type Piece,
  parsedOnce,
  pieces,
  resolveReference,
  type StepNames,
  valueAt,
} from './references.ts';

export type Filled =
  | { readonly ok: true; readonly params: JsonObject }
  | { readonly ok: false; readonly error: string };

/** Returns the value of a reference, or undefined to leave it unchanged. Throws a `Misfit` for a reference without a target. */
export type Values = (reference: string) => Json | undefined;

/** Fields that are not filled in, by action: they name steps, or contain an expression. */
const LEFT: Readonly<Record<string, readonly string[]>> = {
  conditional: ['condition', 'ifTrue', 'ifFalse'],
  aggregate: ['keys'],
};

/** A reference without a usable value. `message` is for a person. */
export class Misfit extends Error {
  override readonly name = 'Misfit';
}

/** Params of a step with the results of others. `resultOf`: null for a step without a result, which is filled in as empty text. */
export function fillParams(
  step: { readonly action: string; readonly params: JsonObject },
  names: StepNames,
  resultOf: (position: number) => Json,
): Filled {
  const known = new Map<string, Json>();
  const read = parsedOnce();
  const values: Values = (reference) => {
    const before = known.get(reference);
    if (before !== undefined) return before;
    const value = resultAt(reference, names, resultOf, read);
    known.set(reference, value);
    return value;
  };
  try {
    return { ok: true, params: fillWith(step, LEFT[step.action] ?? [], values) };
  } catch (thrown) {
    if (thrown instanceof Misfit) return { ok: false, error: thrown.message };
    throw thrown;
  }
}

/** A step without a result has null at any path. A result must have the requested path. */
export function resultAt(
  reference: string,
  names: StepNames,
  resultOf: (position: number) => Json,
  read: ReturnType<typeof parsedOnce>,
): Json {
  const target = resolveReference(reference, names);
  if ('problem' in target) throw new Misfit(target.problem);
  const result = resultOf(target.position);
  const value = result === null ? null : valueAt(result, target.path, read);
  if (value === undefined)
    throw new Misfit(`{{${reference}}}: the result of step ${target.position + 1} has no such part`);
  return value;
}

/**
 * Replaces the references in every text of a step's params except those of `left`. `keep`: the text will be filled in again, so references without a
 * value, and other text in braces, stay unchanged. Throws what `values` throws, and a `Misfit`.
 */
export function fillWith(
  { action, params }: { readonly action: string; readonly params: JsonObject },
  left: readonly string[],
  values: Values,
  keep: 'keep' | null = null,
): JsonObject {
  const mode: Mode = { values, keep, room: { characters: FILLED_CHARACTERS }, quote: null };
  const entries = Object.entries(params).map(([key, value]) => {
    if (left.includes(key)) return [key, value] as const;
    const quote = action === 'command' && key === 'command' ? shellWord : null;
    return [key, fillValue(value, { ...mode, quote })] as const;
  });
  return Object.fromEntries(entries);
}

interface Mode {
  readonly values: Values;
  readonly keep: 'keep' | null;
  readonly room: { characters: number };
  readonly quote: ((text: string) => string) | null;
}

function fillValue(value: Json, mode: Mode): Json {
  if (typeof value === 'string') return fillText(value, mode);
  if (Array.isArray(value)) return value.map((item: Json) => fillValue(item, mode));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fillValue(item, mode)]));
}

function fillText(text: string, mode: Mode): Json {
  const parts = pieces(text);
  const [only] = parts;
  const whole = only !== undefined && parts.length === 1 && 'reference' in only && mode.quote === null;
  const value = whole ? mode.values(only.reference) : undefined;
  if (value !== undefined) {
    take(mode, typeof value === 'string' ? value.length : JSON.stringify(value).length);
    return typeof value === 'string' ? asText(value, mode) : (value ?? '');
  }
  let filled = '';
  for (const piece of parts) {
    const put = putFor(piece, mode);
    take(mode, put.length);
    filled += put;
  }
  return filled;
}

function putFor(piece: Piece, mode: Mode): string {
  if ('text' in piece) return asText(piece.text, mode);
  const value = mode.values(piece.reference);
  if (value === undefined) return `{{${piece.reference}}}`;
  return asText(mode.quote === null ? textOf(value) : mode.quote(textOf(value)), mode);
}

const asText = (text: string, { keep }: Mode): string => (keep === null ? text : escapeReferences(text));

function take({ room }: Mode, characters: number): void {
  room.characters -= characters;
  if (room.characters >= 0) return;
  const most = FILLED_CHARACTERS.toLocaleString('en');
  throw new Misfit(`with the results filled in it has more than ${most} characters: name the part of them that counts`);
}

/** The value as text: empty for null, JSON for a value that is not text. */
export function textOf(value: Json): string {
  if (typeof value === 'string') return value;
  return value === null ? '' : JSON.stringify(value);
}

/** Quotes a text as one word of the shell: a result is never part of the command itself. */
function shellWord(text: string): string {
  if (text.includes('\0')) throw new Misfit('a NUL character cannot be part of a command');
  return shellQuote(text);
}
