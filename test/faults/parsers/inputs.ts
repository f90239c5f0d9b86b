/** Inputs made from ones that are right: changed a little, put together anew, or blown up. Nothing else is random than the dice. */

export type Dice = (below: number) => number;

/** What breaks parsers: names that every object has, marks that open and never close, numbers beyond numbers, text that is none. */
const EVIL = [
  ...['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', '__defineGetter__', 'then', 'toJSON'],
  ...['\0', '\ufeff', '\u202e', '\u200b', '\ud800', '\udc00', '\u2028', 'e\u0301', '\x1b[2J', '\r\n', '\n', '\t', ' '],
  ...[
    '"',
    "'",
    '\\',
    '{',
    '}',
    '[',
    ']',
    '(',
    ')',
    '{{',
    '}}',
    ':',
    ',',
    '-',
    '---',
    '...',
    '|',
    '>',
    '&a',
    '*a',
    '!!js',
    '<<',
    '%',
    '#',
  ],
  ...[
    '0',
    '-1',
    '-0',
    '1e999',
    '9007199254740993',
    '0x10',
    'NaN',
    'null',
    'true',
    '""',
    '{}',
    '[]',
    '2026-13-45',
    '1e-7',
  ],
];

const pick = <T>(dice: Dice, list: readonly T[]): T => list[dice(list.length)] as T;

/** A right input that is not quite right any more. */
export function mutated(dice: Dice, corpus: readonly string[], words: readonly string[]): string {
  let text = pick(dice, corpus);
  // Half of them stay JSON where they are: what is behind the parser of JSON is reached then.
  if (dice(2) === 0 && withValue(dice, text) !== null) {
    for (let times = dice(4); times >= 0; times--) text = withValue(dice, text) ?? text;
    return text;
  }
  for (let times = dice(5); times >= 0; times--) text = changed(dice, text, corpus, words);
  return text.slice(0, 200_000);
}

function changed(dice: Dice, text: string, corpus: readonly string[], words: readonly string[]): string {
  const at = dice(3) === 0 ? lineStart(dice, text) : dice(text.length + 1);
  const to = Math.min(text.length, at + dice(dice(4) === 0 ? text.length + 1 : 12));
  const word = dice(2) === 0 ? pick(dice, EVIL) : pick(dice, words.length > 0 ? words : EVIL);
  switch (dice(9)) {
    case 0:
      return text.slice(0, at) + text.slice(to);
    case 1:
      return text.slice(0, to) + text.slice(at, to).repeat(1 + dice(4)) + text.slice(to);
    case 2:
      return text.slice(0, at) + String.fromCharCode(dice(dice(2) === 0 ? 128 : 65_536)) + text.slice(at + 1);
    case 3:
      return text.slice(0, at) + pick(dice, corpus).slice(dice(40));
    case 4:
      return text.slice(0, at);
    case 5:
      return text.replace(/\d+/, () => pick(dice, ['-1', '1e999', '9007199254740993', '0', '00', '1.5', '']));
    case 6:
      return withValue(dice, text) ?? text.slice(0, at) + word + text.slice(at);
    default:
      return text.slice(0, at) + word + text.slice(dice(2) === 0 ? at : to);
  }
}

function lineStart(dice: Dice, text: string): number {
  return text.indexOf('\n', dice(text.length + 1)) + 1;
}

/** What an object has, or is made by, without holding it. */
const INHERITED = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty'];

const VALUES: readonly (() => unknown)[] = [
  () => null,
  () => ({}),
  () => ({ polluted: true }),
  () => [],
  () => -1,
  () => 1e308,
  () => '',
  () => '__proto__',
  () => true,
  () => JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}') as unknown,
  () => Array.from({ length: 50 }, () => ({ type: 'text', text: 'x' })),
];

/** JSON with another value, or one more, somewhere in it; null: it is no JSON. */
function withValue(dice: Dice, text: string): string | null {
  let root: unknown;
  try {
    root = JSON.parse(text);
  } catch {
    return null; // then it is changed as text
  }
  let at = root;
  for (;;) {
    if (typeof at !== 'object' || at === null) return null;
    const keys = Object.keys(at);
    const key = keys.length === 0 || dice(4) === 0 ? pick(dice, INHERITED) : pick(dice, keys);
    const inner = (at as Record<string, unknown>)[key];
    if (typeof inner === 'object' && inner !== null && Object.hasOwn(at, key) && dice(3) > 0) {
      at = inner;
      continue;
    }
    Object.defineProperty(at, key, {
      value: pick(dice, VALUES)(),
      enumerable: true,
      configurable: true,
      writable: true,
    });
    return JSON.stringify(root);
  }
}

/** About so long, of few parts that come again and again: where a parser looks at something twice, it shows. */
export function pumped(dice: Dice, corpus: readonly string[], words: readonly string[], length: number): string {
  const word = (): string => {
    if (dice(4) === 0) return pick(dice, EVIL);
    const text = pick(dice, corpus);
    const at = dice(text.length);
    return dice(2) === 0 && words.length > 0 ? pick(dice, words) : text.slice(at, at + 1 + dice(30)) || ' ';
  };
  const whole = pick(dice, corpus);
  const cut = dice(whole.length + 1);
  const parts = Array.from({ length: 1 + dice(3) }, word).join('') || ' ';
  const many = (text: string): string => text.repeat(Math.ceil(length / Math.max(1, text.length)));
  switch (dice(6)) {
    case 0:
      return many(parts);
    case 5: {
      // No two alike: where each is compared with all others, it shows.
      const one = pick(dice, ['k$: 1\n', '"k$":1,', 'k$, ', '- k$\n', 'k$=1&', 'k$ ']);
      const list = Array.from({ length: Math.ceil(length / (one.length + 3)) }, (_, nth) => one.replace('$', `${nth}`));
      return `${one.startsWith('"') ? '{' : ''}${list.join('')}"z":1${one.startsWith('"') ? '}' : ''}`;
    }
    case 1: {
      const half = Math.ceil(length / 2);
      return (
        pick(dice, ['[', '{"a":', '(', '{{', '- ', '{a: ', '!']).repeat(half).slice(0, half) +
        pick(dice, [']', '}', ')', '}}', '', '\n']).repeat(half).slice(0, half)
      );
    }
    case 2:
      return many(`${whole}${pick(dice, ['\n', '', ','])}`);
    default:
      return whole.slice(0, cut) + many(parts) + whole.slice(cut);
  }
}
