import { build } from 'esbuild';
import { expect, it } from 'vitest';
import { extensionBundle, nodeBundle } from '../../esbuild.mjs';
import { eagerPart } from '../support/bundleSize.ts';

const ENTRY_BYTES = 150_000;
/** Of each active project's thread. */
const THREAD_BYTES = 30_000;

it('the extension begins with at most 150 kB, and with no library', async () => {
  const options = extensionBundle(['src/extension.ts'], 'dist', true);
  const { metafile } = await build({ ...options, write: false });
  const { bytes, packages } = eagerPart(metafile, 'src/extension.ts');
  expect(packages).toEqual([]);
  expect(bytes).toBeGreaterThan(10_000);
  expect(bytes).toBeLessThanOrEqual(ENTRY_BYTES);
  const lazy = Object.values(metafile.outputs).flatMap(({ inputs }) => Object.keys(inputs));
  expect(lazy.some((path) => path.includes('sql.js'))).toBe(true);
});

it('a worker thread begins with its calls alone: agents, git and the engine come with its first work', async () => {
  const options = nodeBundle(['src/worker.ts'], 'dist', true);
  const { metafile } = await build({ ...options, write: false });
  const { bytes, packages } = eagerPart(metafile, 'src/worker.ts');
  expect(packages).toEqual(['birpc']);
  expect(bytes).toBeLessThanOrEqual(THREAD_BYTES);
  const lazy = Object.values(metafile.outputs).flatMap(({ inputs }) => Object.keys(inputs));
  expect(lazy.some((path) => path.includes('@anthropic-ai/sdk'))).toBe(true);
});
