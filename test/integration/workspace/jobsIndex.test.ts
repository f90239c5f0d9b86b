/** `jobs_index.json` of a workspace whose commands were given different folders for their jobs. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { becomeOwner } from '../../../src/app/owner/owner.ts';
import { EngineWorld } from '../../support/world/engineWorld.ts';

test('one index has the jobs of all folders, and its current job is the selected one', async () => {
  await using world = await EngineWorld.open();
  const index = () => JSON.parse(readFileSync(join(world.places.jobsDir, 'jobs_index.json'), 'utf8')) as unknown;
  await world.run({ mergeMode: 'branch' });
  const first = world.jobId;
  await world.close();
  const other = join(world.folder, 'other', 'ws');
  world.owner = await becomeOwner({ ...world.ownerOptions, places: { ...world.places, jobsDir: other } });
  await world.submit({ mergeMode: 'branch', gates: ['plan'] });
  const second = world.jobId;
  await world.until('it has a folder', () => world.job.clone_dir !== null);
  await world.owner.request('selectJob', { jobId: first });
  await world.close();
  expect(index()).toEqual({
    current_job_id: first,
    jobs: { [first]: join(world.places.jobsDir, first), [second]: join(other, second) },
  });
  expect([existsSync(join(other, second)), existsSync(join(other, 'jobs_index.json'))]).toEqual([true, false]);
});
