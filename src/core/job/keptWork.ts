/**
 * Format of an attempt's saved work in `.autonomous/attempts`: the tree at its end, as patches on a commit of the user's repository. The attempt can
 * be restored from it without any clone. One line of JSON, then the patches' bytes; a tree's id proves each step.
 */
import { failure } from '../../shared/errors.ts';
import { type Fields, isFields, parseJson } from '../text/json.ts';

const KEPT_VERSION = 1;
const NEWLINE = 10;

/** Default branch for a restored attempt. */
export const restoredBranch = (attempt: number): string => `autonomous/attempt-${attempt}`;

export interface KeptStep {
  /** Git's id of the tree after the patch. */
  readonly tree: string;
  /** For `git apply`, including binary files. Empty if the step changed nothing. */
  readonly patch: Uint8Array;
}

export interface KeptWork {
  readonly attempt: number;
  readonly job: string;
  /** Commit of the user's repository that all patches are based on. */
  readonly origin: string;
  /** The saved attempt whose result it started with. Null if `start` is a patch on the origin. */
  readonly after: number | null;
  /** The tree at its start. The patch is empty after another attempt. */
  readonly start: KeptStep;
  /** The changes of the attempt. */
  readonly work: KeptStep;
}

const HASH = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;

const isHash = (value: unknown): value is string => typeof value === 'string' && HASH.test(value);
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

export function keptBytes({ attempt, job, origin, after, start, work }: KeptWork): Uint8Array {
  const step = ({ tree, patch }: KeptStep) => ({ tree, bytes: patch.length });
  const header = { v: KEPT_VERSION, attempt, job, origin, after, start: step(start), work: step(work) };
  return Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), start.patch, work.patch]);
}

function damaged(what: string): Error {
  return failure('STATE_DAMAGED', `what was kept of an attempt cannot be read: ${what}`);
}

function stepSize(value: unknown): { readonly tree: string; readonly bytes: number } {
  if (!isFields(value) || !isHash(value['tree']) || !isCount(value['bytes'])) throw damaged('a tree is missing');
  return { tree: value['tree'], bytes: value['bytes'] };
}

function headerOf(line: string): Fields {
  const value = parseJson(line);
  if (isFields(value)) return value;
  throw damaged('its first line is not a header');
}

/** Throws STATE_DAMAGED, and STATE_NEWER for a form of a later version. */
export function parseKept(data: Uint8Array): KeptWork {
  const end = data.indexOf(NEWLINE);
  const header = headerOf(Buffer.from(data.subarray(0, Math.max(0, end))).toString('utf8'));
  const { v, attempt, job, origin, after } = header;
  if (typeof v === 'number' && v > KEPT_VERSION)
    throw failure('STATE_NEWER', 'what was kept of an attempt is of a newer version of Autonomous');
  if (v !== KEPT_VERSION || !isCount(attempt) || typeof job !== 'string' || !isHash(origin))
    throw damaged('its header is not whole');
  if (after !== null && !isCount(after)) throw damaged('its header is not whole');
  const [start, work] = [stepSize(header['start']), stepSize(header['work'])];
  const from = end + 1;
  if (data.length !== from + start.bytes + work.bytes) throw damaged('its length differs from its header');
  const middle = from + start.bytes;
  return {
    attempt,
    job,
    origin,
    after,
    start: { tree: start.tree, patch: data.subarray(from, middle) },
    work: { tree: work.tree, patch: data.subarray(middle) },
  };
}
