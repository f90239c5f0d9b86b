/** Command texts that hide a second command, a second argument or another program, made of commands that the user listed. */
import { randomOf } from '../suite/proof.ts';
import { CASES, EVIL, EXPANSIONS, FALSE_GAPS, FLAGS, JOINS, PATHS, REDIRECTIONS, WRAPPERS } from './shellPieces.ts';

/** What the user listed. Each program is a recording stub; none is a word of a shell. */
export const LISTED: readonly (readonly string[])[] = [
  ['npm', 'test'],
  ['npm', 'run', 'build'],
  ['node', '--test', 'test/a b.js'],
  ['make', '-j2', 'CC=gcc'],
  ['git', 'diff', '--stat'],
  ['cat', 'README.md'],
  ['find', '.', '-name', '*.ts'],
  ['pytest', '-k', "it's"],
  ['npm', ''],
  ['awk', '{ print $1 }', 'a;b'],
];

/** Programs beside those listed. */
export const OTHERS: readonly string[] = [
  'curl',
  'rm',
  'evil',
  'env',
  'nice',
  'timeout',
  'sudo',
  'xargs',
  'nohup',
  'stdbuf',
];

type Pick = <T>(list: readonly T[]) => T;

/** As a person would write it, in one of the ways in which shells agree. */
function quoted(word: string, pick: Pick): string {
  const plain = /^[A-Za-z0-9_./:@%+,=-]+$/.test(word);
  const ways = [
    ...(plain ? [word, word, word] : []),
    ...(word.includes("'") ? [] : [`'${word}'`]),
    ...(/["$`\\!]/.test(word) ? [] : [`"${word}"`]),
    ...(plain && word.length > 1
      ? [`${word.slice(0, 1)}'${word.slice(1)}'`, `"${word.slice(0, 1)}"${word.slice(1)}`]
      : []),
  ];
  return pick(ways.length > 0 ? ways : [`"${word}"`]);
}

const GAPS = [' ', ' ', ' ', '  ', '\t', ' \t '];

const spelled = (argv: readonly string[], pick: Pick): string =>
  argv.map((word) => quoted(word, pick)).join(pick(GAPS));

type Trick = (argv: readonly string[], pick: Pick) => string;

const put = (argv: readonly string[], at: number, word: string, pick: Pick): string =>
  [...argv.slice(0, at).map((one) => quoted(one, pick)), word, ...argv.slice(at).map((one) => quoted(one, pick))].join(
    ' ',
  );

const TRICKS: readonly Trick[] = [
  (argv, pick) => spelled(argv, pick) + pick(JOINS) + pick(EVIL),
  (argv, pick) => pick(EVIL) + pick(JOINS) + spelled(argv, pick),
  (argv, pick) => spelled(argv, pick) + pick(JOINS),
  (argv, pick) => argv.map((word) => quoted(word, pick)).join(pick(FALSE_GAPS)),
  (argv, pick) => `${spelled(argv, pick)}${pick(FALSE_GAPS)}${pick(EVIL)}`,
  (argv, pick) => `${spelled(argv, pick)} ${pick(EXPANSIONS)}`,
  (argv, pick) => `${pick(EXPANSIONS)} ${spelled(argv, pick)}`,
  (argv, pick) => argv.map((word, at) => (at === argv.length - 1 ? word + pick(EXPANSIONS) : word)).join(' '),
  (argv, pick) => argv.map((word, at) => (at === 0 ? pick(EXPANSIONS) + word : word)).join(' '),
  (argv) => argv.join(' '),
  (argv) => argv.map((word) => `"${word}"`).join(' '),
  (argv, pick) => `${spelled(argv, pick)} ${pick(REDIRECTIONS)}`,
  (argv, pick) => `${pick(REDIRECTIONS)} ${spelled(argv, pick)}`,
  (argv, pick) => `${pick(WRAPPERS)} ${spelled(argv, pick)}`,
  (argv, pick) => `${spelled(argv, pick)} ${pick(FLAGS)}`,
  (argv, pick) => put(argv, 1, pick(FLAGS), pick),
  (argv, pick) => pick(PATHS) + spelled(argv, pick),
  (argv, pick) => pick(CASES)(spelled(argv, pick)),
  (argv, pick) => spelled(argv.slice(0, -1), pick),
  (argv, pick) => spelled([...argv, pick(['', 'x', argv[0] ?? ''])], pick),
  (argv, pick) => spelled([pick(OTHERS), ...argv.slice(1)], pick),
  (argv) => `"${argv.join(' ')}"`,
  (argv, pick) => `${quoted(argv.slice(0, 2).join(' '), pick)} ${spelled(argv.slice(2), pick)}`,
  (argv, pick) =>
    spelled(argv, pick)
      .split('')
      .join(pick(["''", '""', '\\', ''])),
];

/** Characters and pieces by which shells and we could differ. */
export const ALPHABET: readonly string[] = [
  ...[
    'a',
    'B',
    '0',
    '-',
    '=',
    ' ',
    '\t',
    "'",
    '"',
    '$',
    '`',
    '\\',
    '*',
    '~',
    '#',
    ';',
    '&',
    '|',
    '>',
    '(',
    '!',
    '{',
    '}',
    ',',
    '%',
    '^',
  ],
  ...['[', ']', '?', ':', '+', '@', '/', '.', '_', 'é', '\n', "'a b'", '"c d"', "''", 'npm', 'evil', ' npm test '],
];

export interface ShellText {
  readonly text: string;
  /** The listed words that it is only another spelling of; null: it is meant to be more, or other. */
  readonly spells: readonly string[] | null;
}

/** A third of them honest spellings, the rest tricks and noise. */
export function shellTexts(count: number, seed: number): ShellText[] {
  const random = randomOf(seed);
  const pick: Pick = (list) => {
    const one = list[random(list.length)];
    if (one === undefined) throw new Error('nothing to choose from');
    return one;
  };
  return Array.from({ length: count }, (_, at): ShellText => {
    const argv = pick(LISTED);
    if (at % 3 === 0) {
      const around = pick(['', '', ' ', '\t']);
      return { text: `${around}${spelled(argv, pick)}${pick(['', '', ' '])}`, spells: argv };
    }
    if (at % 12 === 1) {
      return { text: `npm ${Array.from({ length: 1 + random(10) }, () => pick(ALPHABET)).join('')}`, spells: null };
    }
    return { text: pick(TRICKS)(argv, pick), spells: null };
  });
}
