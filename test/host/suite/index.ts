/** What the desktop VS Code runs in its extension host (`extensionTestsPath`): every test, a line of JSON for each result. */
import { appendFileSync } from 'node:fs';
import { hasFailed } from '../../support/suite/suiteReport.ts';
import './all.ts';
import { runTests } from './registry.ts';

export async function run(): Promise<void> {
  const report = process.env['HOST_TEST_REPORT'];
  if (!report) throw new Error('HOST_TEST_REPORT must name the file of the results');
  const results = await runTests((result) => appendFileSync(report, `${JSON.stringify(result)}\n`));
  const failed = results.filter(hasFailed).length;
  if (failed > 0) throw new Error(`${failed} of ${results.length} tests failed`);
}
