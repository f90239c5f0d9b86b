import { expect, test } from 'vitest';
import type { Wishes } from '../../../src/engine/wishes/ports.ts';
import { grant } from '../../../src/engine/wishes.ts';
import { projectWishes } from '../../../src/projects/wishes.ts';
import { failure } from '../../../src/shared/errors.ts';
import { FakeClock } from '../../support/fakeClock.ts';
import { openMemoryStore } from '../../support/memoryStore.ts';
import { projectPorts } from '../../support/projectPorts.ts';

test('a name of a project of ours is not taken for a folder of somebody else', async () => {
  const ports = projectPorts(await openMemoryStore(new FakeClock()));
  const folders = new Set<string>();
  const checkFree = async (name: string): Promise<void> => {
    if (folders.has(name)) throw failure('INVALID_INPUT', 'none of ours');
    folders.add(name);
  };
  const wishes = projectWishes({ ...ports, checkFree }) as unknown as Wishes;
  await grant(wishes, 'createProject', { name: 'api' });
  await expect(grant(wishes, 'createProject', { name: 'api' })).rejects.toThrow('there is a project api already');
});
