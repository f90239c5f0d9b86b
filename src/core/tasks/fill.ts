/** Results in the place of references, before a step is carried out. What is filled in is never looked through for references again. */
import type { Json, JsonObject } from '../../shared/tasks.ts';
import { FILLED_CHARACTERS } from './params.ts';
import { type Piece, pieces, resolveReference, type StepNames, valueAt } from './references.ts';

export type Filled =
  | { readonly ok: true; readonly params: JsonObject }
  | { readonly ok: false; readonly error: string };

/** What a reference stands for; undefined leaves it as it is written. Throws a `Misfit` for one that stands for nothing. */
export type Values = (reference: string) => Json | undefined;

/** Fields that are no text to fill in, by action: they name steps, or are an expression of their own. */
const LEFT: Readonly<Record<string, readonly string[]>> = {
  conditional: ['condition', 'ifTrue', 'ifFalse'],
  aggregate: ['keys'],
};

/** A reference that nothing can be put in the place of; `message` is for a person. */
export class Misfit extends Error {
  override readonly name = 'Misfit';
}

/** Params of a step with the results of others. `resultOf`: null for a step that gave nothing, which fills in as no text. */
export function fillParams(
  step: { readonly action: string; readonly params: JsonObject },
  names: StepNames,
  resultOf: (position: number) => Json,
): Filled {
  const known = new Map<string, Json>();
  const values: Values = (reference) => {
    const before = known.get(reference);
    if (before !== undefined) return before;
    const value = resultAt(reference, names, resultOf);
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

/** A step that gave nothing has nothing at any path; one that gave something must have what is asked for. */
export function resultAt(reference: string, names: StepNames, resultOf: (position: number) => Json): Json {
  const target = resolveReference(reference, names);
  if ('problem' in target) throw new Misfit(target.problem);
  const result = resultOf(target.position);
  const value = result === null ? null : valueAt(result, target.path);
  if (value === undefined)
    throw new Misfit(`{{${reference}}}: the result of step ${target.position + 1} has no such part`);
  return value;
}

/** Every text of a step's params but those of `left`, with values in the place of references. Throws what `values` throws, and a `Misfit`. */
export function fillWith(
  { action, params }: { readonly action: string; readonly params: JsonObject },
  left: readonly string[],
  values: Values,
): JsonObject {
  const room = { characters: FILLED_CHARACTERS };
  const entries = Object.entries(params).map(([key, value]) => {
    if (left.includes(key)) return [key, value] as const;
    const quote = action === 'command' && key === 'command';
    return [key, fillValue(value, values, quote ? shellWord : null, room)] as const;
  });
  return Object.fromEntries(entries);
}

interface Room {
  characters: number;
}
type Quote = ((text: string) => string) | null;

function fillValue(value: Json, values: Values, quote: Quote, room: Room): Json {
  if (typeof value === 'string') return fillText(value, values, quote, room);
  if (Array.isArray(value)) return value.map((item: Json) => fillValue(item, values, quote, room));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fillValue(item, values, quote, room)]));
}

function fillText(text: string, values: Values, quote: Quote, room: Room): Json {
  const parts = pieces(text);
  const [only] = parts;
  if (quote === null && parts.length === 1 && only !== undefined && 'reference' in only) {
    const value = values(only.reference);
    const kept = value === undefined ? written(only) : (value ?? '');
    take(room, typeof kept === 'string' ? kept.length : JSON.stringify(kept).length);
    return kept;
  }
  let filled = '';
  for (const piece of parts) {
    const value = 'text' in piece ? piece.text : values(piece.reference);
    const put =
      value === undefined ? written(piece) : 'text' in piece || quote === null ? textOf(value) : quote(textOf(value));
    take(room, put.length);
    filled += put;
  }
  return filled;
}

const written = (piece: Piece): string => ('text' in piece ? piece.text : `{{${piece.reference}}}`);

function take(room: Room, characters: number): void {
  room.characters -= characters;
  if (room.characters >= 0) return;
  const most = FILLED_CHARACTERS.toLocaleString('en');
  throw new Misfit(`with the results filled in it has more than ${most} characters: name the part of them that counts`);
}

/** As it stands in a text: nothing for null, JSON for what is no text. */
export function textOf(value: Json): string {
  if (typeof value === 'string') return value;
  return value === null ? '' : JSON.stringify(value);
}

/** One word of the shell whatever the text holds: a result is never part of a command itself. */
function shellWord(text: string): string {
  if (text.includes('\0')) throw new Misfit('a NUL character cannot be part of a command');
  return `'${text.replaceAll("'", "'\\''")}'`;
}
