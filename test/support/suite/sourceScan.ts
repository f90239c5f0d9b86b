/** A small reader of TypeScript source: which modules a file names, and its code without comments and strings. */

/** Characters after which a slash starts a regular expression, not a division. */
const BEFORE_REGEX = /(?:^|[(,=:[!&|?{};+\-*%<>~^]|\b(?:return|typeof|case|in|of|do|else|await|yield))\s*$/;

interface Piece {
  readonly kind: 'code' | 'string' | 'comment';
  readonly text: string;
}

function literalEnd(source: string, start: number, quote: string): number {
  let inClass = false;
  for (let at = start + 1; at < source.length; at++) {
    const char = source[at];
    if (char === '\\') at++;
    else if (quote === '/' && char === '[') inClass = true;
    else if (quote === '/' && char === ']') inClass = false;
    else if (char === quote && !inClass) return at + 1;
    else if (char === '\n' && quote !== '`') return at;
  }
  return source.length;
}

/** Index just after the `}` that closes a `${` whose body starts at `start`. */
function substitutionEnd(source: string, start: number): number {
  let depth = 1;
  let at = start;
  while (at < source.length && depth > 0) {
    const char = source[at] ?? '';
    if (char === '`') at = templateEnd(source, at);
    else if (char === "'" || char === '"') at = literalEnd(source, at, char);
    else {
      if (char === '{') depth++;
      if (char === '}') depth--;
      at++;
    }
  }
  return at;
}

function templateEnd(source: string, start: number): number {
  let at = start + 1;
  while (at < source.length) {
    if (source[at] === '\\') at += 2;
    else if (source.startsWith('${', at)) at = substitutionEnd(source, at + 2);
    else if (source[at++] === '`') break;
  }
  return at;
}

function pieces(source: string): Piece[] {
  const out: Piece[] = [];
  let code = '';
  let at = 0;
  const push = (kind: Piece['kind'], end: number) => {
    if (code) out.push({ kind: 'code', text: code });
    out.push({ kind, text: source.slice(at, end) });
    code = '';
    at = end;
  };
  while (at < source.length) {
    const char = source[at] ?? '';
    if (source.startsWith('//', at)) {
      const end = source.indexOf('\n', at);
      push('comment', end < 0 ? source.length : end);
    } else if (source.startsWith('/*', at)) {
      const end = source.indexOf('*/', at + 2);
      push('comment', end < 0 ? source.length : end + 2);
    } else if (char === '`') push('string', templateEnd(source, at));
    else if (char === "'" || char === '"') push('string', literalEnd(source, at, char));
    else if (char === '/' && BEFORE_REGEX.test(code)) push('string', literalEnd(source, at, '/'));
    else {
      code += char;
      at++;
    }
  }
  if (code) out.push({ kind: 'code', text: code });
  return out;
}

/** The code alone: comments gone, literals emptied except for what `${}` in a template computes. */
export function codeOnly(source: string): string {
  return pieces(source)
    .map(({ kind, text }) => {
      if (kind === 'code') return text;
      if (kind === 'comment') return ' ';
      if (!text.startsWith('`')) return "''";
      return text.includes('${') ? ` ${text.replace(/^`|`$/g, '')} ` : "''";
    })
    .join('');
}

/** Specifiers of every static, side-effect, type, re-exported and dynamic import. A dynamic import of something computed gives `''`. */
export function importsOf(source: string): string[] {
  const found: string[] = [];
  const all = pieces(source).filter(({ kind }) => kind !== 'comment');
  for (const [index, piece] of all.entries()) {
    if (piece.kind !== 'string') continue;
    const before = all[index - 1]?.text ?? '';
    if (/(?:\bfrom|\bimport|\bimport\s*\(|\brequire\s*\(|\brequire\.resolve\s*\()\s*$/.test(before)) {
      found.push(/^['"]/.test(piece.text) ? piece.text.slice(1, -1) : '');
    }
  }
  for (const { kind, text } of all) {
    if (kind === 'code') found.push(...[...text.matchAll(/\bimport\s*\(\s*[\w$]/g)].map(() => ''));
  }
  return found;
}
