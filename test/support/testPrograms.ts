/** Every program that proofs start as a process or import as a bundle, built at once by whichever test file needs one of them first. */
import { existsSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { inject } from 'vitest';
import { copyAssets, nodeBundle } from '../../esbuild.mjs';
import type { Built } from './plantedBug.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** One build of all of them takes as long as one of the first: most of what is bundled is the same. */
const ENTRIES = [
  'src/cli.ts',
  'src/worker.ts',
  'src/compose/exportRecord.ts',
  'src/compose/importRecord.ts',
  'src/compose/storage.ts',
  'test/support/agentOwner.ts',
  'test/support/agentWorker.ts',
  'test/support/crashOwner.ts',
  'test/support/crashWorker.ts',
  'test/support/disk/diskOwner.ts',
  'test/support/disk/diskWorker.ts',
  'test/support/disk/lockOnFullDisk.ts',
  'test/support/disk/stateJob.ts',
  'test/support/ownerProcess.ts',
];

/** Removed with the folder of the test run: there is nothing to dispose of. */
export async function testPrograms(): Promise<Built> {
  const folder = join(inject('tempRoot'), 'programs');
  const ready = join(folder, 'ready');
  const dist = join(folder, 'dist');
  if (makes(folder)) await make(folder, dist, ready);
  while (!existsSync(ready)) await wait(20);
  return { program: (name) => pathToFileURL(join(dist, `${name}.js`)), [Symbol.dispose]: () => undefined };
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

async function make(folder: string, dist: string, ready: string): Promise<void> {
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  await copyAssets(dist);
  await build({ ...nodeBundle(ENTRIES, dist), entryNames: '[name]', sourcemap: false });
  writeFileSync(`${ready}.new`, '');
  renameSync(`${ready}.new`, ready);
}
