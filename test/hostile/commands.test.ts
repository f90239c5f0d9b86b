/**
 * T11: without a sandbox nothing runs by itself but the very words that the user listed. Real shells are the judges: what the
 * policy takes for a listed command must be all that a shell would start for the same text.
 */
import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as policy from '../../src/core/guard/commandPolicy.ts';
import { RecordingShells, recordsIn } from '../support/session/recordingShells.ts';
import { type ShellGround, shellGround } from '../support/shell/shell.ts';
import { LISTED, OTHERS, type ShellText, shellTexts } from '../support/shell/shellStrings.ts';
import { planted } from '../support/suite/planted.ts';
import { buildWith } from '../support/suite/plantedBug.ts';
import { amount, figure, SEED } from '../support/suite/proof.ts';

type Policy = Pick<typeof policy, 'parseArgv' | 'mayRunUnconfined'>;

const TEXTS = amount({ short: 400, long: 50_000 });
/** Of the texts that are refused one of so many also goes through the runner; of the others so many are started. */
const REFUSED_SHARE = amount({ short: 6, long: 5 });
const STARTED = amount({ short: 6, long: 500 });

const programs = [...new Set([...LISTED.map(([name = '']) => name), ...OTHERS])];
let shells: RecordingShells;
let ground: ShellGround;
let texts: readonly ShellText[];
beforeAll(() => {
  shells = new RecordingShells(programs);
  ground = shellGround({ confine: false, environment: { PATH: shells.bin } });
  const all = shellTexts(TEXTS, SEED);
  texts = [...new Map(all.map((one) => [one.text, one])).values()];
});
afterAll(async () => {
  await ground.close();
  shells.remove();
});

const same = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((word, at) => word === other[at]);
const isListed = (argv: readonly string[]): boolean => LISTED.some((listed) => same(listed, argv));

function runsByItself({ parseArgv, mayRunUnconfined }: Policy, text: string): boolean {
  const argv = parseArgv(text);
  return argv !== null && mayRunUnconfined(argv, LISTED);
}

/** Texts for which a shell starts anything but one listed command, or leaves a trace. */
function overruled(given: readonly string[]): string[] {
  return shells.names.flatMap((name) => {
    const { started, left } = shells.observe(name, given);
    const wrong = given.filter((_, at) => {
      const [only, ...more] = started[at] ?? [];
      return only === undefined || more.length > 0 || !isListed(only);
    });
    return [...wrong, ...left].map((what) => `${name}: ${JSON.stringify(what)}`);
  });
}

test(`what runs by itself is a listed command to every shell (${TEXTS} texts, seed ${SEED})`, () => {
  const own = texts.filter(({ text }) => runsByItself(policy, text));
  const wrong = overruled(own.map(({ text }) => text));
  const honest = texts.filter(({ spells }) => spells !== null);
  const count = (what: string, value: number, aim: Parameters<typeof figure>[0]['aim']): void =>
    figure({ method: 'T11', what, value, unit: '', aim });
  count('command texts made', TEXTS, { atLeast: 3_000 });
  count('hostile inputs tried: different command texts', texts.length, null);
  count('shells that judged', shells.names.length, { atLeast: 2 });
  count('texts outside the list that run without a question', wrong.length, { atMost: 0 });
  count(
    'honest spellings of a listed command that still need a question',
    honest.filter(({ text }) => !runsByItself(policy, text)).length,
    { atMost: 0 },
  );
  expect(wrong.slice(0, 10), `seed ${SEED}`).toEqual([]);
  expect(own.length).toBeGreaterThan(TEXTS / 20);
  expect(honest.filter(({ text }) => !runsByItself(policy, text))).toEqual([]);
});

test(`what is read as words is read so by every shell, listed or not (seed ${SEED})`, () => {
  const plain = texts.flatMap(({ text }) => {
    const argv = policy.parseArgv(text);
    const [name = ''] = argv ?? [];
    return argv === null || isListed(argv) || !programs.includes(name) ? [] : [{ text, argv }];
  });
  expect(plain.length).toBeGreaterThan(TEXTS / 80);
  for (const name of shells.names) {
    const { started, left } = shells.observe(
      name,
      plain.map(({ text }) => text),
    );
    expect(started, `${name}, seed ${SEED}`).toEqual(plain.map(({ argv }) => [argv]));
    expect(left).toEqual([]);
  }
});

/** What the runner started for a text: stubs tell. */
async function startedFor(text: string): Promise<{ readonly started: string[][]; readonly refused: boolean }> {
  const record = join(ground.root, 'record');
  rmSync(record, { force: true });
  const { ended } = await ground.run(text, { allowed: LISTED, env: { RECORD: record } });
  return { started: recordsIn(record), refused: ended === 'refused' };
}

test('the runner starts the words that were listed, and refuses all else', async () => {
  const own = texts.filter(({ text }) => runsByItself(policy, text)).slice(0, STARTED);
  const others = texts.filter(({ text }, at) => at % REFUSED_SHARE === 0 && !runsByItself(policy, text));
  for (const { text } of own) {
    const { started } = await startedFor(text);
    expect(started.length, text).toBe(1);
    expect(started.every(isListed), text).toBe(true);
  }
  for (const { text } of others) expect(await startedFor(text), text).toEqual({ started: [], refused: true });
  figure({
    method: 'T11',
    what: 'texts given to the runner itself',
    value: own.length + others.length,
    unit: '',
    aim: null,
  });
  expect(readdirSync(ground.clone)).toEqual([]);
});

describe('a program of the clone is never taken for the listed one', () => {
  const evil = (folder: string): void => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'npm'), '#!/bin/sh\ntouch stolen\n', { mode: 0o755 });
  };

  test.each([
    ['the folder itself first', (clone: string) => clone],
    ['the current folder', () => '.'],
    ['an empty entry', () => ''],
    ['a relative folder', () => 'bin'],
    ['a folder of the clone', (clone: string) => join(clone, 'bin')],
    ['a way round', (clone: string) => join(clone, '..', 'tree', 'bin')],
    ['a link from outside into the clone', (clone: string) => join(clone, '..', 'link')],
  ])('%s on PATH', async (_, entry) => {
    for (const place of ['', 'bin']) evil(join(ground.clone, place));
    const link = join(ground.clone, '..', 'link');
    rmSync(link, { force: true });
    symlinkSync(join(ground.clone, 'bin'), link);
    const record = join(ground.root, 'record');
    rmSync(record, { force: true });
    const env = { PATH: `${entry(ground.clone)}:${shells.bin}`, RECORD: record };
    await ground.run('npm test', { allowed: LISTED, env });
    expect(recordsIn(record)).toEqual([['npm', 'test']]);
    expect(existsSync(join(ground.clone, 'stolen'))).toBe(false);
    rmSync(ground.clone, { recursive: true });
    mkdirSync(ground.clone);
  });

  test('a listed path in the clone is refused, however it is written', async () => {
    evil(ground.clone);
    const names = ['./npm', join(ground.clone, 'npm'), `${ground.clone}/../tree/npm`, '../tree/npm'];
    for (const name of names) {
      const { ended } = await ground.run(`${name} test`, { allowed: [[name, 'test']] });
      expect(ended, name).toBe('refused');
    }
    rmSync(join(ground.clone, 'npm'));
  });
});

const FILE = 'src/core/guard/commandPolicy.ts';

const BUGS = [
  ['a prefix matches, not only the exact words', 'entry.length === argv.length && entry', 'entry'],
  [
    'what expands between double quotes is read as text',
    "if (char === '\"' && SPECIAL_IN_DOUBLE.test(inside)) return null;",
    '',
  ],
  ['an operator is skipped as a blank is', "if (char === ' ' || char === '\\t') {", "if (' \\t;&|'.includes(char)) {"],
  [
    'only the name of a path counts',
    'return words.map((word) => word.text);',
    "return words.map((word, at) => (at === 0 ? (word.text.split('/').at(-1) ?? '') : word.text));",
  ],
] as const;
for (const [name, find, put] of BUGS)
  planted(name, async () => {
    using built = await buildWith({ file: FILE, find, put }, [FILE]);
    const wrong = (await import(built.program('commandPolicy').href)) as Policy;
    const more = texts
      .map(({ text }) => text)
      .filter((text) => runsByItself(wrong, text) && !runsByItself(policy, text));
    expect(overruled(more.filter((text) => !text.includes('\0')).slice(0, 20))).not.toEqual([]);
  });
