/** The message of a feature's commit. */
import { describe, expect, test } from 'vitest';
import { commitMessage } from '../../../../../src/core/job/result/commitMessage.ts';

const JOB = { id: '20261124-095653-bdc3' };
const FEATURE = { id: 7, name: 'Add a parser', category: 'core' };
const PLAIN = ['Fix the build', 'Add a lexer'];
const CONVENTIONAL = ['feat(cli): add a flag', 'fix: handle empty input', 'Merge by hand', 'chore!: drop Node 18'];
const TRAILERS = 'Autonomous-Job: 20261124-095653-bdc3\nAutonomous-Feature: 7\n';

const message = (
  feature: Partial<typeof FEATURE>,
  summary: string | null,
  subjects = PLAIN,
  isByUser = false,
): string => commitMessage(JOB, { ...FEATURE, ...feature }, summary, { subjects, isByUser });
const subject = (name: string, subjects = PLAIN, category = 'core'): string =>
  message({ name, category }, null, subjects).split('\n', 1)[0] ?? '';

test('it has a subject, the report and trailers', () => {
  expect(message({}, 'The parser reads rules.')).toBe(`Add a parser\n\nThe parser reads rules.\n\n${TRAILERS}`);
  expect(message({}, null)).toBe(`Add a parser\n\n${TRAILERS}`);
});

test('Autonomous is a co-author where the user is the author', () => {
  expect(message({}, null, PLAIN, true)).toBe(
    `Add a parser\n\n${TRAILERS}Co-authored-by: Autonomous <autonomous@localhost>\n`,
  );
});

describe('the subject', () => {
  test.each([
    ['Add a parser', 'core', 'feat: add a parser'],
    ['Fix the parser.', 'core', 'fix: fix the parser'],
    ['Explain it', 'documentation', 'docs: explain it'],
    ['Cover the lexer', 'core', 'test: cover the lexer'],
    ['README for users', 'docs', 'docs: README for users'],
    ['GitHub login', 'core', 'feat: GitHub login'],
    ['perf(core): cache rules', 'core', 'perf(core): cache rules'],
    ['Fix what the review found', 'fix', 'fix: fix what the review found'],
  ])('%s (%s) is a conventional commit where most are', (name, category, wanted) => {
    expect(subject(name, CONVENTIONAL, category)).toBe(wanted);
  });

  test('it is the name of the feature where most commits are not conventional, or there are none', () => {
    expect(subject('Add a parser', ['feat: one', 'Two'])).toBe('Add a parser');
    expect(subject('Add a parser', [])).toBe('Add a parser');
    expect(subject('Add a parser', ['main: boot', 'net: fix a race'])).toBe('Add a parser');
  });

  test('it is one line of at most 72 characters; a name that is cut is in the body', () => {
    expect(subject('Add\n  a\tparser\u0007')).toBe('Add a parser');
    const long = `Add ${'very '.repeat(20)}long parser`;
    const [first, , body] = message({ name: long }, 'Report.').split('\n');
    expect(first).toBe(`Add ${'very '.repeat(13).trim()}…`);
    expect(first?.length).toBeLessThanOrEqual(72);
    expect(body).toMatch(/^Add very/);
    expect(subject('x'.repeat(100))).toBe(`${'x'.repeat(71)}…`);
  });
});

describe('the body', () => {
  const body = (summary: string): string => message({}, summary).slice('Add a parser\n\n'.length, -TRAILERS.length - 2);

  test('paragraphs and list items are wrapped at 72, code and tables are not', () => {
    const words = 'twelve chars '.repeat(8).trim();
    const code = `const ${'x'.repeat(80)} = 1;`;
    const table = `| ${'cell | '.repeat(20)}`;
    expect(
      body(`${words}\nnext line\n\n\n\n- ${words}\n- two\n\n\`\`\`ts\n${code}\n\`\`\`\n${table}`).split('\n'),
    ).toEqual([
      'twelve chars twelve chars twelve chars twelve chars twelve chars twelve',
      'chars twelve chars twelve chars next line',
      '',
      '- twelve chars twelve chars twelve chars twelve chars twelve chars',
      '  twelve chars twelve chars twelve chars',
      '- two',
      '',
      '```ts',
      code,
      '```',
      table.trimEnd(),
    ]);
  });

  test('what the model wrote is no trailer, skips no CI and holds no secret or control character', () => {
    const text = body(
      'Done\u001b[31m.\n\nSigned-off-by: Someone <s@example.org>\n\n[skip ci] ghp_0123456789abcdefghijklmnopqrstuvwxyz',
    );
    expect(text).toContain('Signed-off-by: Someone');
    expect(text).toContain('(skip ci)');
    expect(text).not.toMatch(/\p{Cc}(?<!\n)|\[skip ci\]|ghp_/u);
    expect(message({}, 'Signed-off-by: Someone <s@example.org>').endsWith(`\n\n${TRAILERS}`)).toBe(true);
  });
});
