/** Files of a conversation whose tree was changed by other lanes: what it did not read again is not replaced. */
import { expect, test } from 'vitest';
import { newMemory } from '../../../../../src/engine/job/context.ts';
import { watchedFiles } from '../../../../../src/engine/job/tree/checkpoints.ts';
import type { TreeFiles } from '../../../../../src/engine/session/ports.ts';

const BOUNDS = { maxBytes: 1_000, lines: null, hidden: () => false } as unknown as Parameters<TreeFiles['read']>[1];

function watched(stale: readonly string[]) {
  const disk = new Map<string, string>([['src/a.ts', 'of another lane']]);
  const files = {
    read: async (path: string) => disk.get(path.replace('./', '')) ?? '',
    write: async (path: string, content: string) => {
      disk.set(path.replace('./', ''), content);
      return path.replace('./', '');
    },
  } as unknown as TreeFiles;
  const memory = newMemory();
  for (const path of stale) memory.stale.add(path);
  return { disk, tree: watchedFiles({ memory }, files) };
}

test('a file that another lane changed is read before it is replaced', async () => {
  const { disk, tree } = watched(['src/a.ts']);
  for (const path of ['src/a.ts', './src/a.ts'])
    await expect(tree.write(path, 'from memory')).rejects.toMatchObject({ code: 'NOT_PERMITTED' });
  expect(disk.get('src/a.ts')).toBe('of another lane');
  await tree.read('./src/a.ts', BOUNDS);
  await tree.write('src/a.ts', 'both');
  expect(disk.get('src/a.ts')).toBe('both');
});

test('other files are written at once', async () => {
  const { disk, tree } = watched(['src/a.ts']);
  await tree.write('src/b.ts', 'new');
  expect(disk.get('src/b.ts')).toBe('new');
});
