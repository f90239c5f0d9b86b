/**
 * `npm run test:electron`: the tests of suite/ in the desktop VS Code, which @vscode/test-electron downloads; not a part of
 * `npm test`, since many machines cannot reach that host. Flags: --executable=FILE (a VS Code that is here: nothing is
 * downloaded), --version=1.x.y, --extension=FOLDER.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { downloadAndUnzipVSCode, runTests } from '@vscode/test-electron';
import { root } from '../../scripts/setup.mjs';
import { makeRepository } from '../../src/app/demo/demo.ts';
import { messageOf } from '../../src/shared/errors.ts';
import { hasFailed, type Result, told } from '../support/suite/suiteReport.ts';
import { bundle } from './bundle.ts';

const { values: flags } = parseArgs({
  options: {
    executable: { type: 'string' },
    version: { type: 'string', default: 'stable' },
    extension: { type: 'string', default: root },
  },
});
const print = (line: string): void => void process.stdout.write(`${line}\n`);

async function executable(): Promise<string> {
  if (flags.executable !== undefined) return flags.executable;
  try {
    return await downloadAndUnzipVSCode({ version: flags.version, cachePath: join(root, '.vscode-test', 'electron') });
  } catch (cause) {
    const why = messageOf(cause);
    const instead = 'Name one that is here with --executable=FILE, or run the same tests with `npm test`.';
    throw new Error(`VS Code could not be downloaded: ${why}. ${instead}`, { cause });
  }
}

/** A line of JSON for each test that has ended. */
function readResults(file: string): readonly Result[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line));
}

async function main(): Promise<number> {
  const vscodeExecutablePath = await executable();
  const folder = mkdtempSync(join(tmpdir(), 'ah-'));
  try {
    const project = join(folder, 'sheet');
    mkdirSync(project);
    await makeRepository(project);
    const results = join(folder, 'results.jsonl');
    const user = join(folder, 'user');
    const ended = await runTests({
      vscodeExecutablePath,
      extensionDevelopmentPath: flags.extension,
      extensionTestsPath: await bundle('suite', folder),
      extensionTestsEnv: {
        HOST_TEST_REPORT: results,
        AUTONOMOUS_CONFIG_DIR: join(folder, 'config'),
        AUTONOMOUS_RUNTIME_DIR: join(folder, 'run'),
        AUTONOMOUS_JOBS_DIR: join(folder, 'jobs'),
      },
      launchArgs: [project, `--user-data-dir=${user}`, `--extensions-dir=${join(folder, 'extensions')}`],
    }).catch((thrown: unknown) => thrown);
    const all = readResults(results);
    for (const result of all) print(told(result));
    const failed = all.filter(hasFailed).length;
    print(`electron: ${all.length - failed} passed, ${failed} failed`);
    if (ended === 0 && all.length > 0 && failed === 0) return 0;
    if (failed === 0)
      print(`VS Code ended after ${all.length} tests: ${ended instanceof Error ? ended.message : ended}`);
    return 1;
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

try {
  process.exitCode = await main();
} catch (thrown) {
  print(messageOf(thrown));
  process.exitCode = 1;
}
