/** Sums up the reports of the suites, in vitest's own form: counts, and for each failure what a reader needs to see it again. */
import { relative, sep } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { root } from '../setup.mjs';

/** Lines of one error: what failed and where. The rest is in the output of the step. */
const LINES = 12;
/** Variables that change the inputs of a test. */
const VARIABLES = ['PROOF', 'PROOF_SEED', 'PROOF_TIMES'];

/** How the error of a test begins that did not run, because one before it in the same window failed. */
export const NOT_REACHED = 'not reached:';

const isReached = ({ failureMessages }) => !failureMessages[0]?.startsWith(NOT_REACHED);

const isFailed = ({ status }) => status === 'failed';

/** A file that could not even be loaded is one failure. */
const isBroken = ({ status, assertionResults }) => status === 'failed' && !assertionResults.some(isFailed);

const firstLines = (text) =>
  stripVTControlCharacters(text)
    .trim()
    .split('\n')
    .slice(0, LINES)
    .map((line) => `    ${line}`);

const quoted = (word) => `'${word.replaceAll("'", String.raw`'\''`)}'`;
const escaped = (text) => text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);

/** The vitest project of a file; null for the suite in VS Code, which has a separate runner. */
function projectOf(file) {
  if (file.startsWith('test/editor/')) return null;
  if (file.startsWith('test/integration/agent/real')) return 'agents';
  if (file.startsWith('test/unit/')) return "'unit*'";
  return file.split('/')[1];
}

/**
 * The command that runs one test alone, with the same inputs.
 * @param {string} file from the root
 * @param {string | null} name of the test; null for the whole file
 * @param {NodeJS.ProcessEnv} env of the run
 */
export function commandFor(file, name, env) {
  const set = VARIABLES.filter((key) => env[key]).map((key) => `${key}=${quoted(env[key])}`);
  const project = projectOf(file);
  const run = project === null ? ['npx', 'node', file] : ['npx', 'vitest', 'run', '--project', project, file];
  const only = project === null ? `--only=${quoted(name ?? '')}` : `-t ${quoted(`^${escaped(name ?? '')}$`)}`;
  return [...set, ...run, ...(name === null ? [] : [only])].join(' ');
}

const pathOf = ({ name }) => relative(root, name).split(sep).join('/');

/** One line each. */
const notReached = (file) =>
  file.assertionResults
    .filter((result) => isFailed(result) && !isReached(result))
    .map(({ fullName }) => `  – ${pathOf(file)}: ${fullName}: not reached`);

function errorsOf(tested, env) {
  const { message, assertionResults } = tested;
  const file = pathOf(tested);
  const again = (test) => `    run it alone: ${commandFor(file, test, env)}`;
  const failed = assertionResults
    .filter((result) => isFailed(result) && isReached(result))
    .flatMap(({ fullName, failureMessages }) => [
      `  ✗ ${file}: ${fullName}`,
      ...firstLines(failureMessages.join('\n')),
      again(fullName),
    ]);
  if (isBroken({ status: 'failed', assertionResults })) return [`  ✗ ${file}`, ...firstLines(message), again(null)];
  return failed;
}

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

/**
 * The lines on what failed: the tests that were not reached first, so that the end of the output has the errors.
 * @param {readonly { testResults: readonly object[] }[]} reports
 * @param {NodeJS.ProcessEnv} env that the suites ran with
 */
export function failures(reports, env = process.env) {
  const files = reports.flatMap(({ testResults }) => testResults.filter(isFailed));
  return [...files.flatMap(notReached), ...files.flatMap((file) => errorsOf(file, env))];
}
