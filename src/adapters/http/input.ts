/** Reads the input of a request within its limits and validates it against a schema. */
import type { Context } from 'hono';
import type { z } from 'zod';
import { messageOf } from '../../shared/errors.ts';
import { isNestedDeeper } from '../../shared/jsonDepth.ts';
import { boundedBody } from '../loopback/body.ts';
import type { Refusal } from './errors.ts';
import { API_LIMITS } from './limits.ts';

/** Above this, only the number of further problems is given. */
const MOST_PROBLEMS = 50;

export type Read = { readonly value: unknown } | { readonly refusal: Refusal };

const invalid = (message: string, problems: readonly string[]): { readonly refusal: Refusal } => ({
  refusal: { status: 400, code: 'INVALID_INPUT', message, problems },
});

/**
 * The body as JSON; an empty body counts as an empty object. A body longer than `most` bytes is not read to its end.
 */
export async function readBody(c: Context, most: number): Promise<Read> {
  let body: Buffer | 'too_large' | 'no_room';
  try {
    body = await boundedBody(c.req.raw.body ?? new Blob([]).stream(), {
      declared: c.req.header('content-length'),
      maxBytes: most,
    });
  } catch (thrown) {
    // Usually this answer has no reader: the connection broke.
    return invalid('the body is incomplete', [messageOf(thrown)]);
  }
  if (typeof body === 'string') {
    return { refusal: { status: 413, code: 'TOO_LARGE', message: `the body is longer than ${most} bytes` } };
  }
  const text = new TextDecoder().decode(body);
  if (text === '') return { value: {} };
  const isJson = /^application\/json *(;.*)?$/i.test(c.req.header('content-type') ?? '');
  if (!isJson || c.req.header('content-encoding') !== undefined) {
    const message = 'the body must be application/json as it is, not encoded';
    return { refusal: { status: 415, code: 'UNSUPPORTED_MEDIA_TYPE', message } };
  }
  if (isNestedDeeper(text, API_LIMITS.bodyDepth))
    return invalid('the body is nested too deeply', [`at most ${API_LIMITS.bodyDepth} levels`]);
  try {
    return { value: JSON.parse(text) };
  } catch (thrown) {
    return invalid('the body is not JSON', [messageOf(thrown)]);
  }
}

/** Each name may occur once: a repeated name is ambiguous. */
export function readQuery(values: URLSearchParams): Read {
  const twice = [...values.keys()].filter((name, at, all) => all.indexOf(name) !== at);
  if (twice.length > 0) {
    return invalid(
      'the query is not right',
      [...new Set(twice)].map((name) => `${name} is given twice`),
    );
  }
  return { value: Object.fromEntries(values) };
}

export function parsed<S extends z.ZodType>(
  schema: S,
  read: Read,
  what: 'body' | 'query',
): { readonly value: z.output<S> } | { readonly refusal: Refusal } {
  if ('refusal' in read) return read;
  const result = schema.safeParse(read.value);
  if (result.success) return { value: result.data };
  return invalid(`the ${what} is not right`, problemsOf(result.error.issues));
}

function problemsOf(issues: readonly z.core.$ZodIssue[]): string[] {
  const all = issues.flatMap((issue) => sentences(issue, []));
  if (all.length <= MOST_PROBLEMS) return all;
  return [...all.slice(0, MOST_PROBLEMS), `and ${all.length - MOST_PROBLEMS} more`];
}

function sentences(issue: z.core.$ZodIssue, before: readonly PropertyKey[]): string[] {
  const path = [...before, ...issue.path];
  if (issue.code === 'invalid_union' && issue.errors.length > 0) {
    return nearest(issue.errors).flatMap((inner) => sentences(inner, path));
  }
  return [path.length === 0 ? issue.message : `${path.map(String).join('.')}: ${issue.message}`];
}

/** Selects the form with the fewest unknown fields: its issues match the intended form best. */
function nearest(forms: readonly (readonly z.core.$ZodIssue[])[]): readonly z.core.$ZodIssue[] {
  const foreign = (issues: readonly z.core.$ZodIssue[]): number =>
    issues.reduce((sum, issue) => sum + (issue.code === 'unrecognized_keys' ? issue.keys.length : 0), 0);
  return forms.toSorted((a, b) => foreign(a) - foreign(b) || a.length - b.length)[0] ?? [];
}
