/** docs/find-your-way.md: enough questions, short answers, and only paths that exist. */
import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const root = new URL('../../', import.meta.url);
const page = readFileSync(new URL('docs/find-your-way.md', root), 'utf8');

const MIN_QUESTIONS = 10;
const MAX_STEPS = 3;
/** A path and one sentence. */
const STEP = /^\d+\. `([^`]+)`: (?:[^.]|\.(?! ))+\.$/;

function stepFaults(question: string, step: string): string[] {
  const [, path] = STEP.exec(step) ?? [];
  if (path === undefined) return [`${question} has a step that is not a path and one sentence: ${step}`];
  return existsSync(new URL(path, root)) ? [] : [`${question} names a path that does not exist: ${path}`];
}

function faultsOf(text: string): string[] {
  const [, ...parts] = text.split(/^## /m);
  const answers = parts.map((part) => part.split('\n').filter((line) => line.trim() !== ''));
  const paths = [...text.matchAll(/`((?:src|test|webview-ui)\/[^`]+)`/g)].map(([, path = '']) => path);
  return [
    ...(answers.length < MIN_QUESTIONS ? [`${answers.length} questions`] : []),
    ...answers.flatMap(([question = '', ...steps]) => [
      ...(question.endsWith('?') ? [] : [`not a question: ${question}`]),
      ...(steps.length === 0 || steps.length > MAX_STEPS ? [`${question} has ${steps.length} steps`] : []),
      ...steps.flatMap((step) => stepFaults(question, step)),
    ]),
    ...paths.filter((path) => !existsSync(new URL(path, root))).map((path) => `no file: ${path}`),
  ];
}

it('answers at least ten questions in at most three steps, each with a path that exists', () => {
  expect(faultsOf(page)).toEqual([]);
});

/** Each with the change of the page, and the fault that is found. */
const STALE: readonly (readonly [string, RegExp, string, RegExp])[] = [
  [
    'a file that was renamed',
    /`src\/core\/model\/backoff\.ts`/,
    '`src/core/model/gone.ts`',
    /path that does not exist/,
  ],
  ['a stale path in a sentence', /`test\/unit\/findYourWay/, '`test/unit/gone', /^no file: test\/unit\/gone/m],
  ['a fourth step', /^3\. .*$/m, '$&\n4. `src/cli.ts`: starts the program.', /has 4 steps/],
  ['a question without an answer', /^## /m, '## Where is nothing?\n\n## ', /has 0 steps/],
  ['fewer than ten questions', /(?:^## [^#]*){7}/m, '', /^9 questions$/m],
  ['a step of two sentences', /^1\. (.*)$/m, '1. $1 It has two.', /not a path and one sentence/],
  ['a step without a path', /^1\. `[^`]+`/m, '1. Somewhere', /not a path and one sentence/],
  ['a heading that is no question', /^(## .*)\?$/m, '$1', /^not a question/m],
];

it.each(STALE)('finds %s', (_, find, put, fault) => {
  const changed = page.replace(find, put);
  expect(changed).not.toBe(page);
  expect(faultsOf(changed).join('\n')).toMatch(fault);
});
