/**
 * References to results in the text of a step: `{{step_2_result}}`, `{{Step name}}`, both with a path into a JSON result, and the
 * blanks of a template, `{{params.x}}`. `\{{` is written where braces are meant as such.
 */
import { isNestedDeeper } from '../../../shared/jsonDepth.ts';
import { type Json, type JsonObject, TASK_LIMITS } from '../../../shared/task/tasks.ts';

/** One piece of a sequence of text and references. */
export type Piece = { readonly text: string } | { readonly reference: string };

/** The target of a reference: a step by its position from 0, and a path into its result. */
export interface Target {
  readonly position: number;
  readonly path: readonly (string | number)[];
}

export type Resolved = Target | { readonly problem: string };

/** Positions of steps by their names. */
export interface StepNames {
  readonly count: number;
  readonly positions: ReadonlyMap<string, number>;
}

/** A first step of that name counts; the check refuses a second one. */
export function stepNames(steps: readonly { readonly name: string }[]): StepNames {
  const positions = new Map<string, number>();
  for (const [position, { name }] of steps.entries()) if (!positions.has(name)) positions.set(name, position);
  return { count: steps.length, positions };
}

/** Most characters between the braces. */
const LONGEST = TASK_LIMITS.nameCharacters + 1_000;
const REFERENCE = /\\?\{\{([^{}]*)\}\}/g;
const BY_NUMBER = /^step_(\d{1,9})_result(?=$|[.[])/;
const PARAMETER = /^params\.([\s\S]*)$/;
const PATH_PART = /\.([^.[\]]+)|\[(\d{1,9})\]|\["([^"]*)"\]|\['([^']*)'\]/y;

export function pieces(text: string): readonly Piece[] {
  const found: Piece[] = [];
  let from = 0;
  for (const match of text.matchAll(REFERENCE)) {
    if (match.index > from) found.push({ text: text.slice(from, match.index) });
    from = match.index + match[0].length;
    if (match[0].startsWith('\\')) found.push({ text: match[0].slice(1) });
    else found.push({ reference: (match[1] ?? '').trim() });
  }
  if (from < text.length || found.length === 0) found.push({ text: text.slice(from) });
  return found;
}

/** Escapes text that looks like a reference, so that it is read as text. */
export const escapeReferences = (text: string): string => text.replace(/\{\{[^{}]*\}\}/g, '\\$&');

/** The name of a template's parameter, if the reference is to a parameter. */
export const parameterOf = (reference: string): string | null => PARAMETER.exec(reference)?.[1] ?? null;

/** Names that a reference by number or to a parameter would hide. */
export const isReservedName = (name: string): boolean => BY_NUMBER.test(name) || PARAMETER.test(name);

export function resolveReference(reference: string, { count, positions }: StepNames): Resolved {
  if (reference.length > LONGEST) return { problem: `the reference {{${reference.slice(0, 40)}…}} is too long` };
  const numbered = BY_NUMBER.exec(reference);
  if (numbered !== null) {
    const number = Number(numbered[1]);
    if (number < 1 || number > count) {
      return { problem: `{{${reference}}} refers to step ${number}, and there are ${count} steps` };
    }
    return withPath(reference, number - 1, reference.slice(numbered[0].length));
  }
  for (let end = reference.length; end > 0; end = boundaryBefore(reference, end)) {
    const position = positions.get(reference.slice(0, end).trimEnd());
    if (position !== undefined) return withPath(reference, position, reference.slice(end));
  }
  return { problem: `{{${reference}}} refers to nothing: there is no step of this name` };
}

/** A name may contain dots and brackets, so the longest name that fits counts. */
function boundaryBefore(reference: string, end: number): number {
  return Math.max(reference.lastIndexOf('.', end - 1), reference.lastIndexOf('[', end - 1));
}

function withPath(reference: string, position: number, text: string): Resolved {
  const path = pathOf(text);
  return path === null ? { problem: `the path of {{${reference}}} cannot be read` } : { position, path };
}

/** Returns null if the text is not a path. */
function pathOf(text: string): readonly (string | number)[] | null {
  const path: (string | number)[] = [];
  PATH_PART.lastIndex = 0;
  while (PATH_PART.lastIndex < text.length) {
    const part = PATH_PART.exec(text);
    if (part === null) return null;
    path.push(part[2] === undefined ? (part[1] ?? part[3] ?? part[4] ?? '') : Number(part[2]));
  }
  return path;
}

export type Path = readonly (string | number)[];

/** Each text in a value, with its path. */
function* textsIn(value: Json, path: Path = []): Generator<{ readonly path: Path; readonly text: string }> {
  if (typeof value === 'string') yield { path, text: value };
  else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* textsIn(item, [...path, index]);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) yield* textsIn(item, [...path, key]);
  }
}

export interface Use {
  readonly path: Path;
  readonly reference: string;
}

/** Yields the references in a step's params: in braces in any text; in the keys of an `aggregate` and in a condition also without braces. */
export function* referencesIn(action: string, params: JsonObject): Generator<Use> {
  for (const { path, text } of textsIn(params)) {
    if (action === 'aggregate' && path[0] === 'keys') {
      yield { path, reference: keyReference(text) };
      continue;
    }
    for (const piece of pieces(text)) if ('reference' in piece) yield { path, reference: piece.reference };
    if (action === 'conditional' && path[0] === 'condition') {
      for (const reference of variablesIn(text)) yield { path, reference };
    }
  }
}

/** `step_1_result` and `results["Step name"]` in a condition; one in a quoted text counts too, which only orders more than it must. */
function* variablesIn(condition: string): Generator<string> {
  for (const [variable] of condition.matchAll(/\bstep_\d{1,9}_result\b/g)) yield variable;
  for (const [, quoted = ''] of condition.matchAll(/\bresults\s*\[\s*("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')/g)) {
    yield quoted.slice(1, -1).replace(/\\(.)/g, '$1');
  }
}

/** `Step name`, `step_1_result` and both in braces. */
export function keyReference(key: string): string {
  const [only, ...more] = pieces(key);
  return only !== undefined && more.length === 0 && 'reference' in only ? only.reference : key.trim();
}

type Read = (text: string) => Json | undefined;

/** Caches `parsed` for each text: a thousand references may read one long result. */
export function parsedOnce(): Read {
  const known = new Map<string, Json | undefined>();
  return (text) => {
    if (!known.has(text)) known.set(text, parsed(text));
    return known.get(text);
  };
}

/** The value at a path, or undefined if the path leads nowhere. Text that is JSON is parsed on the way. */
export function valueAt(value: Json, path: readonly (string | number)[], read: Read): Json | undefined {
  let at: Json | undefined = value;
  for (const part of path) {
    if (typeof at === 'string') at = read(at);
    if (typeof at !== 'object' || at === null) return undefined;
    if (Array.isArray(at)) at = typeof part === 'number' ? (at[part] as Json | undefined) : undefined;
    else at = Object.hasOwn(at, part) ? ((at as JsonObject)[part] as Json) : undefined;
  }
  return at;
}

/** Parses JSON in a text. Undefined if there is none, or it cannot be written back. Models often wrap JSON in a code fence. */
export function parsed(text: string): Json | undefined {
  const bare = /^\s*```(?:json)?\n([\s\S]*?)\n?```\s*$/.exec(text)?.[1] ?? text;
  if (isNestedDeeper(bare, TASK_LIMITS.resultDepth)) return undefined;
  try {
    return JSON.parse(bare) as Json;
  } catch {
    return undefined;
  }
}
