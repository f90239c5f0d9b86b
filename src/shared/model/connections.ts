/** Schemas of connections to model servers: an entry of the user's file, and a preset that it may begin with. */
import { z } from 'zod';
import { OWN_ACCOUNT, PROVIDERS } from './models.ts';
import type { ModelTerms, PriceTier } from './terms.ts';

/** Names that no entry of the user may have. */
const TAKEN: readonly string[] = [...PROVIDERS, OWN_ACCOUNT];

export const connectionName = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,31}$/, 'a name has lower case letters, digits and dashes, at most 32 of them')
  .refine((name) => !TAKEN.includes(name), { error: ({ input }) => `${String(input)} has a meaning of its own here` });

/** Protocols of model servers. `vertex` is the Messages API as Google's Vertex AI takes it. */
export const WIRES = ['messages', 'chat', 'responses', 'gemini', 'vertex'] as const;
export type Wire = (typeof WIRES)[number];

/** The header that carries the key. `sigv4`: requests are signed with credentials of AWS. `none`: the server needs no key. */
export const AUTHS = ['x-api-key', 'bearer', 'api-key', 'x-goog-api-key', 'sigv4', 'none'] as const;
export type Auth = (typeof AUTHS)[number];

const text = z.string().min(1, 'it is empty').max(2_000);
const model = z.string().min(1, 'the name of a model is empty').max(200);
const Rate = z.number().nonnegative().max(10_000);
const tokens = z.int().positive().max(100_000_000);

const Tier = z.strictObject({
  upTo: tokens.nullable().default(null),
  input: Rate,
  output: Rate,
  /** Defaults to the price of any other input. */
  cacheRead: Rate.optional(),
  cacheWrite: Rate.optional(),
});

/** One price, or tiers in rising order of which only the last has no end. */
const Tiers = z
  .union([Tier.transform((tier) => [tier]), z.array(Tier).min(1).max(10)], {
    error: 'a price has input and output, in USD per million tokens, at most 10000',
  })
  .refine((tiers) => tiers.every((tier, at) => rises(tiers, tier, at)), 'tiers rise, and only the last has no end')
  .transform((tiers): readonly PriceTier[] =>
    tiers.map(({ cacheRead, ...tier }) => ({ ...tier, cacheRead: cacheRead ?? tier.input })),
  );

function rises(tiers: readonly z.infer<typeof Tier>[], tier: z.infer<typeof Tier>, at: number): boolean {
  const before = at === 0 ? 0 : (tiers[at - 1]?.upTo ?? null);
  if (at === tiers.length - 1) return tier.upTo === null && before !== null;
  return tier.upTo !== null && before !== null && tier.upTo > before;
}

/** Each request sets these itself. */
const SET_BY_REQUEST =
  /^(?:host|content-length|transfer-encoding|connection|keep-alive|upgrade|te|trailer|expect|proxy-connection)$/i;

const header = z
  .string()
  .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/, 'no name of a header')
  .refine((name) => !SET_BY_REQUEST.test(name), { error: ({ input }) => `each request sets ${String(input)} itself` });
const headerValue = z.string().regex(/^[\x20-\x7e]{1,8000}$/, 'no value of a header');
/** Commands of a job do not receive variables with such names. */
const SECRET = /KEY|TOKEN|SECRET|PASSWORD|CREDENTIAL/i;

const variable = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]{0,99}$/, 'no name of a variable')
  .regex(SECRET, 'the name of a key’s variable contains KEY, TOKEN, SECRET, PASSWORD or CREDENTIAL');

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

export const isLoopback = (hostname: string): boolean => LOOPBACK.test(hostname);

/** The base of a server's addresses, without a slash at its end. Null if requests to it could reveal a key. */
export function safeBase(base: string): string | null {
  const url = URL.canParse(base) ? new URL(base) : null;
  const safe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname));
  if (url === null || !safe || url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    return null;
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

/** Words of an example that a person has to replace. */
const PLACEHOLDER = /\b(?:REGION|LOCATION|PROJECT|RESOURCE|YOUR[A-Z_-]*)\b|[<>{}]/;

export const BASE_RULE = 'it must be https, or http to this machine, without a user, a password, a query or a fragment';

/** Why the address of a server cannot be used; null if it can. The address is not quoted: it may contain a password. */
export function baseFault(base: string): string | null {
  if (safeBase(base) === null) return BASE_RULE;
  const [placeholder] = PLACEHOLDER.exec(base) ?? [];
  return placeholder === undefined ? null : `replace ${placeholder} in the address by your own`;
}

const baseUrl = text
  .refine((base) => baseFault(base) === null, { error: ({ input }) => baseFault(String(input)) ?? '' })
  .transform((base) => safeBase(base) ?? base);

const file = text.regex(/^(?:\/|[A-Za-z]:[\\/])/, 'the path must be absolute');

/** An entry of the user's file. A value that is absent is the preset's. */
export const connectionEntry = z.strictObject({
  preset: z.string().optional(),
  wire: z.enum(WIRES).optional(),
  baseUrl: baseUrl.optional(),
  auth: z.enum(AUTHS).optional(),
  /** The variable of the environment that holds the key. */
  keyEnv: variable.optional(),
  /** A command of the shell whose first line of output is the key; for `sigv4`, the whole output. */
  keyCommand: text.optional(),
  /** PEM files of the certificate that is presented to the server, and of its key; absolute. */
  clientCert: file.optional(),
  clientKey: file.optional(),
  /** Sent with each request. Every value is treated as a secret. */
  headers: z.record(header, headerValue).optional(),
  /** The user states that its calls cost nothing. */
  free: z.boolean().optional(),
  /** USD per million tokens. They override every other price. */
  prices: z.record(model, Tiers).optional(),
  /** Tokens of a model's context window. */
  windows: z.record(model, tokens).optional(),
});
export type ConnectionEntry = z.infer<typeof connectionEntry>;
/** An entry as a person gives it. */
export type NewConnection = z.input<typeof connectionEntry>;

/** Values that an entry may begin with. */
export const connectionPreset = z.strictObject({
  title: text,
  wire: z.enum(WIRES),
  /** Null if every user has another one. */
  baseUrl: text.nullable(),
  /** The form of the address, where every user has another one. */
  example: text.optional(),
  auth: z.enum(AUTHS),
  keyEnv: variable.nullable(),
  /** Providers of the price catalogue whose prices apply, in this order. */
  catalogue: z.array(text).default([]),
  /** The commands that start a server on this machine, and that load a model; `MODEL` stands for its name. */
  start: text.optional(),
  load: text.optional(),
  /** Documentation of the server. */
  url: text,
});
export type ConnectionPreset = z.infer<typeof connectionPreset>;

/** A connection with all its values. */
export interface Connection {
  readonly name: string;
  readonly title: string;
  /** Name of the preset; null if it has none. */
  readonly preset: string | null;
  readonly wire: Wire;
  readonly baseUrl: string;
  readonly auth: Auth;
  readonly keyEnv: string | null;
  readonly keyCommand: string | null;
  readonly clientCert: string | null;
  readonly clientKey: string | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly free: boolean;
  readonly prices: Readonly<Record<string, readonly PriceTier[]>>;
  readonly windows: Readonly<Record<string, number>>;
  readonly catalogue: readonly string[];
  /** As of the preset; null if it has none. */
  readonly start: string | null;
  readonly load: string | null;
  /** What its server stated of its models when it was last asked; null if it never was. */
  readonly listed: {
    readonly day: string;
    readonly models: Readonly<Record<string, Pick<ModelTerms, 'tiers' | 'window'>>>;
  } | null;
}

export type Connections = Readonly<Record<string, Connection>>;

/** The name under which a key is stored: a key is never sent to another server than the one it was stored for. */
export const storedKeyName = ({ name, baseUrl }: Pick<Connection, 'name' | 'baseUrl'>): string =>
  `${name}@${new URL(baseUrl).host}`;

/** The variables that may hold the key of a connection. */
export function keyVariables({ auth, keyEnv }: Pick<Connection, 'auth' | 'keyEnv'>): readonly string[] {
  if (auth === 'sigv4') return ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'];
  return keyEnv === null ? [] : [keyEnv];
}

/** What `add` did with a connection. */
export interface AddedConnection {
  readonly connection: Connection;
  readonly change: 'added' | 'changed' | 'unchanged' | 'replaced';
  /** Values of its entry that were not given and are as before. */
  readonly kept: readonly string[];
  /** Values that were replaced or left out. */
  readonly dropped: readonly string[];
}

/** A connection of the user, and where its key is from. */
export interface ListedConnection {
  readonly connection: Connection;
  readonly key: 'none' | 'stored' | 'environment' | 'command' | 'missing';
}

export interface ListedConnections {
  readonly connections: readonly ListedConnection[];
  /** Those that a connection can have. */
  readonly presets: readonly {
    readonly name: string;
    readonly title: string;
    /** Null if every user has another one. */
    readonly baseUrl: string | null;
    /** The form of the address, where every user has another one; null if there is none. */
    readonly example: string | null;
    readonly needsKey: boolean;
    readonly url: string;
  }[];
  /** Errors of the file, one sentence each. */
  readonly faults: readonly string[];
  /** The user's file of connections, absolute. */
  readonly file: string;
}

/** One model of a connection. */
export interface ListedModel {
  /** With the connection: `ollama/qwen3`. */
  readonly name: string;
  readonly terms: ModelTerms;
  /** Whether it called a tool within the last day. */
  readonly isChecked: boolean;
}

const ofEntry = /^\S+(?: line \d+)?: \S+: /;

/** The fault of this connection's entry, or that of the whole file; undefined if there is none. */
export const faultOf = (faults: readonly string[], name: string): string | undefined =>
  faults.find((text) => text.includes(`: ${name}: `)) ?? faults.find((text) => !ofEntry.test(text));
