/** What no parser may do, whatever it reads: crash, touch what all objects share, hand on what an input made of a prototype, or take long. */
import { ERROR_TRAITS } from '../../../src/shared/errors.ts';
import { LONG, randomOf } from '../../support/suite/proof.ts';
import { mutated, pumped } from './inputs.ts';

export interface Parser {
  readonly name: string;
  /** Texts that it takes. */
  readonly corpus: readonly string[];
  /** Words of its language. */
  readonly words?: readonly string[];
  /** What becomes of a text. A typed failure is an answer; anything else that is thrown is a crash. */
  readonly read: (text: string) => unknown;
  /** Milliseconds an input: it gets a tenth of what others get. */
  readonly isDear?: true;
  /** What was read, as text that reads the same; null: this one is not printed. */
  readonly print?: (value: never) => string | null;
}

export interface Fault {
  readonly parser: string;
  readonly what: 'crashes' | 'polluted prototypes' | 'lost round trips';
  readonly how: string;
  readonly input: string;
  readonly seed: number;
}

const SHARED = [Object.prototype, Array.prototype, Function.prototype, String.prototype] as const;
const OWN = SHARED.map((of) => new Set(Reflect.ownKeys(of)));

/** Takes out of what all objects share what was put there; whether anything was. */
function wasPolluted(): boolean {
  let found = false;
  for (const [nth, shared] of SHARED.entries()) {
    for (const key of Reflect.ownKeys(shared)) {
      if (!OWN[nth]?.has(key)) found = Reflect.deleteProperty(shared, key);
    }
  }
  return found;
}

function isTyped(thrown: unknown): boolean {
  return thrown instanceof Error && 'code' in thrown && Object.hasOwn(ERROR_TRAITS, String(thrown.code));
}

/** An object whose prototype came from an input; null: none. */
function strayPrototype(value: unknown, left = { nodes: 2_000 }): string | null {
  if (typeof value !== 'object' || value === null || left.nodes-- < 0) return null;
  const prototype: unknown = Object.getPrototypeOf(value);
  const isKnown = prototype === null || (typeof prototype === 'object' && Object.hasOwn(prototype, 'constructor'));
  const made = isKnown && prototype !== null ? (prototype as { constructor: unknown }).constructor : Object;
  if (!isKnown || typeof made !== 'function') return JSON.stringify(Object.keys(value).slice(0, 5));
  for (const part of value instanceof Map ? value.values() : Object.values(value)) {
    const found = strayPrototype(part, left);
    if (found !== null) return found;
  }
  return null;
}

interface Outcome {
  readonly value: unknown;
  readonly fault: Pick<Fault, 'what' | 'how'> | null;
}

async function outcomeOf(parser: Parser, text: string): Promise<Outcome> {
  let value: unknown;
  let fault: Outcome['fault'] = null;
  try {
    value = parser.read(text);
    if (value instanceof Promise) value = await value;
    const stray = strayPrototype(value);
    if (stray !== null) fault = { what: 'polluted prototypes', how: `in what was read: ${stray}` };
  } catch (thrown) {
    value = undefined;
    if (!isTyped(thrown))
      fault = { what: 'crashes', how: thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown) };
  }
  if (wasPolluted()) fault = { what: 'polluted prototypes', how: 'what all objects share was changed' };
  return { value, fault };
}

/** Parsers that print read back what they print, also what is printed of that. */
async function roundTrip(parser: Parser, value: unknown): Promise<Pick<Fault, 'what' | 'how'> | null> {
  const once = value === undefined ? null : (parser.print?.(value as never) ?? null);
  if (once === null) return null;
  const again = await outcomeOf(parser, once);
  const twice =
    again.fault === null && again.value !== undefined ? (parser.print?.(again.value as never) ?? null) : null;
  return twice === once
    ? null
    : { what: 'lost round trips', how: `${once} became ${twice ?? again.fault?.how ?? 'nothing'}` };
}

/** So many changed inputs, from a seed. */
export async function fuzz(parser: Parser, seed: number, inputs: number, enough = 3): Promise<Fault[]> {
  const faults: Fault[] = [];
  const { name, corpus, words = [] } = parser;
  for (let nth = 0; nth < inputs + corpus.length && faults.length < enough; nth++) {
    const input = corpus[nth] ?? mutated(randomOf(seed + nth), corpus, words);
    const { value, fault: at } = await outcomeOf(parser, input);
    const fault = at ?? (await roundTrip(parser, value));
    if (fault !== null)
      faults.push({ parser: name, ...fault, input: JSON.stringify(input).slice(0, 2_000), seed: seed + nth });
  }
  return faults;
}

export interface Slowest {
  readonly parser: string;
  /** Of CPU time, for 100 KB. */
  readonly ms: number;
  readonly seed: number;
  readonly input: string;
}

const LONG_INPUT = 100_000;
/** Under this nothing is looked at twice: compiling, collecting and a busy machine are in the first time. */
const QUICK_MS = 20;

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** The slowest of so many blown-up inputs, and what failed on the way. */
export async function timed(
  parser: Parser,
  seed: number,
  inputs: number,
  length = LONG_INPUT,
): Promise<{ slowest: Slowest; faults: Fault[] }> {
  const { name, corpus, words = [] } = parser;
  let slowest: Slowest = { parser: name, ms: 0, seed, input: '' };
  const faults: Fault[] = [];
  for (let nth = 0; nth < inputs; nth++) {
    const input = pumped(randomOf(seed + nth), corpus, words, length);
    let ms = Number.POSITIVE_INFINITY;
    for (let times = 0; times < (LONG ? 6 : 2) && ms > QUICK_MS; times++) {
      const began = cpuMs();
      const { fault } = await outcomeOf(parser, input);
      ms = Math.min(ms, (cpuMs() - began) / (Math.max(1_000, input.length) / LONG_INPUT));
      if (fault === null) continue;
      faults.push({ parser: name, ...fault, input: JSON.stringify(input).slice(0, 500), seed: seed + nth });
      break;
    }
    if (ms > slowest.ms) slowest = { parser: name, ms, seed: seed + nth, input: JSON.stringify(input).slice(0, 300) };
  }
  return { slowest, faults };
}
