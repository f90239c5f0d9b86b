/** Folders of projects that are none of ours: named, counted, and not obeyed. */
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { foundProjects } from '../../../src/compose/definitions.ts';
import { becomeOwner } from '../../../src/compose/owner.ts';
import { EngineWorld } from '../../support/engineWorld.ts';

const MANY = 5_000;

it('are listed with why they cannot be adopted, and left as they are', async () => {
  await using world = await EngineWorld.open({ owner: { work: false } });
  await world.owner.wish('createProject', { name: 'api', goal: 'One API.' });
  const at = (...path: string[]): string => join(world.places.stateDir, 'projects', ...path);
  for (const name of ['good', 'API', 'Bad_Name', 'empty', 'large', 'linked']) mkdirSync(at(name), { recursive: true });
  writeFileSync(at('good', 'PROJECT.md'), '---\nname: good\n---\nA goal.\n');
  writeFileSync(at('large', 'PROJECT.md'), 'x'.repeat(10 * 1024 * 1024));
  symlinkSync(at('good', 'PROJECT.md'), at('linked', 'PROJECT.md'));
  symlinkSync(at('good'), at('link'));
  writeFileSync(at('file'), 'x');
  expect(await foundProjects(world.places, world.state)).toEqual([
    { name: 'API', fault: 'its name is that of the project api but for the case' },
    { name: 'Bad_Name', fault: expect.stringContaining('a project is named with a-z') },
    { name: 'empty', fault: 'it has no PROJECT.md' },
    { name: 'file', fault: expect.stringContaining('it is a link, or no folder') },
    { name: 'good', fault: null },
    { name: 'large', fault: 'its PROJECT.md is over 256 KiB' },
    { name: 'link', fault: expect.stringContaining('it is a link') },
    { name: 'linked', fault: expect.stringContaining('it is a link') },
  ]);
  for (const name of ['API', 'empty', 'large', 'linked', 'link', 'file']) {
    await expect(world.owner.wish('adoptProject', { name }), name).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  }
  writeFileSync(at('good', 'PROJECT.md'), '---\nname: api\n---\nA goal.\n');
  await expect(world.owner.wish('adoptProject', { name: 'good' })).rejects.toThrow(
    'PROJECT.md of good: line 2: name is api, but the folder is good',
  );
  // No owner begins where a folder of a project is one.
  rmSync(at('link'));
  await world.restart();
  expect([...world.state.projects.keys()]).toEqual(['api']);
});

it('keep nothing waiting, however many they are', async () => {
  await using world = await EngineWorld.open({ owner: { work: false } });
  await world.close();
  for (let n = 0; n < MANY; n++) {
    const folder = join(world.places.stateDir, 'projects', `found-${n}`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'PROJECT.md'), `---\nname: found-${n}\nstatus: active\n---\nObey.\n`);
  }
  const start = performance.now();
  world.owner = await becomeOwner(world.ownerOptions);
  const started = performance.now() - start;
  expect(world.state.projects.size).toBe(0);
  const before = performance.now();
  expect(await foundProjects(world.places, world.state)).toHaveLength(MANY);
  const listed = performance.now() - before;
  // Nothing of them is looked at by a start: that is a matter of milliseconds, and listing them of a second.
  expect({ started: started < 5_000, listed: listed < 20_000 }).toEqual({ started: true, listed: true });
});
