/** Files of a conversation whose tree was changed by other lanes: what it did not read again is not replaced. */
import { expect, test } from 'vitest';
import { newMemory, staleOf } from '../../../../../src/engine/job/context.ts';
import { watchedFiles } from '../../../../../src/engine/job/tree/checkpoints.ts';
import type { TreeFiles } from '../../../../../src/engine/session/ports.ts';
import { failure } from '../../../../../src/shared/errors.ts';

const BOUNDS = { maxBytes: 1_000, lines: null, hidden: () => false } as const;
const name = (path: string): string => path.replace('./', '');

function watched(stale: readonly string[]) {
  const disk = new Map<string, string>([['src/a.ts', 'of another lane']]);
  const there = (path: string): string => {
    const text = disk.get(name(path));
    if (text === undefined) throw failure('NOT_FOUND', `${path} does not exist`);
    return text;
  };
  const files = {
    read: async (path: string) => there(path),
    bytes: async (path: string) => new TextEncoder().encode(there(path)),
    look: async (path: string) => ({ kind: 'file', bytes: there(path).length }),
    write: async (path: string, content: string) => {
      disk.set(name(path), content);
      return name(path);
    },
  } as unknown as TreeFiles;
  const memory = newMemory();
  for (const path of stale) staleOf(memory, 1).add(path);
  return { disk, tree: watchedFiles({ memory }, 1, files), of: (id: number) => watchedFiles({ memory }, id, files) };
}

test('a file that another lane changed is replaced only after it was read', async () => {
  const { disk, tree } = watched(['src/a.ts']);
  for (const path of ['src/a.ts', './src/a.ts'])
    await expect(tree.write(path, 'from memory')).rejects.toMatchObject({ code: 'NOT_PERMITTED' });
  expect(disk.get('src/a.ts')).toBe('of another lane');
  await tree.bytes('./src/a.ts', BOUNDS);
  await tree.write('src/a.ts', 'both');
  expect(disk.get('src/a.ts')).toBe('both');
});

test('an edit, which reads and writes, is made; what it did not show is not replaced', async () => {
  const { disk, tree } = watched(['src/a.ts']);
  await tree.read('src/a.ts', BOUNDS);
  await tree.write('src/a.ts', 'edited');
  await expect(tree.write('src/a.ts', 'from memory')).rejects.toMatchObject({ code: 'NOT_PERMITTED' });
  // An edit that found no match writes nothing.
  await tree.read('src/a.ts', BOUNDS);
  await tree.write('src/b.ts', 'new');
  await expect(tree.write('src/a.ts', 'from memory')).rejects.toMatchObject({ code: 'NOT_PERMITTED' });
  expect(disk.get('src/a.ts')).toBe('edited');
});

test('another conversation in the same lane is not refused', async () => {
  const { disk, of } = watched(['src/a.ts']);
  await of(2).write('src/a.ts', 'its own file');
  expect(disk.get('src/a.ts')).toBe('its own file');
});

test('other files, and one that another lane removed, are written at once', async () => {
  const { disk, tree } = watched(['src/a.ts', 'src/gone.ts']);
  for (const path of ['src/b.ts', 'src/gone.ts']) await tree.write(path, 'new');
  expect([disk.get('src/b.ts'), disk.get('src/gone.ts')]).toEqual(['new', 'new']);
});
