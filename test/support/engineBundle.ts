/** The worker thread's bundle, made once per test run by whichever file needs it first: starting it is faster than starting the source. */
import { existsSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { copyAssets, nodeBundle } from '../../esbuild.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** As a file beside the repository has it. */
export const WASM_FILE = createRequire(import.meta.url).resolve('sql.js/dist/sql-wasm.wasm');

/** `tempRoot` is the folder of this test run, which removes it. */
export async function workerBundle(tempRoot: string): Promise<URL> {
  const folder = join(tempRoot, 'engine');
  const ready = join(folder, 'ready');
  if (makes(folder)) await make(folder, ready);
  while (!existsSync(ready)) await wait(20);
  return pathToFileURL(join(folder, 'dist', 'worker.js'));
}

/** Only the first one makes it; test files run in processes of their own. */
function makes(folder: string): boolean {
  try {
    mkdirSync(folder);
    return true;
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw thrown;
  }
}

async function make(folder: string, ready: string): Promise<void> {
  const dist = join(folder, 'dist');
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  await copyAssets(dist);
  await build({ ...nodeBundle(['src/worker.ts'], dist), sourcemap: false });
  writeFileSync(`${ready}.new`, '');
  renameSync(`${ready}.new`, ready);
}
