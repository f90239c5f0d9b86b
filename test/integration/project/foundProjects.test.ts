/** Folders of projects that are none of ours: named, counted, and not obeyed. */
import { mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { nodeFiles } from '../../../src/adapters/files/files.ts';
import { foundProjects } from '../../../src/app/open/definitions.ts';
import { lookAtState } from '../../../src/app/open/store.ts';
import { becomeOwner } from '../../../src/app/owner/owner.ts';
import { WASM_FILE } from '../../support/process/testPrograms.ts';
import { EngineWorld } from '../../support/world/engineWorld.ts';

const MANY = 200;

/** Calls of the file system about these projects, as long as `work` takes. */
async function callsAbout(name: string, work: () => Promise<unknown>): Promise<string[]> {
  const calls: string[] = [];
  const plain = { ...nodeFiles };
  const watched = Object.entries(plain).map(([call, does]) => [
    call,
    (path: string, ...more: unknown[]) => {
      if (path.includes(name)) calls.push(call);
      return (does as (...given: unknown[]) => unknown)(path, ...more);
    },
  ]);
  Object.assign(nodeFiles, Object.fromEntries(watched));
  try {
    await work();
  } finally {
    Object.assign(nodeFiles, plain);
  }
  return calls;
}

it('are listed with why they cannot be adopted, and left as they are', async () => {
  await using world = await EngineWorld.open({ owner: { work: false } });
  await world.owner.request('createProject', { name: 'api', goal: 'One API.' });
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
    await expect(world.owner.request('adoptProject', { name }), name).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  }
  writeFileSync(at('good', 'PROJECT.md'), '---\nname: api\n---\nA goal.\n');
  await expect(world.owner.request('adoptProject', { name: 'good' })).rejects.toThrow(
    'PROJECT.md of good: line 2: name is api, but the folder is good',
  );
  await world.restart();
  expect([...world.state.projects.keys()]).toEqual(['api']);
  symlinkSync(at('large'), at('good', 'memory'));
  writeFileSync(at('good', 'PROJECT.md'), '---\nname: good\n---\nA goal.\n');
  await expect(world.owner.request('adoptProject', { name: 'good' })).rejects.toMatchObject({ code: 'STATE_SYMLINK' });
});

it.each(['', 'session', 'memory', 'skills'])('are ours to refuse where one of ours is a link: "%s"', async (name) => {
  await using world = await EngineWorld.open({ owner: { work: false } });
  await world.owner.request('createProject', { name: 'api', goal: 'One API.' });
  await world.close();
  const path = join(world.places.stateDir, 'projects', 'api', name);
  const elsewhere = join(world.places.stateDir, '..', '..', 'elsewhere');
  mkdirSync(elsewhere);
  rmSync(path, { recursive: true });
  symlinkSync(elsewhere, path);
  const { places, clock } = world;
  await expect(becomeOwner(world.ownerOptions)).rejects.toMatchObject({ code: 'STATE_SYMLINK', details: { path } });
  await expect(lookAtState({ places, clock, wasmFile: WASM_FILE })).rejects.toMatchObject({ code: 'STATE_SYMLINK' });
  expect(readdirSync(elsewhere)).toEqual([]);
});

it('are not looked at by a start, and cost a few calls each when they are listed, however many they are', async () => {
  await using world = await EngineWorld.open({ owner: { work: false } });
  await world.close();
  for (let n = 0; n < MANY; n++) {
    const folder = join(world.places.stateDir, 'projects', `found-${n}`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'PROJECT.md'), `---\nname: found-${n}\nstatus: active\n---\nObey.\n`);
  }
  const atStart = await callsAbout('found-', async () => {
    world.owner = await becomeOwner(world.ownerOptions);
  });
  expect(atStart).toEqual([]);
  expect(world.state.projects.size).toBe(0);
  const whenListed = await callsAbout('found-', async () => {
    expect(await foundProjects(world.places, world.state)).toHaveLength(MANY);
  });
  expect(whenListed.length).toBeLessThanOrEqual(4 * MANY);
});
