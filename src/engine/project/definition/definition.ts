/** PROJECT.md as text, and back: a frontmatter of the fields below, and a body that stays as it was written. */
import { Scalar, stringify } from 'yaml';
import { type Executors, executorName } from '../../../shared/agent/executorSchemas.ts';
import { failure } from '../../../shared/errors.ts';
import { PROVIDERS } from '../../../shared/model/models.ts';
import {
  type Heartbeat,
  PROJECT_STATUSES,
  type ProjectDefinition,
  type ProjectLimits,
} from '../../../shared/project/projects.ts';
import { type Fields, faultAt, readFields, splitFrontmatter, type Value } from './frontmatter.ts';

export const MAX_DEFINITION_BYTES = 256 * 1024;
/** Upper limit of a name, a status and four times. */
const LIFE_BYTES = 1024;
const MAX_MINUTES = 525_600;

type Status = (typeof PROJECT_STATUSES)[number];

/** The content of PROJECT.md. Null fields are shown as such, or omitted. */
export interface DefinitionFile {
  readonly name: string;
  /** Shown for the reader: the events are what counts. */
  readonly status: Status | null;
  readonly created: string | null;
  readonly suspended: string | null;
  readonly completed: string | null;
  readonly archived: string | null;
  readonly definition: ProjectDefinition;
}

export interface ReadDefinition {
  readonly file: DefinitionFile;
  /** The line of each field in the file. */
  readonly lines: ReadonlyMap<string, number>;
}

// --- readers of a field's value

type Read<T> = (value: Value, name: string) => T;

const textOf: Read<string | null> = (value, name) => {
  if (!('text' in value)) throw faultAt(value.line, `${name} is one value, not a list or a mapping`);
  return value.text;
};

function text(maxLength: number): Read<string | null> {
  return (value, name) => {
    const given = textOf(value, name);
    if (given === '') throw faultAt(value.line, `${name} is empty; leave it out instead`);
    if (given !== null && given.length > maxLength) {
      throw faultAt(value.line, `${name} is longer than ${maxLength} characters`);
    }
    return given;
  };
}

function oneOf<T extends string>(words: readonly T[]): Read<T | null> {
  return (value, name) => {
    const given = textOf(value, name);
    const found = words.find((word) => word === given);
    if (given !== null && found === undefined) throw faultAt(value.line, `${name} is one of ${words.join(', ')}`);
    return found ?? null;
  };
}

const executor: Read<string | null> = (value, name) => {
  const given = textOf(value, name);
  if (given === null || executorName.safeParse(given).success) return given;
  throw faultAt(value.line, `${name} is the name of an agent, such as cline`);
};

const ISO_TIME = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?$/;

const time: Read<string | null> = (value, name) => {
  const given = textOf(value, name);
  if (given === null || (ISO_TIME.test(given) && !Number.isNaN(Date.parse(given)))) return given;
  throw faultAt(value.line, `${name} is a time such as 2026-11-22T10:00:00Z, or null`);
};

/** Exact: no amount of a person is rounded. */
const usd: Read<number | null> = (value, name) => {
  const given = textOf(value, name);
  if (given === null) return null;
  const [, whole = '', cents = ''] = /^(\d{1,10})(?:\.(\d{1,6}))?$/.exec(given) ?? [];
  const micro = Number(whole + cents.padEnd(6, '0'));
  if (whole !== '' && Number.isSafeInteger(micro)) return micro;
  throw faultAt(value.line, `${name} is an amount in US dollars with at most six decimals, such as 2.50`);
};

const count: Read<number | null> = (value, name) => {
  const given = textOf(value, name);
  if (given === null) return null;
  const number = /^\d{1,16}$/.test(given) ? Number(given) : 0;
  if (number > 0 && Number.isSafeInteger(number)) return number;
  throw faultAt(value.line, `${name} is a whole number above zero`);
};

const UNITS = { m: 1, h: 60, d: 1440 } as const;

function duration(maxMinutes: number): Read<number | null> {
  return (value, name) => {
    const given = textOf(value, name);
    if (given === null) return null;
    const [, amount = '', unit = 'm'] = /^(\d{1,7}) ?([mhd])?$/.exec(given) ?? [];
    const minutes = Number(amount) * UNITS[unit as keyof typeof UNITS];
    if (amount !== '' && minutes >= 1 && minutes <= maxMinutes) return minutes;
    throw faultAt(value.line, `${name} is a time such as 30m, 4h or 1d, at most ${maxMinutes / UNITS.d}d`);
  };
}

const idleMinutes: Read<number | null> = (value, name) =>
  'text' in value && value.text === 'never' ? 0 : duration(MAX_MINUTES)(value, name);

type Readers = Readonly<Record<string, Read<unknown>>>;
type Given<R extends Readers> = { readonly [K in keyof R]?: ReturnType<R[K]> };

function given<R extends Readers>(readers: R, fields: Fields, of = ''): Given<R> {
  const values: [string, unknown][] = [];
  for (const [name, value] of fields) {
    const read = Object.hasOwn(readers, name) ? readers[name] : undefined;
    if (read === undefined) {
      const known = Object.keys(readers).join(', ');
      throw faultAt(value.line, `there is no field ${of}${name.slice(0, 60)}; there are: ${known}`);
    }
    values.push([name, read(value, of + name)]);
  }
  return Object.fromEntries(values) as Given<R>;
}

function group<R extends Readers>(readers: R): Read<Given<R> | null> {
  return (value, name) => {
    if ('fields' in value) return given(readers, value.fields, `${name}.`);
    if ('text' in value && value.text === null) return null;
    throw faultAt(value.line, `${name} is a mapping of ${Object.keys(readers).join(', ')}`);
  };
}

/** The fields in the order in which they are written. */
const FIELDS = {
  name: text(64),
  status: oneOf(PROJECT_STATUSES),
  model: text(200),
  provider: oneOf(PROVIDERS),
  scenario: text(4096),
  executors: group({ planner: executor, worker: executor, reviewer: executor }),
  workdir: text(4096),
  limits: group({ dayUsd: usd, totalUsd: usd, tokens: count, toolCalls: count }),
  heartbeat: group({ every: duration(7 * UNITS.d), prompt: text(4096) }),
  after: text(64),
  idle: idleMinutes,
  created: time,
  suspended: time,
  completed: time,
  archived: time,
} as const;

type Frontmatter = Given<typeof FIELDS>;

// --- from text

/** Throws INVALID_INPUT for bytes that are no UTF-8 or too many. */
export function textOfFile(bytes: Uint8Array): string {
  if (bytes.length > MAX_DEFINITION_BYTES) {
    throw failure('INVALID_INPUT', `over ${MAX_DEFINITION_BYTES / 1024} KiB`, { details: { bytes: bytes.length } });
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw failure('INVALID_INPUT', 'not text in UTF-8', { cause });
  }
}

/**
 * Throws INVALID_INPUT `line N: …`. Does not check whether a workdir exists. `namedBy` is the name of the folder, which makes a
 * name in the file optional.
 */
export function parseDefinition(file: string, namedBy: string | null = null): ReadDefinition {
  const { yaml, body } = splitFrontmatter(file);
  const fields = readFields(yaml);
  const front = given(FIELDS, fields);
  const lines = new Map([...fields].map(([name, { line }]) => [name, line]));
  const { status = null, created = null, suspended = null, completed = null, archived = null } = front;
  const name = front.name ?? namedBy;
  if (name === null) throw faultAt(lines.get('name') ?? 1, 'name is missing');
  const definition: ProjectDefinition = {
    model: front.model ?? null,
    provider: front.provider ?? 'anthropic',
    scenario: front.scenario ?? null,
    executors: executorsOf(front.executors),
    workdir: front.workdir ?? null,
    limits: limitsOf(front.limits),
    heartbeat: heartbeatOf(front.heartbeat, lines.get('heartbeat') ?? 1),
    after: front.after ?? null,
    idleMinutes: front.idle ?? null,
    // Without the empty line after the frontmatter.
    body: body.replace(/^\r?\n/, ''),
  };
  return { file: { name, status, created, suspended, completed, archived, definition }, lines };
}

function executorsOf(executors: Frontmatter['executors']): Executors | null {
  const named = Object.entries(executors ?? {}).filter(([, name]) => name !== null);
  return named.length === 0 ? null : Object.fromEntries(named);
}

function limitsOf(limits: Frontmatter['limits']): ProjectLimits {
  const { dayUsd = null, totalUsd = null, tokens = null, toolCalls = null } = limits ?? {};
  return { dayMicroUsd: dayUsd, totalMicroUsd: totalUsd, tokens, toolCalls };
}

function heartbeatOf(heartbeat: Frontmatter['heartbeat'], line: number): Heartbeat | null {
  if (heartbeat === undefined || heartbeat === null) return null;
  const { every = null, prompt = null } = heartbeat;
  if (every === null || prompt === null) throw faultAt(line, 'a heartbeat has every and prompt');
  return { minutes: every, prompt };
}

// --- to text

function usdText(micro: number): number | string {
  const whole = Math.floor(micro / 1e6);
  const cents = String(micro % 1e6).padStart(6, '0');
  const exact = `${whole}.${cents}`.replace(/\.?0+$/, '');
  // A value beyond the range of numbers is written as text, which is read in the same way.
  return String(Number(exact)) === exact ? Number(exact) : exact;
}

function durationText(minutes: number): string {
  if (minutes % UNITS.d === 0) return `${minutes / UNITS.d}d`;
  return minutes % UNITS.h === 0 ? `${minutes / UNITS.h}h` : `${minutes}m`;
}

const orNothing = <T, U>(value: T | null, write: (value: T) => U): U | null => (value === null ? null : write(value));

function limitsText({ dayMicroUsd, totalMicroUsd, tokens, toolCalls }: ProjectLimits): unknown {
  const all = {
    dayUsd: orNothing(dayMicroUsd, usdText),
    totalUsd: orNothing(totalMicroUsd, usdText),
    tokens,
    toolCalls,
  };
  const set = Object.entries(all).filter(([, value]) => value !== null);
  return set.length === 0 ? null : Object.fromEntries(set);
}

/** Always shown, because readers look for them; other fields only if they have a value. */
const SHOWN: readonly string[] = ['name', 'status', 'model', 'workdir', 'created', 'suspended', 'completed'];

/** Throws INVALID_INPUT for a definition that its file would not reproduce. */
export function checkWritten(definition: ProjectDefinition): void {
  const nothing = { name: '', status: null, created: null, suspended: null, completed: null, archived: null };
  const bytes = new TextEncoder().encode(printDefinition({ ...nothing, definition })).length;
  if (bytes + LIFE_BYTES <= MAX_DEFINITION_BYTES) return;
  throw failure('INVALID_INPUT', `the definition has ${bytes} bytes, and PROJECT.md at most ${MAX_DEFINITION_BYTES}`, {
    hint: 'Put the material into the repository, or the memory, and name it.',
  });
}

/** YAML writes it as it is, and no reader takes it so. */
const DELETE = '\u007f';

/** Quotes the value if it can be written in quotes. */
function written(value: unknown): unknown {
  if (typeof value !== 'string' || !value.includes(DELETE)) return value;
  const scalar = new Scalar(value);
  scalar.type = Scalar.QUOTE_DOUBLE;
  return scalar;
}

/** The inverse of `parseDefinition`, except for a body that is not well-formed text. */
export function printDefinition({ name, status, definition, ...times }: DefinitionFile): string {
  const {
    model,
    provider,
    scenario,
    executors,
    workdir,
    limits,
    heartbeat,
    after,
    idleMinutes: idle,
    body,
  } = definition;
  const values: Record<keyof typeof FIELDS, unknown> = {
    name,
    status,
    model,
    provider: provider === 'anthropic' ? null : provider,
    scenario,
    executors,
    workdir,
    limits: limitsText(limits),
    heartbeat: orNothing(heartbeat, ({ minutes, prompt }) => ({ every: durationText(minutes), prompt })),
    after,
    idle: orNothing(idle, (minutes) => (minutes === 0 ? 'never' : durationText(minutes))),
    ...times,
  };
  const shown = Object.entries(values).filter(([field, value]) => value !== null || SHOWN.includes(field));
  const yaml = stringify(Object.fromEntries(shown), (_, value: unknown) => written(value), {
    lineWidth: 0,
    blockQuote: false,
    doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER,
  }).replaceAll(DELETE, String.raw`\x7f`);
  return `---\n${yaml}---\n${body === '' ? '' : `\n${body}`}`;
}
