import { expect, test } from 'vitest';
import type { Wishes } from '../../../../src/engine/job/wishes/ports.ts';
import { projectWishes } from '../../../../src/engine/project/wishes.ts';
import { grant } from '../../../../src/engine/workspace/wishes.ts';
import { failure } from '../../../../src/shared/errors.ts';
import { openMemoryStore } from '../../../support/state/memoryStore.ts';
import { FakeClock } from '../../../support/time/fakeClock.ts';
import { projectPorts } from '../../../support/world/projectPorts.ts';

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
