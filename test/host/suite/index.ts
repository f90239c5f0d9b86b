/** What VS Code runs in its extension host (`extensionTestsPath`): the same suite in every VS Code. */
import './activation.ts';
import './api.ts';
import './brief.ts';
import './commands.ts';
import './notes.ts';
import './projects.ts';
import { runTests } from './registry.ts';

export async function run(): Promise<void> {
  const report = process.env['HOST_TEST_REPORT'];
  if (!report) throw new Error('HOST_TEST_REPORT must name the file of the results');
  await runTests(report);
}
