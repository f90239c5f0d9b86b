import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { count, failures } from '../../../scripts/summary.mjs';
import { type Result, twice, writeReport } from '../../support/suiteReport.ts';

const RUNNER = fileURLToPath(new URL('../../host/run.ts', import.meta.url));

function summed(...reports: readonly object[]): { readonly counts: object; readonly lines: readonly string[] } {
  return { counts: count(reports), lines: failures(reports) };
}

function reportOf(...results: readonly Result[]): object {
  const folder = mkdtempSync(join(tmpdir(), 'summary-'));
  try {
    const file = join(folder, 'report.json');
    writeReport(file, RUNNER, results);
    return JSON.parse(readFileSync(file, 'utf8')) as object;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

it('names what failed with the beginning of its error, and what passed only at its second attempt', () => {
  const long = ['Error: \u001b[31mno\u001b[39m board', ...Array.from({ length: 30 }, (_, at) => `at ${at}`)].join('\n');
  const { counts, lines } = summed(
    reportOf(
      { name: 'one', ms: 1, error: null },
      { name: 'two', ms: 2, error: long, firstError: 'Error: early' },
      { name: 'three', ms: 3, error: null, firstError: 'Error: too slow' },
    ),
  );
  expect(counts).toEqual({ passed: 2, failed: 1, skipped: 0 });
  expect(lines.slice(0, 4)).toEqual([
    '  ! test/host/run.ts: three: passed at the second attempt; the first:',
    '    Error: too slow',
    '  ✗ test/host/run.ts: two',
    '    Error: no board',
  ]);
  expect(lines).toHaveLength(3 + 12);
});

it('counts a file that could not be loaded as one failure, and says why', () => {
  const file = { name: RUNNER, status: 'failed', message: 'SyntaxError: x', assertionResults: [] };
  const none = { numPassedTests: 0, numFailedTests: 0, numPendingTests: 1, numTodoTests: 1, testResults: [file] };
  const { counts, lines } = summed(none);
  expect(counts).toEqual({ passed: 0, failed: 1, skipped: 2 });
  expect(lines).toEqual(['  ✗ test/host/run.ts', '    SyntaxError: x']);
});

it('has nothing to say of what passed', () => {
  expect(summed(reportOf({ name: 'one', ms: 1, error: null })).lines).toEqual([]);
});

it('keeps the first error of what is tried again, and tries nothing again that passed or was stopped', async () => {
  const running = new AbortController().signal;
  const ends = (...errors: (string | null)[]) => {
    const tried: number[] = [];
    const attempt = async (number: 1 | 2): Promise<Result> => {
      tried.push(number);
      return { name: 'one', ms: 2, error: errors[number - 1] ?? null };
    };
    return { tried, attempt };
  };
  const mended = ends('early', null);
  expect(await twice(mended.attempt, running)).toEqual({ name: 'one', ms: 4, error: null, firstError: 'early' });
  const broken = ends('early', 'late');
  expect(await twice(broken.attempt, running)).toMatchObject({ error: 'late', firstError: 'early' });
  const fine = ends(null);
  expect(await twice(fine.attempt, running)).toEqual({ name: 'one', ms: 2, error: null });
  expect(fine.tried).toEqual([1]);
  const stopped = ends('stopped', null);
  expect(await twice(stopped.attempt, AbortSignal.abort())).toMatchObject({ error: 'stopped' });
  expect(stopped.tried).toEqual([1]);
});
