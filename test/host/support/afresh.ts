/** The second attempt of what failed: nothing of the first is left around it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openBrowser } from '../../../scripts/vscode.mjs';
import { hasFailed, type Result } from '../../support/suiteReport.ts';
import { type runSuite, SUITE } from './results.ts';
import { serve, type World } from './world.ts';

/** On a server, in a browser and below a folder that are gone afterwards. */
export async function afresh<T>(world: World, body: (fresh: World) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'ah-'));
  const browser = await openBrowser(world.editor);
  try {
    const env = { ...suiteEnv(folder), HOST_TEST_ONLY: world.env['HOST_TEST_ONLY'] ?? '' };
    const server = await serve(world.editor, folder, { env });
    try {
      return await body({ ...world, folder, browser, url: server.url, env: server.env });
    } finally {
      await server.stop();
    }
  } finally {
    await browser.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

export const suiteEnv = (folder: string): { readonly HOST_TEST_REPORT: string } => ({
  HOST_TEST_REPORT: join(folder, 'results.jsonl'),
});

/** As a whole: its tests share a window, and some need what others made. */
export async function suiteAgain(world: World, first: readonly Result[], run: SuiteRun): Promise<readonly Result[]> {
  const failed = new Map(first.filter(hasFailed).map(({ name, error }) => [name, error ?? '']));
  const second = await afresh(world, run);
  const results = second.map((result): Result => {
    const firstError = failed.get(result.name);
    return firstError === undefined ? result : { ...result, firstError };
  });
  // The window itself failed: none of its tests can say so.
  const firstError = failed.get(SUITE);
  if (firstError === undefined || second.some(({ name }) => name === SUITE)) return results;
  return [...results, { name: SUITE, ms: 0, error: null, firstError }];
}

export type SuiteRun = (world: World) => ReturnType<typeof runSuite>;
