/** Forms of secrets: the marks that vendors give theirs, and the encodings in which a known secret can appear in a text. */

/** Half-open, in characters of the text. */
export interface Found {
  readonly from: number;
  readonly to: number;
  readonly kind: string;
}

/** Secrets with a vendor's mark: unambiguous enough to be searched in decoded bytes too. */
const MARKED: Readonly<Record<string, string>> = {
  anthropic: String.raw`sk-ant-[\w-]{16,}`,
  openai: String.raw`\bsk-(?:proj-|svcacct-|admin-)?[A-Za-z0-9]{20,}[\w-]{12,}`,
  github: String.raw`(?:gh[oprsu]_[A-Za-z0-9]{36,}|github_pat_\w{22,})`,
  gitlab: String.raw`glpat-[\w-]{20,}`,
  aws: String.raw`\b(?:AKIA|ASIA)[A-Z2-7]{16}\b`,
  google: String.raw`\b(?:AIza[\w-]{35}|ya29\.[\w-]{20,}|GOCSPX-[\w-]{24,})`,
  slack: String.raw`xox[abeoprs](?:\.xox[abeoprs])?-[\w-]{10,}|xapp-\d-[\w-]{10,}|hooks\.slack\.com/services/T\w+/B\w+/\w{16,}`,
  npm: 'npm_[A-Za-z0-9]{36,}',
  stripe: '[rs]k_(?:live|test)_[A-Za-z0-9]{16,}',
  token: String.raw`\beyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{16,}`,
  key: String.raw`-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:[\w+/=:,.\\\s-]{0,20000}?-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|[\w+/=\\\s]{40,})`,
};

/** Secrets that only the context reveals. The last group is the secret. */
const PLACED: Readonly<Record<string, string>> = {
  url: String.raw`\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s/:@"'<>\`]{0,100}:(?<inUrl>[^\s/@"'<>\`{}$]{6,200})@`,
  header: String.raw`\bauthorization(?:\\?["'])?\s{0,4}[:=]\s{0,4}(?:\\?["'])?(?:bearer|basic|token)\s{1,4}(?<inHeader>[\w.~+/=-]{16,2000})`,
  value: String.raw`(?:secret|token|passw(?:or)?d|api[_-]?key|access[_-]?key|private[_-]?key|credential)[\w-]{0,40}(?:\\?["'])?\s{0,4}[:=]\s{0,4}(?:\\?["'\`])?(?<inValue>[A-Za-z0-9+/=_~!#%^&*-]{16,500})`,
};

const groups = (forms: Readonly<Record<string, string>>): string =>
  Object.entries(forms)
    .map(([kind, form]) => `(?<${kind}>${form})`)
    .join('|');

const MARKED_ANYWHERE = new RegExp(groups(MARKED), 'g');
/** Among bytes a word has no beginning. */
const MARKED_IN_BYTES = new RegExp(groups(MARKED).replaceAll(String.raw`\b`, ''));
const PLACED_ANYWHERE = new RegExp(groups(PLACED), 'gi');

export function marked(text: string): Found[] {
  return [...text.matchAll(MARKED_ANYWHERE)].map((match) => ({
    from: match.index,
    to: match.index + match[0].length,
    kind: kindOf(match, MARKED),
  }));
}

export function placed(text: string): Found[] {
  return [...text.matchAll(PLACED_ANYWHERE)].flatMap((match) => {
    const { inUrl, inHeader, inValue } = match.groups ?? {};
    if (inValue !== undefined && !looksRandom(inValue)) return [];
    const secret = inUrl ?? inHeader ?? inValue ?? '';
    const from = match.index + match[0].lastIndexOf(secret);
    return [{ from, to: from + secret.length, kind: kindOf(match, PLACED) }];
  });
}

function kindOf({ groups: found }: RegExpExecArray, of: Readonly<Record<string, string>>): string {
  return Object.keys(of).find((kind) => found?.[kind] !== undefined) ?? 'other';
}

/** Bits per character above which a text with digits among its letters is random, not written by hand. */
const RANDOM_BITS = 3.3;

function looksRandom(value: string): boolean {
  const digits = value.replace(/\D/g, '').length;
  if (digits < 3 || !/[a-z]/i.test(value)) return false;
  const counts = new Map<string, number>();
  for (const character of value) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / value.length) * Math.log2(count / value.length);
  return bits >= RANDOM_BITS;
}

/** Runs that may be bytes in another alphabet. */
const ENCODED = /[A-Za-z0-9+/_-]{24,}={0,2}/g;
/** Prefixes of marked secrets. */
const MARKS =
  'sk-ant- sk-proj sk-svca sk-admin gho_ ghp_ ghr_ ghs_ ghu_ github_pat_ glpat- AKIA ASIA AIza ya29. GOCSPX- xoxa- xoxb- xoxe- xoxo- xoxp- xoxr- xoxs- xapp- hooks.slack npm_ rk_live_ rk_test_ sk_live_ sk_test_ eyJ -----BEGIN'.split(
    ' ',
  );
/** Matches encoded marks: decoding every long word of a text would take too long. */
const MARK_ENCODED = new RegExp(
  [...new Set(MARKS.flatMap((mark) => formsOf(mark).filter((form) => form !== mark)))]
    .sort()
    .map((form) => form.replaceAll('+', String.raw`\+`))
    .join('|'),
);

/** Marked secrets in base64, base64url or hexadecimal. The whole run is removed. */
export function markedInside(text: string): Found[] {
  if (!MARK_ENCODED.test(text)) return [];
  return [...text.matchAll(ENCODED)].flatMap(({ 0: run, index }) => {
    const kind = MARK_ENCODED.test(run) ? kindInside(run) : undefined;
    return kind === undefined ? [] : [{ from: index, to: index + run.length, kind }];
  });
}

function kindInside(run: string): string | undefined {
  for (const bytes of decodings(run)) {
    const match = MARKED_IN_BYTES.exec(bytes);
    if (match !== null) return kindOf(match, MARKED);
  }
  return undefined;
}

/** By the offset of the first whole group of four characters. */
function* decodings(run: string): Generator<string> {
  if (/^[0-9a-f]+$/i.test(run)) yield fromHex(run);
  const digits = run.replace(/=+$/, '').replaceAll('-', '+').replaceAll('_', '/');
  for (let skip = 0; skip < 4; skip++) {
    const whole = digits.slice(skip);
    yield atob(whole.slice(0, whole.length - (whole.length % 4 === 1 ? 1 : 0)));
  }
}

function fromHex(run: string): string {
  return run.replaceAll(/../g, (pair) => String.fromCharCode(Number.parseInt(pair, 16)));
}

function latin(text: string): string {
  return String.fromCharCode(...new TextEncoder().encode(text));
}

/** Encodings of a known secret: plain, base64 at any alignment, hexadecimal. */
export function formsOf(secret: string): string[] {
  const bytes = latin(secret);
  const hex = [...bytes].map((one) => one.charCodeAt(0).toString(16).padStart(2, '0')).join('');
  const base64 = [0, 1, 2].map((before) => aligned(bytes, before));
  const url = base64.map((form) => form.replaceAll('+', '-').replaceAll('/', '_'));
  return [...new Set([secret, ...base64, ...url, hex, hex.toUpperCase()])].sort((a, b) => b.length - a.length);
}

/** Only the part that does not depend on the text before and after it. */
function aligned(bytes: string, before: number): string {
  const whole = btoa('\0'.repeat(before) + bytes).replace(/=+$/, '');
  const first = Math.ceil((before * 8) / 6);
  const over = (before + bytes.length) % 3;
  return whole.slice(first, over === 0 ? undefined : -1);
}
