/** Matches wildcards of paths: `*`, `?`, `[a-z]`, `{a,b}` and `**`. Needs at most as many steps as the product of the lengths of path and pattern. */

/** Alternatives that braces may expand to. */
const MAX_ALTERNATIVES = 200;

export type PathMatcher = (path: string) => boolean;

/** Matches whole paths with `/` between their names. A leading dot in a name has no special meaning. */
export function globMatcher(pattern: string, { braces } = { braces: true }): PathMatcher {
  const alternatives = (braces ? expanded(pattern) : [pattern]).map((one) => one.split('/').map(nameTokens));
  return (path) => {
    const names = path.split('/');
    return alternatives.some((segments) => pathMatches(segments, names));
  };
}

type Token =
  | { readonly kind: 'star' | 'any' }
  | { readonly kind: 'char'; readonly char: string }
  | { readonly kind: 'class'; readonly negated: boolean; readonly ranges: readonly (readonly [string, string])[] };

/** One name of a pattern. Null is `**`, which matches any number of names. */
type Segment = readonly Token[] | null;

function expanded(pattern: string): readonly string[] {
  const open = pattern.indexOf('{');
  const close = closingBrace(pattern, open);
  if (open < 0 || close < 0) return [pattern];
  const parts = topLevelParts(pattern.slice(open + 1, close));
  const [head, tail] = [pattern.slice(0, open), pattern.slice(close + 1)];
  // In a shell, braces without a comma are literal.
  if (parts.length < 2) return expanded(tail).map((rest) => `${head}{${parts[0]}}${rest}`);
  const rests = expanded(tail);
  const all: string[] = [];
  for (const part of parts.flatMap(expanded)) {
    for (const rest of rests) if (all.length < MAX_ALTERNATIVES) all.push(head + part + rest);
  }
  return all;
}

function closingBrace(pattern: string, open: number): number {
  let depth = 0;
  for (let at = open; at >= 0 && at < pattern.length; at++) {
    if (pattern[at] === '{') depth++;
    if (pattern[at] === '}' && --depth === 0) return at;
  }
  return -1;
}

function topLevelParts(text: string): readonly string[] {
  const parts = [''];
  let depth = 0;
  for (const char of text) {
    if (char === '{') depth++;
    if (char === '}') depth--;
    if (char === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += char;
  }
  return parts;
}

function nameTokens(name: string): Segment {
  if (name === '**') return null;
  const tokens: Token[] = [];
  for (let at = 0; at < name.length; at++) {
    const char = name[at] ?? '';
    const end = char === '[' ? name.indexOf(']', at + 2) : -1;
    if (char === '*') tokens.push({ kind: 'star' });
    else if (char === '?') tokens.push({ kind: 'any' });
    else if (end > 0) {
      tokens.push(classToken(name.slice(at + 1, end)));
      at = end;
    } else if (char === '\\' && at + 1 < name.length) tokens.push({ kind: 'char', char: name[++at] ?? '' });
    else tokens.push({ kind: 'char', char });
  }
  return tokens;
}

function classToken(inner: string): Token {
  const negated = inner.startsWith('!') || inner.startsWith('^');
  const chars = negated ? inner.slice(1) : inner;
  const ranges = [...chars.matchAll(/(.)-(.)|(.)/gsu)].map(
    ([, from, to, one]) => [from ?? one ?? '', to ?? one ?? ''] as const,
  );
  return { kind: 'class', negated, ranges };
}

/** Tracks which names are matched so far, so that `**` needs no backtracking. A `**` at the end matches at least one name. */
function pathMatches(segments: readonly Segment[], names: readonly string[]): boolean {
  let reached = [true, ...names.map(() => false)];
  for (const [index, segment] of segments.entries()) {
    const isLast = index === segments.length - 1;
    reached = segment === null ? afterAny(reached, isLast) : afterName(reached, segment, names);
  }
  return reached[names.length] === true;
}

function afterAny(reached: readonly boolean[], atLeastOne: boolean): boolean[] {
  const first = reached.indexOf(true);
  return reached.map((_, at) => first >= 0 && (atLeastOne ? at > first : at >= first));
}

function afterName(reached: readonly boolean[], segment: readonly Token[], names: readonly string[]): boolean[] {
  return reached.map((_, at) => at > 0 && reached[at - 1] === true && nameMatches(segment, names[at - 1] ?? ''));
}

/** A star takes as little as it can, and one more each time that the rest does not fit. */
function nameMatches(tokens: readonly Token[], name: string): boolean {
  let [token, at] = [0, 0];
  let star: { readonly token: number; at: number } | null = null;
  while (at < name.length) {
    const next = tokens[token];
    if (next?.kind === 'star') star = { token: token++, at };
    else if (next !== undefined && charMatches(next, name[at] ?? '')) [token, at] = [token + 1, at + 1];
    else if (star !== null) [token, at] = [star.token + 1, ++star.at];
    else return false;
  }
  return tokens.slice(token).every(({ kind }) => kind === 'star');
}

function charMatches(token: Token, char: string): boolean {
  if (token.kind === 'char') return token.char === char;
  if (token.kind === 'class') return token.ranges.some(([from, to]) => from <= char && char <= to) !== token.negated;
  return true;
}
