/** What the reports of the suites come to, in vitest's own form: counts, and what a reader needs of each failure. */
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { root } from './setup.mjs';

/** Of one error: what failed and where; the rest is in the output above. */
const LINES = 12;

const isFailed = ({ status }) => status === 'failed';

/** A file that could not even be loaded is one failure. */
const isBroken = ({ status, assertionResults }) => status === 'failed' && !assertionResults.some(isFailed);

const told = (text) =>
  stripVTControlCharacters(text)
    .trim()
    .split('\n')
    .slice(0, LINES)
    .map((line) => `    ${line}`);

function unfinished({ name, message, assertionResults }) {
  const file = relative(root, name);
  const failed = assertionResults
    .filter(isFailed)
    .flatMap(({ fullName, failureMessages }) => [`  ✗ ${file}: ${fullName}`, ...told(failureMessages.join('\n'))]);
  const broken = isBroken({ status: 'failed', assertionResults }) ? [`  ✗ ${file}`, ...told(message)] : [];
  return [...broken, ...failed];
}

const secondAttempts = ({ name, assertionResults }) =>
  assertionResults
    .filter(({ firstFailure }) => firstFailure)
    .flatMap(({ fullName, firstFailure }) => [
      `  ! ${relative(root, name)}: ${fullName}: passed at the second attempt; the first:`,
      ...told(firstFailure),
    ]);

/** @param {readonly object[]} reports */
export function count(reports) {
  const total = { passed: 0, failed: 0, skipped: 0 };
  for (const report of reports) {
    total.passed += report.numPassedTests;
    total.failed += report.numFailedTests + report.testResults.filter(isBroken).length;
    total.skipped += report.numPendingTests + report.numTodoTests;
  }
  return total;
}

/** The lines on what failed, and on what passed at its second attempt alone. @param {readonly object[]} reports */
export function failures(reports) {
  const files = reports.flatMap(({ testResults }) => testResults);
  return [...files.flatMap(secondAttempts), ...files.filter(isFailed).flatMap(unfinished)];
}
