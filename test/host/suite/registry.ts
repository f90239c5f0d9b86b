/** The few lines of a test runner that the extension host needs: one test after another, each with its line of the report. */
import { appendFileSync } from 'node:fs';
import type { Result } from '../../support/suiteReport.ts';

interface Test {
  readonly name: string;
  readonly body: () => Promise<void> | void;
  readonly patienceMs: number;
  /** The test that makes what this one looks at: it is run before it, whatever was asked for. */
  readonly needs: Test | null;
}

const tests: Test[] = [];
const ONLY = (process.env['HOST_TEST_ONLY'] ?? '').split('\n');
const PATIENCE_MS = 30_000;

export function test(
  name: string,
  body: Test['body'],
  { patienceMs = PATIENCE_MS, needs = null }: Partial<Pick<Test, 'patienceMs' | 'needs'>> = {},
): Test {
  const made: Test = { name, body, patienceMs, needs };
  tests.push(made);
  return made;
}

/** Those that were asked for and, each before who needs it, those that they need. */
function chosen(): ReadonlySet<Test> {
  const found = new Set<Test>();
  const add = (one: Test): void => {
    if (one.needs !== null) add(one.needs);
    found.add(one);
  };
  for (const one of tests) if (ONLY.some((words) => one.name.includes(words))) add(one);
  return found;
}

function late(patienceMs: number): Promise<never> {
  return new Promise((_, reject) => {
    setTimeout(() => reject(new Error(`took longer than ${patienceMs / 1000} s`)), patienceMs).unref();
  });
}

async function outcome({ name, body, patienceMs }: Test): Promise<Result> {
  const start = performance.now();
  const end = (error: string | null): Result => ({ name, ms: Math.round(performance.now() - start), error });
  try {
    await Promise.race([Promise.resolve(body()), late(patienceMs)]);
    return end(null);
  } catch (thrown) {
    return end(thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown));
  }
}

/** Runs everything and appends each result, a line of JSON, to the report. Rejects when a test failed. */
export async function runTests(report: string): Promise<void> {
  let failed = 0;
  const run = chosen();
  for (const each of run) {
    const result = await outcome(each);
    if (result.error !== null) failed += 1;
    appendFileSync(report, `${JSON.stringify(result)}\n`);
  }
  if (failed > 0) throw new Error(`${failed} of ${run.size} tests failed`);
}
