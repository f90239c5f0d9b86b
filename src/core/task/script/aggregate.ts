/** The results of several steps as one: their texts after each other, their objects in one, or a list of them. */
import { type Json, type JsonObject, TASK_LIMITS } from '../../../shared/task/tasks.ts';
import { Misfit, resultAt, textOf } from './fill.ts';
import type { ParamsOf } from './params.ts';
import { keyReference, parsed, parsedOnce, type StepNames } from './references.ts';

export type Aggregated = { readonly ok: true; readonly result: Json } | { readonly ok: false; readonly error: string };

/** Steps without a result add nothing. */
export function aggregate(
  { keys, operation, separator }: ParamsOf<'aggregate'>,
  names: StepNames,
  resultOf: (position: number) => Json,
): Aggregated {
  try {
    const values = gather(keys, names, resultOf);
    switch (operation) {
      case 'concat':
        return { ok: true, result: values.map(textOf).join(separator) };
      case 'merge':
        return { ok: true, result: merged(values) };
      case 'list':
        return { ok: true, result: values };
    }
  } catch (thrown) {
    if (thrown instanceof Misfit) return { ok: false, error: thrown.message };
    throw thrown;
  }
}

/** The size is checked before the results are combined: one long result may be named a thousand times. */
function gather(keys: readonly string[], names: StepNames, resultOf: (position: number) => Json): readonly Json[] {
  let characters = 0;
  const lengths = new Map<Json, number>();
  const read = parsedOnce();
  return keys.flatMap((key) => {
    const value = resultAt(keyReference(key), names, resultOf, read);
    if (value === null) return [];
    const length = lengths.get(value) ?? textOf(value).length;
    lengths.set(value, length);
    characters += length;
    if (characters <= TASK_LIMITS.resultBytes) return [value];
    throw new Misfit(`the results are longer than ${TASK_LIMITS.resultBytes.toLocaleString('en')} bytes together`);
  });
}

/** If two results have the same field, the later step's value counts. */
function merged(values: readonly Json[]): JsonObject {
  const fields = new Map<string, Json>();
  for (const value of values) {
    const object = objectOf(value);
    if (object === null) throw new Misfit('merge takes JSON objects, and one of the results is not an object');
    for (const [key, field] of Object.entries(object)) fields.set(key, field);
  }
  return Object.fromEntries(fields);
}

/** Also parses JSON in a text, the usual form of a model's result. */
function objectOf(value: Json): JsonObject | null {
  const json = typeof value === 'string' ? parsed(value) : value;
  return typeof json === 'object' && json !== null && !Array.isArray(json) ? (json as JsonObject) : null;
}
