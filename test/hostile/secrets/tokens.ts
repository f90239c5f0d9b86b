/** Secrets as vendors make them, as ours are, and the ways in which they come to stand in a text. */

type Below = (bound: number) => number;

/** What is promised of it. */
export type Promised = 'known' | 'marked' | 'placed';

export interface Token {
  readonly kind: string;
  readonly promised: Promised;
  readonly secret: string;
  /** With what gives it away, where nothing else does. */
  readonly line: string;
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
const DIGITS = '0123456789';

const drawn = (below: Below, from: string, length: number): string =>
  Array.from({ length }, () => from[below(from.length)]).join('');

type Make = (some: (length: number, from?: string) => string) => string;

const base64url = (text: string): string => Buffer.from(text).toString('base64url');

const MARKED: Readonly<Record<string, Make>> = {
  anthropic: (some) => `sk-ant-api03-${some(86)}AA`,
  github: (some) => `ghp_${some(36)}`,
  githubFine: (some) => `github_pat_${some(22)}_${some(59)}`,
  aws: (some) => `AKIA${some(16, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567')}`,
  google: (some) => `AIza${some(35)}`,
  slack: (some) => `xoxb-${some(12, DIGITS)}-${some(12, DIGITS)}-${some(24)}`,
  npm: (some) => `npm_${some(36)}`,
  jwt: (some) => `${base64url('{"alg":"HS256"}')}.${base64url(`{"sub":"${some(12)}"}`)}.${some(43)}`,
  pem: (some) =>
    `-----BEGIN RSA PRIVATE KEY-----\n${some(64)}\n${some(64)}\n${some(40)}\n-----END RSA PRIVATE KEY-----`,
};

const PLACED: Readonly<Record<string, Make>> = {
  url: (some) => `https://deploy:${some(24)}@git.example.invalid/x.git`,
  dotenv: (some) => `DATABASE_PASSWORD=${some(32)}`,
  config: (some) => `"client_secret": "${some(40)}"`,
};

const KNOWN: Readonly<Record<string, Make>> = {
  'our key': (some) => some(48),
  'token of the API': (some) => some(43, `${LETTERS}${DIGITS}-_`),
  'token of the socket': (some) => some(64, '0123456789abcdef'),
  'token of a session': (some) => some(43, `${LETTERS}${DIGITS}-_`),
};

/** As many as are asked for, of each kind in turn. */
export function tokens(amount: number, below: Below): Token[] {
  const kinds = Object.entries({ known: KNOWN, marked: MARKED, placed: PLACED }).flatMap(([promised, makes]) =>
    Object.entries(makes).map(([kind, make]) => ({ kind, promised: promised as Promised, make })),
  );
  return Array.from({ length: amount }, (_, at) => {
    const { kind, promised, make } = kinds[at % kinds.length] as (typeof kinds)[number];
    // Some digit is always among its letters.
    const line = make(
      (length, from = LETTERS + DIGITS) =>
        `${drawn(below, from, length - 4)}${drawn(below, from === LETTERS + DIGITS ? DIGITS : from, 4)}`,
    );
    const secret = promised === 'placed' ? (/(?::|=|": ")([A-Za-z0-9]{16,})/.exec(line)?.[1] ?? line) : line;
    return { kind, promised, secret, line };
  });
}

type Encode = (text: string) => string;

const each = (text: string, write: (code: number) => string): string =>
  [...text].map((one) => write(one.charCodeAt(0))).join('');
const hex = (code: number): string => code.toString(16).padStart(2, '0');
const middle = (text: string, between: string): string => {
  const at = Math.floor(text.length / 2);
  return text.slice(0, at) + between + text.slice(at);
};
const base64 = (text: string): string => Buffer.from(text, 'latin1').toString('base64');

const ENCODINGS: Readonly<Record<string, Encode>> = {
  plain: (text) => text,
  'JSON string': (text) => JSON.stringify(text).slice(1, -1),
  'base64, first place': base64,
  'base64, second place': (text) => base64(`x${text}y`),
  'base64, third place': (text) => base64(`xy${text}z`),
  base64url: (text) => Buffer.from(text, 'latin1').toString('base64url'),
  hexadecimal: (text) => each(text, hex),
  'hexadecimal in capitals': (text) => each(text, hex).toUpperCase(),
  percent: (text) => each(text, (code) => `%${hex(code)}`),
  'JSON escapes': (text) => each(text, (code) => `\\u00${hex(code)}`),
  'HTML entities': (text) => each(text, (code) => `&#${code};`),
  'UTF-16': (text) => Buffer.from(text, 'utf16le').toString('latin1'),
  'split by colours': (text) => middle(text, '\u001b[31m'),
  'split by a line end': (text) => middle(text, '\n'),
};

const OF_PLACED: readonly string[] = ['plain', 'JSON string'];
/** Only what is known is found over the end of a line. */
const OF_KNOWN: readonly string[] = ['split by a line end'];

export interface Canary {
  readonly name: string;
  readonly text: string;
  /** None of these may be left anywhere. */
  readonly traces: readonly string[];
}

/** Each token in each encoding that is promised. */
export function canaries(all: readonly Token[]): Canary[] {
  return all.flatMap(({ kind, promised, secret, line }) =>
    Object.entries(ENCODINGS).flatMap(([encoding, encode]) => {
      if (promised === 'placed' && !OF_PLACED.includes(encoding)) return [];
      if (promised !== 'known' && OF_KNOWN.includes(encoding)) return [];
      const traced = encode(secret);
      const quarter = Math.floor(traced.length / 4);
      const inner = traced.slice(quarter, quarter + Math.max(12, Math.floor(traced.length / 3)));
      return [{ name: `${kind}, ${encoding}`, text: encode(line), traces: [secret, inner] }];
    }),
  );
}

/** Names of those that left a trace. */
export function leaks(written: string, put: readonly Canary[]): string[] {
  return put.filter(({ traces }) => traces.some((trace) => written.includes(trace))).map(({ name }) => name);
}
