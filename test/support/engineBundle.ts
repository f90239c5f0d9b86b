/** What every world of a test run shares, made once by whichever file needs it first. */
import { existsSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { copyAssets, nodeBundle } from '../../esbuild.mjs';
import { fewPrograms } from './fewPrograms.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** As a file beside the repository has it. */
export const WASM_FILE = createRequire(import.meta.url).resolve('sql.js/dist/sql-wasm.wasm');

/** Starting a bundle is much faster than starting the source. */
const ENTRIES = [
  'src/cli.ts',
  'src/worker.ts',
  'test/fixtures/agents/scriptedAgent.ts',
  'test/support/answeringWorker.ts',
  'test/support/crashOwner.ts',
  'test/support/crashWorker.ts',
  'test/support/faultyWorker.ts',
  'test/support/gatewayWorker.ts',
  'test/support/talkOwner.ts',
];

export interface EngineParts {
  /** The worker thread's bundle. */
  readonly worker: URL;
  /** A PATH with the few programs that the tests' plans need, and no sandbox. */
  readonly fewPrograms: string;
  /** Where threads and processes keep what they compiled: NODE_COMPILE_CACHE. */
  readonly compiled: string;
  /** The bundle of an entry, by its name without extension; all lie in one folder, with their assets. */
  program(name: string): URL;
}

/** `tempRoot` is the folder of this test run, which removes it. */
export async function engineParts(tempRoot: string): Promise<EngineParts> {
  const folder = join(tempRoot, 'engine');
  const ready = join(folder, 'ready');
  if (makes(folder)) await make(folder, ready);
  while (!existsSync(ready)) await wait(20);
  const program = (name: string): URL => {
    if (!ENTRIES.some((entry) => basename(entry, '.ts') === name)) throw new Error(`${name} is not built`);
    return pathToFileURL(join(folder, 'dist', `${name}.js`));
  };
  return {
    worker: program('worker'),
    fewPrograms: join(folder, 'bin'),
    compiled: join(folder, 'compiled'),
    program,
  };
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

const PROGRAMS = ['git', 'sh', 'ls', 'cat', 'false', 'sleep', 'node'];

async function make(folder: string, ready: string): Promise<void> {
  const dist = join(folder, 'dist');
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  fewPrograms(join(folder, 'bin'), PROGRAMS);
  await copyAssets(dist);
  await build({ ...nodeBundle(ENTRIES, dist), entryNames: '[name]', sourcemap: false });
  writeFileSync(`${ready}.new`, '');
  renameSync(`${ready}.new`, ready);
}
