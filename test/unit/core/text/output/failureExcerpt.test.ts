import { describe, expect, it } from 'vitest';
import { missingLine } from '../../../../../src/core/job/missingTool.ts';
import { failureExcerpt, passedExcerpt } from '../../../../../src/core/text/output/failureExcerpt.ts';
import { fc } from '../../../../support/suite/property.ts';

const passing = (mark: (nth: number) => string) => Array.from({ length: 400 }, (_, nth) => mark(nth)).join('\n');
const MAX = 2_000;

const RUNNERS: Readonly<Record<string, readonly [string, string, string]>> = {
  'TAP and tap': [
    passing((nth) => `ok ${nth} - parsed`),
    'not ok 5 - includesDate\n  ---\n  message: is not a function',
    '# failed 1',
  ],
  'node:test': [
    passing((nth) => `✔ works ${nth} (0.2ms)`),
    '✖ pop (1.2ms)\n  AssertionError [ERR_ASSERTION]: 1 !== 2',
    'ℹ fail 1',
  ],
  mocha: [
    passing((nth) => `    ✓ works ${nth}`),
    '  1) pop:\n     Error: expected 1 to be 2',
    '  399 passing\n  1 failing',
  ],
  jest: [
    passing((nth) => `  ✓ works ${nth}`),
    '  ● stack › pop\n\n    expect(received).toBe(expected)',
    'Tests: 1 failed',
  ],
  vitest: [
    passing((nth) => ` ✓ a${nth}.test.ts`),
    ' FAIL  b.test.ts > pop\nAssertionError: expected 1 to be 2',
    'Tests  1 failed',
  ],
  pytest: [
    passing((nth) => `tests/a.py::t${nth} PASSED`),
    'E   assert 1 == 2\ntests/b.py:4: AssertionError',
    '1 failed, 400 passed',
  ],
  'go test': [passing((nth) => `--- PASS: T${nth}`), '--- FAIL: TestPop (0.00s)\n    stack_test.go:9: got 1', 'FAIL'],
  cargo: [
    passing((nth) => `test t${nth} ... ok`),
    "thread 'pop' panicked at src/lib.rs:4:5:\nleft: 1",
    'test result: FAILED',
  ],
  tsc: [passing((nth) => `Processing ${nth}`), "src/a.ts(3,1): error TS2322: Type 'string'", 'Found 1 error.'],
  eslint: [passing((nth) => `checked ${nth}.js`), '  3:5  error  x is not defined  no-undef', '1 problem'],
};

describe('the excerpt of a passed command', () => {
  it('is the end from the beginning of a line, and states what is left out', () => {
    const output = `one\n${passing((nth) => `    ok ${nth} - parsed`)}\n  1..400\n# time=2ms\n`;
    expect(passedExcerpt(output, 600)).toBe('[Lines of passed tests are left out]\none\n  1..400\n# time=2ms\n');
    expect(
      passedExcerpt(
        passing((nth) => `line ${nth}`),
        600,
      ),
    ).toMatch(/^\[The beginning is left out\]\nline \d+\n(.*\n)*line 399$/);
  });

  it('is not empty if the output is nothing else', () => {
    expect(passedExcerpt('ok 1 - parsed', 600)).toBe('ok 1 - parsed');
  });
});

describe('the excerpt of a failed command', () => {
  it.each(Object.entries(RUNNERS))(
    'of %s has the failure in the middle and the end',
    (_name, [before, failure, end]) => {
      const text = failureExcerpt(`${before}\n${failure}\n${before}\n${end}`, MAX);
      expect(text).toContain(failure.split('\n').at(-1));
      expect(text).toMatch(new RegExp(`${end.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`));
      expect(text.length).toBeLessThan(MAX + 100);
    },
  );

  it('of nested TAP has the failed test, without passed tests and in place of the error of one that passed', () => {
    const noise = `Error: deprecated\n${passing((nth) => `    at moment (node_modules/moment.js:${nth})`).slice(0, 1_500)}`;
    const failed = `    not ok 7 - pop\n      ---\n${'      at: x\n'.repeat(12)}      +2-3\n      ...`;
    const before = passing((nth) => `    ok ${nth} - expected to throw: Error: no`);
    const text = failureExcerpt([before, noise, before, failed, before, '# failed 1 of 11 tests'].join('\n'), MAX);
    expect(text).toContain('not ok 7 - pop');
    expect(text).toContain('+2-3');
    expect(text).not.toMatch(/^ *ok /m);
    expect(text).toMatch(/# failed 1 of 11 tests$/);
  });

  it('shows two long lines around the first part in which they differ, whatever the order of their parts', () => {
    const parts = (url: string) =>
      Array.from({ length: 80 }, (_, nth) => `{ version: ${nth}, url: ${nth === 60 ? url : 1} }`);
    const output = (expected: readonly string[], actual: readonly string[]) =>
      `${noise}\nnot ok 4 - urls\n  expected: |-\n    [ ${expected.join(', ')} ]\n  actual: |-\n    [ ${actual.join(', ')} ]\n${noise}`;
    const noise = 'x\n'.repeat(1_500);
    for (const actual of [parts("'is'"), [...parts("'is'").slice(1), parts("'is'")[0] ?? '']]) {
      const text = failureExcerpt(output(parts("'should be'"), actual), MAX);
      expect(text).toMatch(/\[… \d+ characters …\].*version: 60, url: 'should be' }/);
      expect(text).toMatch(/\[… \d+ characters …\].*version: 60, url: 'is' }/);
    }
  });

  it('has no path of the folder, no frame of a package and no stack twice', () => {
    const frames = [
      'at assert (/w/clone/node_modules/tape/lib/test.js:548:48)',
      'at deepEqual (/w/clone/node_modules/tape/lib/test.js:815:7)',
      'at file:///w/clone/test/index.js:31:7',
      'at process.processTicksAndRejections (node:internal/process/task_queues:95:5)',
      'at /w/clone/index.js:50:30',
    ].map((frame) => `      ${frame}`);
    const failed = (nth: number) => [`not ok ${nth} - urls`, '  stack: |-', ...frames].join('\n');
    const output = [failed(1), failed(2), failed(3), 'x\n'.repeat(1_500)].join('\n');
    const text = failureExcerpt(output, MAX, '/w/clone');
    const stack = [
      '      at assert (./node_modules/tape/lib/test.js:548:48)',
      '      at ./test/index.js:31:7',
      '      at ./index.js:50:30',
    ].join('\n');
    const again = '  stack: |-\n      [the same stack as before]';
    expect(text).toContain(
      `not ok 1 - urls\n  stack: |-\n${stack}\nnot ok 2 - urls\n${again}\nnot ok 3 - urls\n${again}\n`,
    );
  });

  it('does not take a missing file of the repository for a missing package', () => {
    const output =
      "Error: Cannot find module '/w/clone/bin/sheet.js'\n    at Module._load (node:internal/modules/cjs:1:1)";
    const tail = failureExcerpt(output, MAX, '/w/clone');
    expect(tail).toContain("Cannot find module './bin/sheet.js'");
    expect(missingLine({ exitCode: 1, tail })).toBeNull();
  });

  it('names the last failure if the end begins within it', () => {
    const failed = (nth: number) =>
      `not ok ${nth} - pop\n${'  a detail of the failure that is somewhat long\n'.repeat(18)}`;
    const output = `${Array.from({ length: 12 }, (_, nth) => failed(nth + 1)).join('')}# fail 12`;
    const text = failureExcerpt(output, MAX);
    expect(text).toContain('not ok 12 - pop');
  });

  it('is the whole output if that is short and has no passed test', () => {
    expect(failureExcerpt('one\ntwo\n', MAX)).toBe('one\ntwo\n');
    expect(failureExcerpt('✔ Build\n', MAX)).toBe('✔ Build\n');
  });

  it('has no passed test and no frame of a package though the output is short', () => {
    const output = [
      'build.js',
      '✔ Build',
      'vtt.js',
      '✖ WebVTT cue settings',
      'Error: "Bye" == "by"',
      '    at check (/w/clone/test/run.js:11:71)',
      '    at /w/clone/test/vtt.js:10:8',
      '    at Module._compile (node:internal/modules/cjs/loader:1521:14)',
      'FAILURES: 1/496 assertions failed',
    ];
    expect(failureExcerpt(output.join('\n'), MAX, '/w/clone').split('\n')).toEqual([
      '[Lines of passed tests are left out]',
      '[Stack frames of packages are left out]',
      'build.js',
      'vtt.js',
      '✖ WebVTT cue settings',
      'Error: "Bye" == "by"',
      '    at check (./test/run.js:11:71)',
      '    at ./test/vtt.js:10:8',
      'FAILURES: 1/496 assertions failed',
    ]);
  });

  it('of TAP has no line without a fact', () => {
    const block = (indent: string, ...facts: readonly string[]) =>
      ['---', 'duration_ms: 1.25', "type: 'test'", ...facts, '...'].map((line) => `${indent}  ${line}`);
    const output = [
      'TAP version 13',
      '# Subtest: stack',
      '    # Subtest: push \\# 1',
      '    ok 1 - push \\# 1',
      ...block('    '),
      '    # Subtest: pop',
      '    not ok 2 - pop',
      ...block('    ', "location: './a.test.js:3:1'", 'error: |-', '  ---', '  1 !== 2'),
      '    1..2',
      'not ok 1 - stack # time=5ms',
      ...block('', "failureType: 'subtestsFailed'"),
      '# Subtest: hangs',
      '---',
      '# fail 1',
      '# duration_ms 12.5',
    ];
    const facts = [
      'TAP version 13',
      '    not ok 2 - pop',
      "      location: './a.test.js:3:1'",
      '      error: |-',
      '        ---',
      '        1 !== 2',
      '    1..2',
      'not ok 1 - stack # time=5ms',
      "  failureType: 'subtestsFailed'",
      '# Subtest: hangs',
      '---',
      '# fail 1',
    ].join('\n');
    expect(failureExcerpt(output.join('\n'), MAX)).toBe(`[Lines of passed tests are left out]\n${facts}`);
    expect(passedExcerpt(output.join('\n'), MAX)).toBe(`[Lines of passed tests are left out]\n${facts}`);
    const cutOff = ['not ok 1 - pop', '  ---', '  duration_ms: 1'].join('\n');
    expect(failureExcerpt(cutOff, MAX)).toBe(cutOff);
  });

  it('has no line that counts no failure', () => {
    const text = failureExcerpt(`# fail 0\n0 errors: none\n${passing((nth) => `line ${nth}`)}`, MAX);
    expect(text).not.toContain('fail 0');
  });

  it('is never much longer than it may be, and ends as the output does', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.string(), fc.constant('not ok 1'), fc.string({ minLength: 300, maxLength: 900 }))),
        (lines) => {
          const output = lines.join('\n');
          const text = failureExcerpt(output, 600);
          expect(text.length).toBeLessThanOrEqual(600 + GAPS);
          expect(output.endsWith(text.slice(-100))).toBe(true);
        },
      ),
    );
  });
});

const GAPS = 400;
