/**
 * Checks a step's result against a JSON Schema: the subset with a clear meaning and a cheap check. Unknown keywords are refused instead of ignored.
 */
import { fromJSONSchema, type z } from 'zod';
import type { Json, JsonObject } from '../../../shared/task/tasks.ts';
import { parsed } from './references.ts';

const MOST_NODES = 1_000;
const MOST_DEPTH = 20;
/** Limit of schema parts times values of a result: each part may be checked against each value, and the thread is blocked meanwhile. */
const MOST_CHECKS = 1_000_000;

/** Keywords for people, without an effect on the check. */
const ANNOTATIONS = ['$schema', '$comment', 'title', 'description', 'default', 'examples', 'deprecated'];
/** Keywords by the type that they require. */
const BY_TYPE: Readonly<Record<string, readonly string[]>> = {
  object: ['properties', 'required', 'additionalProperties', 'minProperties', 'maxProperties'],
  array: ['items', 'minItems', 'maxItems'],
  string: ['minLength', 'maxLength', 'format'],
  number: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  integer: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  boolean: [],
  null: [],
};
const ANY_TYPE = ['type', 'enum', 'const', 'anyOf', 'oneOf', 'allOf'];
const FORMATS = ['date-time', 'date', 'time', 'email', 'uri', 'uuid'];

class Refused extends Error {}

interface SchemaLimits {
  nodes: number;
  /** Values that `enum` and `const` name. */
  named: number;
}

interface Checker {
  readonly type: z.ZodType;
  readonly parts: number;
}

/** Returns the fault of a schema, or null if it can be checked. */
export function schemaProblem(schema: JsonObject): string | null {
  const made = checkerOf(schema);
  return made instanceof Error ? made.message : null;
}

export type Met = { readonly ok: true; readonly result: Json } | { readonly ok: false; readonly error: string };

/** A text that is JSON, as models often return it, is parsed if the schema does not accept a text. */
export function meetSchema(schema: JsonObject, result: Json): Met {
  const checker = checkerOf(schema);
  if (checker instanceof Error) return { ok: false, error: checker.message };
  const { type, parts } = checker;
  const json = typeof result === 'string' ? parsed(result) : undefined;
  const most = Math.floor(MOST_CHECKS / parts);
  if (hasMoreThan(json ?? result, most)) {
    return { ok: false, error: `the result has more than ${most} values, too many for a schema of ${parts} parts` };
  }
  const asIs = type.safeParse(result);
  if (asIs.success) return { ok: true, result };
  const asJson = json === undefined ? asIs : type.safeParse(json);
  if (asJson.success && json !== undefined) return { ok: true, result: json };
  const issue = asJson.error?.issues[0];
  if (typeof result === 'string' && json === undefined && issue?.code === 'invalid_type') {
    return {
      ok: false,
      error: `the result does not meet its schema: it is text and no JSON, where ${issue.expected} is asked for`,
    };
  }
  const where = issue === undefined || issue.path.length === 0 ? '' : ` at ${issue.path.map(String).join('.')}`;
  return { ok: false, error: `the result does not meet its schema${where}: ${issue?.message ?? 'nothing is known'}` };
}

function hasMoreThan(value: Json, most: number): boolean {
  const open: Json[] = [value];
  for (let seen = 1; open.length > 0; seen++) {
    if (seen + open.length - 1 > most) return true;
    const one = open.pop();
    // Without spreading: a list may be longer than the maximum number of arguments.
    if (typeof one === 'object' && one !== null) for (const part of Object.values(one)) open.push(part as Json);
  }
  return false;
}

const made = new WeakMap<JsonObject, Checker | Error>();

function checkerOf(schema: JsonObject): Checker | Error {
  const checker = made.get(schema) ?? makeChecker(schema);
  made.set(schema, checker);
  return checker;
}

function makeChecker(schema: JsonObject): Checker | Error {
  try {
    const limits = { nodes: MOST_NODES, named: 0 };
    const known = knownPart(schema, 0, limits);
    const type = fromJSONSchema(known as Parameters<typeof fromJSONSchema>[0]);
    return { type, parts: MOST_NODES - limits.nodes + limits.named };
  } catch (thrown) {
    if (thrown instanceof Refused) return thrown;
    return new Error(`the schema cannot be used: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
  }
}

function knownPart(schema: Json | undefined, depth: number, limits: SchemaLimits): Json {
  if (typeof schema === 'boolean') return schema;
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema))
    throw new Refused('a schema is an object');
  if (depth > MOST_DEPTH) throw new Refused(`the schema is nested deeper than ${MOST_DEPTH} times`);
  if (--limits.nodes < 0) throw new Refused(`the schema has more than ${MOST_NODES} parts`);
  const object = schema as JsonObject;
  const types = typesOf(object);
  const words = [...ANY_TYPE, ...types.flatMap((type) => BY_TYPE[type] ?? [])];
  const entries = Object.entries(object).flatMap(([word, value]) => {
    if (ANNOTATIONS.includes(word)) return [];
    if (!words.includes(word)) throw new Refused(unknownWord(word, types));
    return [[word, partOf(word, value, depth + 1, limits)] as const];
  });
  return Object.fromEntries(entries);
}

function unknownWord(word: string, types: readonly string[]): string {
  if (word === '$ref' || word === '$defs') return `the schema may not use ${word}: write out the referenced schema`;
  const owners = Object.keys(BY_TYPE).filter((type) => BY_TYPE[type]?.includes(word));
  if (owners.length > 0) {
    return `${word} in a schema needs type: ${owners.join(' or ')}${types.length > 0 ? `, not ${types.join(', ')}` : ''}`;
  }
  return `${word} is not a word that schemas of results may use`;
}

function typesOf({ type }: JsonObject): readonly string[] {
  const types = type === undefined ? [] : Array.isArray(type) ? type : [type];
  return types.map((name: Json) => {
    if (typeof name === 'string' && Object.hasOwn(BY_TYPE, name)) return name;
    throw new Refused(`a schema's type is one of ${Object.keys(BY_TYPE).join(', ')}`);
  });
}

function partOf(word: string, value: Json, depth: number, limits: SchemaLimits): Json {
  switch (word) {
    case 'properties':
      return Object.fromEntries(
        Object.entries(objectAt(word, value)).map(([name, part]) => [name, knownPart(part, depth, limits)]),
      );
    case 'items':
    case 'additionalProperties':
      return knownPart(value, depth, limits);
    case 'anyOf':
    case 'oneOf':
    case 'allOf':
      return listAt(word, value).map((part) => knownPart(part, depth, limits));
    case 'required':
    case 'enum':
      limits.named += valuesIn(value);
      return listAt(word, value);
    case 'format':
      if (typeof value === 'string' && FORMATS.includes(value)) return value;
      throw new Refused(`format in a schema is one of ${FORMATS.join(', ')}`);
    case 'type':
    case 'const':
      limits.named += valuesIn(value);
      return value;
    default:
      if (typeof value === 'number') return value;
      throw new Refused(`${word} in a schema is a number`);
  }
}

/** Number of values in a list or an object. A single value is counted with its schema. */
function valuesIn(value: Json): number {
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce<number>((sum, part) => sum + 1 + valuesIn(part as Json), 0);
}

function objectAt(word: string, value: Json): JsonObject {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonObject;
  throw new Refused(`${word} in a schema is an object`);
}

function listAt(word: string, value: Json): readonly Json[] {
  if (Array.isArray(value) && value.length > 0) return value;
  if (Array.isArray(value) && word === 'required') return value;
  throw new Refused(`${word} in a schema is a list`);
}
