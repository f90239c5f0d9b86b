import { expect, test } from 'vitest';
import type { EngineRequests } from '../../../../src/engine/job/requests/ports.ts';
import { projectRequests } from '../../../../src/engine/project/requests.ts';
import { handleRequest } from '../../../../src/engine/workspace/requests.ts';
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
  const requests = projectRequests({ ...ports, checkFree }) as unknown as EngineRequests;
  await handleRequest(requests, 'createProject', { name: 'api' });
  await expect(handleRequest(requests, 'createProject', { name: 'api' })).rejects.toThrow(
    'there is a project api already',
  );
});
