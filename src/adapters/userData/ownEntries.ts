/** Reads a file in which the user adds named entries, and finds the line of each fault. */
import { readFileSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { type Document, isMap, isNode, isScalar } from 'yaml';
import { z } from 'zod';
import { nearestName } from '../../core/text/nearest/nearestName.ts';
import { yamlDocument } from '../../core/text/yamlDocument.ts';
import { errnoOf } from '../../shared/errors.ts';
import { platform } from '../platform/platform.ts';

const MAX_BYTES = 256 * 1024;
const MAX_ENTRIES = 200;

/** The text, or why it is not read; null if there is no such file. */
export type OwnText = { readonly text: string } | { readonly fault: string | null };

/** A program of such a file runs as the file's owner, so a file that other users may write is not read. */
export function ownText(file: string): OwnText {
  const name = basename(file);
  try {
    const { size, mode } = statSync(file);
    if (size > MAX_BYTES) return { fault: `${name} is larger than ${MAX_BYTES / 1024} KiB` };
    if (platform.hasModes && (mode & 0o022) !== 0)
      return { fault: `${name} may be written by others, so it is not read: chmod 600 ${file}` };
    return { text: readFileSync(file, 'utf8') };
  } catch (thrown) {
    const code = String(errnoOf(thrown) ?? thrown);
    return { fault: code === 'ENOENT' ? null : `${name} cannot be read: ${code}` };
  }
}

export interface OwnEntries<T> {
  readonly entries: Readonly<Record<string, T>>;
  /** Problems of entries, one sentence each, with the line. */
  readonly faults: readonly string[];
  /** Names of the entries that are ignored. */
  readonly refused: ReadonlySet<string>;
}

export interface EntryRules<T> {
  /** Name of the file. */
  readonly file: string;
  /** What an entry is, for errors: `agent`. */
  readonly of: string;
  readonly schema: z.ZodType<T>;
  /** Why an entry cannot have this name; null if it can. */
  readonly nameFault: (name: string) => string | null;
}

export function entriesIn<T>(text: string, rules: EntryRules<T>): OwnEntries<T> {
  const { file, of } = rules;
  const { document, lines } = yamlDocument(text);
  const at = (offset: number): string => `${file} line ${lines.linePos(offset).line}`;
  const [error] = document.errors;
  const none = (...faults: string[]) => ({ entries: {}, refused: new Set<string>(), faults });
  if (error !== undefined) return none(`${at(error.pos[0])}: ${error.message.split('\n')[0]}`);
  if (document.contents === null) return none();
  if (!isMap(document.contents)) return none(`${file} line 1: it is a mapping of names to ${of}s`);
  const { items } = document.contents;
  if (items.length > MAX_ENTRIES) return none(`${file} has ${items.length} ${of}s, at most ${MAX_ENTRIES} are taken`);
  const values = plainValues(document);
  if (values === null) return none(`${file} has an alias that leads nowhere, or too far`);
  const entries: Record<string, T> = {};
  const faults: string[] = [];
  const refused = new Set<string>();
  for (const { key } of items) {
    const name = isScalar(key) ? String(key.value) : '';
    const judged = judge(document, values, name, rules);
    if ('entry' in judged) entries[name] = judged.entry;
    else {
      refused.add(name);
      const start = isNode(judged.node) ? judged.node.range?.[0] : undefined;
      faults.push(`${at(start ?? (isNode(key) ? (key.range?.[0] ?? 0) : 0))}: ${name}: ${judged.what}`);
    }
  }
  return { entries, faults, refused };
}

/** Returns null if its aliases cannot be resolved. */
function plainValues(document: Document): Readonly<Record<string, unknown>> | null {
  try {
    return document.toJS({ maxAliasCount: 100 }) as Readonly<Record<string, unknown>>;
  } catch (thrown) {
    if (thrown instanceof ReferenceError) return null;
    throw thrown;
  }
}

type Judged<T> = { readonly entry: T } | { readonly what: string; readonly node: unknown };

function judge<T>(
  document: Document,
  values: Readonly<Record<string, unknown>>,
  name: string,
  { of, schema, nameFault }: EntryRules<T>,
): Judged<T> {
  const fault = nameFault(name);
  if (fault !== null) return { what: fault, node: null };
  const parsed = schema.safeParse(values[name]);
  if (parsed.success) return { entry: parsed.data };
  const [issue] = parsed.error.issues;
  const unknown = issue?.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [];
  const path = [...(issue?.path ?? []), ...unknown];
  const where = path.length === 0 ? '' : `${path.join('.')}: `;
  const near = unknown[0] === undefined ? null : nearestName(unknown[0], keysOf(schema));
  const meant = near === null ? '' : ` (did you mean ${near}?)`;
  return {
    what: `${where}${issue === undefined ? `not a valid ${of}` : issueText(issue)}${meant}`,
    node: keyNode(document, [name, ...path]),
  };
}

/** What is wrong, in the words of the schema. */
export const issueText = (issue: z.core.$ZodIssue): string =>
  issue.code === 'invalid_key' ? (issue.issues[0]?.message ?? issue.message) : issue.message;

const keysOf = (schema: z.ZodType): readonly string[] =>
  schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];

/** The nearest existing node on the way to a path. */
function keyNode(document: Document, path: readonly PropertyKey[]): unknown {
  for (let length = path.length; length > 1; length--) {
    const node: unknown = document.getIn(path.slice(0, length), true);
    if (isNode(node)) return node;
  }
  return null;
}
