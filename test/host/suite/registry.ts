/** The few lines of a test runner that the extension host needs: one test after another, each with its result. */
import { within } from '../../support/demo/endings.ts';
import type { Result } from '../../support/suite/suiteReport.ts';

interface Test {
  readonly name: string;
  readonly body: () => Promise<void> | void;
}

/** In the order in which they run: each may use what those before it made. */
const tests: Test[] = [];
/** Ends what waits for something that never comes. */
const LONGEST_MS = 900_000;

export function test(name: string, body: Test['body']): void {
  tests.push({ name, body });
}

async function outcome({ name, body }: Test): Promise<Result> {
  const start = performance.now();
  const end = (error: string | null): Result => ({ name, ms: Math.round(performance.now() - start), error });
  try {
    await within(Promise.resolve(body()), LONGEST_MS, 'the test');
    return end(null);
  } catch (thrown) {
    return end(thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown));
  }
}

/** Runs one test by its name, whatever it uses of others. */
export async function runTest(name: string): Promise<Result> {
  const found = tests.find((one) => one.name === name);
  if (found === undefined) throw new Error(`no test in the extension host is named: ${name}`);
  return outcome(found);
}

/** Runs all; `report` gets each result at once. */
export async function runTests(report: (result: Result) => void): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (const each of tests) {
    const result = await outcome(each);
    report(result);
    results.push(result);
  }
  return results;
}
