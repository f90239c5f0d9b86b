import { build } from 'esbuild';
import { expect, it } from 'vitest';
import { nodeBundle, ROOTS } from '../../../esbuild.mjs';
import { eagerPart } from '../../support/suite/bundleSize.ts';

const ENTRY_BYTES = 150_000;
/** Of each active project's thread. */
const THREAD_BYTES = 30_000;
/** What a window loads at its first look, besides the store; a fifth of it is the platform. */
const WORKSPACES_BYTES = 25_000;

const { metafile } = await build({ ...nodeBundle(ROOTS, 'dist', true), write: false });
const built = Object.values(metafile.outputs).flatMap(({ inputs }) => Object.keys(inputs));

it('the extension begins with at most 150 kB, and with no library', () => {
  const { bytes, packages } = eagerPart(metafile, 'src/extension.ts');
  expect(packages).toEqual([]);
  expect(bytes).toBeGreaterThan(10_000);
  expect(bytes).toBeLessThanOrEqual(ENTRY_BYTES);
  expect(built.some((path) => path.includes('sql.js'))).toBe(true);
});

it('a look of a window loads the store and nothing else of the engine', () => {
  const { bytes, packages } = eagerPart(metafile, 'src/app/workspace/editorWorkspaces.ts');
  expect(packages).toEqual([]);
  expect(bytes).toBeLessThanOrEqual(WORKSPACES_BYTES);
  expect(eagerPart(metafile, 'src/app/workspace/boardState.ts').packages).toEqual(['zod']);
});

it('the command line begins with no library: what it is asked for brings them', () => {
  expect(eagerPart(metafile, 'src/cli.ts').packages).toEqual([]);
});

it('a worker thread begins with its calls alone: agents, git and the engine come with its first work', () => {
  const { bytes, packages } = eagerPart(metafile, 'src/worker.ts');
  expect(packages).toEqual(['birpc']);
  expect(bytes).toBeLessThanOrEqual(THREAD_BYTES);
  expect(built.some((path) => path.includes('@anthropic-ai/sdk'))).toBe(true);
});
