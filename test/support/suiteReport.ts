/** The results of a suite that vitest does not run, in the form of vitest's report: what `npm test` sums up. */
import { writeFileSync } from 'node:fs';

export interface Result {
  readonly name: string;
  readonly ms: number;
  /** null: it passed. */
  readonly error: string | null;
  /** Why its first attempt failed, where a second one was made. */
  readonly firstError?: string;
}

export const hasFailed = ({ error }: Result): boolean => error !== null;

/** `runner`: the file that stands for the suite. */
export function writeReport(file: string, runner: string, results: readonly Result[]): void {
  const numFailedTests = results.filter(hasFailed).length;
  const assertionResults = results.map((result) => ({
    fullName: result.name,
    duration: result.ms,
    status: hasFailed(result) ? 'failed' : 'passed',
    failureMessages: result.error === null ? [] : [result.error],
    ...(result.error === null && result.firstError !== undefined ? { firstFailure: result.firstError } : {}),
  }));
  const status = numFailedTests > 0 ? 'failed' : 'passed';
  const testResults = [{ name: runner, status, message: '', assertionResults }];
  const numPassedTests = results.length - numFailedTests;
  const report = { numPassedTests, numFailedTests, numPendingTests: 0, numTodoTests: 0, testResults };
  writeFileSync(file, JSON.stringify(report));
}

/** The line of a result, and below it why it failed. */
export function told({ name, ms, error, firstError }: Result): string {
  const indented = (text: string): string => text.replaceAll(/^/gm, '     ');
  if (error !== null) return ` ✗ ${name} ${ms} ms\n${indented(error)}`;
  if (firstError === undefined) return ` ✓ ${name} ${ms} ms`;
  return ` ! ${name} ${ms} ms, at the second attempt; the first:\n${indented(firstError)}`;
}

/**
 * A second attempt where the first failed: windows of a whole editor on a busy machine fail now and then for reasons that no
 * test is about. What is not told is never mended: the first error stays with the result. The times of both together.
 */
export async function twice(attempt: (number: 1 | 2) => Promise<Result>, stop: AbortSignal): Promise<Result> {
  const first = await attempt(1);
  if (first.error === null || stop.aborted) return first;
  const second = await attempt(2);
  return { ...second, ms: first.ms + second.ms, firstError: first.error };
}
