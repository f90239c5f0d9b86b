import { expect, it } from 'vitest';
import { root } from '../../../scripts/setup.mjs';
import { commandFor, count, failures, NOT_REACHED } from '../../../scripts/test/summary.mjs';

const FILE = 'test/integration/job/gates.test.ts';

interface Ended {
  readonly fullName: string;
  readonly error?: string;
}

function reportOf(...results: readonly Ended[]): { readonly testResults: readonly object[] } & Record<string, unknown> {
  const failed = results.filter(({ error }) => error !== undefined).length;
  const assertionResults = results.map(({ fullName, error }) => ({
    fullName,
    status: error === undefined ? 'passed' : 'failed',
    failureMessages: error === undefined ? [] : [error],
  }));
  const file = { name: `${root}/${FILE}`, status: failed > 0 ? 'failed' : 'passed', message: '', assertionResults };
  const counts = { numFailedTests: failed, numPendingTests: 0, numTodoTests: 0 };
  return { numPassedTests: results.length - failed, ...counts, testResults: [file] };
}

it('names what failed with the start of its error and the command that runs it alone', () => {
  const long = ['Error: \u001b[31mno\u001b[39m board', ...Array.from({ length: 30 }, (_, at) => `at ${at}`)].join('\n');
  const report = reportOf({ fullName: 'one' }, { fullName: "the plan's gate (1 of 2) holds", error: long });
  expect(count([report])).toEqual({ passed: 1, failed: 1, skipped: 0 });
  const lines = failures([report], {});
  expect(lines.slice(0, 2)).toEqual([`  ✗ ${FILE}: the plan's gate (1 of 2) holds`, '    Error: no board']);
  expect(lines).toHaveLength(1 + 12 + 1);
  expect(lines.at(-1)).toBe(
    String.raw`    run it alone: npx vitest run --project integration ${FILE} -t '^the plan'\''s gate \(1 of 2\) holds$'`,
  );
});

it('names the tests that were not reached in one line each, before the error', () => {
  const unreached = { fullName: 'two', error: `${NOT_REACHED} "one" failed before it` };
  const report = reportOf({ fullName: 'one', error: 'Error: no board' }, unreached);
  expect(count([report])).toEqual({ passed: 0, failed: 2, skipped: 0 });
  expect(failures([report], {})).toEqual([
    `  – ${FILE}: two: not reached`,
    `  ✗ ${FILE}: one`,
    '    Error: no board',
    `    run it alone: npx vitest run --project integration ${FILE} -t '^one$'`,
  ]);
});

it('keeps the form and the seed of a proof in the command', () => {
  const env = { PROOF: 'long', PROOF_SEED: '7', HOME: 'elsewhere' };
  expect(commandFor('test/faults/kills.test.ts', null, env)).toBe(
    "PROOF='long' PROOF_SEED='7' npx vitest run --project faults test/faults/kills.test.ts",
  );
});

it('knows the runner of each suite', () => {
  expect(commandFor('test/unit/host/a.test.ts', null, {})).toContain("--project 'unit*' test/unit/host/a.test.ts");
  expect(commandFor('test/integration/agent/realCline.test.ts', null, {})).toContain('--project agents ');
  expect(commandFor('test/editor/run.ts', 'cards move', {})).toBe("npx node test/editor/run.ts --only='cards move'");
});

it('counts a file that could not be loaded as one failure, and says why', () => {
  const file = { name: `${root}/${FILE}`, status: 'failed', message: 'SyntaxError: x', assertionResults: [] };
  const none = { numPassedTests: 0, numFailedTests: 0, numPendingTests: 1, numTodoTests: 1, testResults: [file] };
  expect(count([none])).toEqual({ passed: 0, failed: 1, skipped: 2 });
  expect(failures([none], {})).toEqual([
    `  ✗ ${FILE}`,
    '    SyntaxError: x',
    `    run it alone: npx vitest run --project integration ${FILE}`,
  ]);
});

it('prints nothing on what passed', () => {
  expect(failures([reportOf({ fullName: 'one' })], {})).toEqual([]);
});
