/** Every program that tests start as a process or a thread, or import as a bundle: built once a run, by whichever file needs one first. */
import { existsSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { copyAssets, nodeBundle } from '../../../esbuild.mjs';
import type { Built } from '../suite/plantedBug.ts';
import { fewPrograms } from './fewPrograms.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** As a file beside the repository has it. */
export const WASM_FILE = createRequire(import.meta.url).resolve('sql.js/dist/sql-wasm.wasm');

/** Starting a bundle is much faster than starting the source; building all takes as long as building the first: most of it is the same. */
const ENTRIES = [
  'src/cli.ts',
  'src/worker.ts',
  'src/app/workspace/record.ts',
  'src/app/open/store.ts',
  'test/fixtures/agents/obedientAgent.ts',
  'test/fixtures/agents/scriptedAgent.ts',
  'test/support/process/agentOwner.ts',
  'test/support/process/agentWorker.ts',
  'test/support/process/answeringWorker.ts',
  'test/support/crash/crashOwner.ts',
  'test/support/crash/crashWorker.ts',
  'test/support/disk/diskOwner.ts',
  'test/support/disk/diskWorker.ts',
  'test/support/disk/lockOnFullDisk.ts',
  'test/support/disk/stateJob.ts',
  'test/support/crash/faultyWorker.ts',
  'test/support/process/gatewayWorker.ts',
  'test/support/process/ownerProcess.ts',
  'test/support/process/startingOwner.ts',
  'test/support/process/talkOwner.ts',
];

export interface TestPrograms extends Built {
  /** The worker thread's bundle. */
  readonly worker: URL;
  /** A PATH with the few programs that the tests' plans need, and no sandbox. */
  readonly fewPrograms: string;
  /** Where threads and processes keep what they compiled: NODE_COMPILE_CACHE. */
  readonly compiled: string;
}

/** `tempRoot` is the folder of this run, which removes it with all that is in it: there is nothing to dispose of. */
export async function testPrograms(tempRoot: string): Promise<TestPrograms> {
  const folder = join(tempRoot, 'programs');
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
    [Symbol.dispose]: () => undefined,
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
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  fewPrograms(join(folder, 'bin'), PROGRAMS);
  await copyAssets(dist);
  await build({ ...nodeBundle(ENTRIES, dist), entryNames: '[name]', sourcemap: false });
  writeFileSync(`${ready}.new`, '');
  renameSync(`${ready}.new`, ready);
}
