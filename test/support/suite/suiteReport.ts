/** The results of a suite that vitest does not run, in the form of vitest's report: what `npm test` sums up. */
import { writeFileSync } from 'node:fs';

export interface Result {
  readonly name: string;
  readonly ms: number;
  /** null: it passed. */
  readonly error: string | null;
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
  }));
  const status = numFailedTests > 0 ? 'failed' : 'passed';
  const testResults = [{ name: runner, status, message: '', assertionResults }];
  const numPassedTests = results.length - numFailedTests;
  const report = { numPassedTests, numFailedTests, numPendingTests: 0, numTodoTests: 0, testResults };
  writeFileSync(file, JSON.stringify(report));
}

/** The line of a result, and below it why it failed. */
export function told({ name, ms, error }: Result): string {
  if (error === null) return ` ✓ ${name} ${ms} ms`;
  return ` ✗ ${name} ${ms} ms\n${error.replaceAll(/^/gm, '     ')}`;
}
