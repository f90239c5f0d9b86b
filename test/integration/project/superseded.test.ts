/** An owner whose place was taken, and that does not know it yet: what it still does changes nothing that the new one writes. */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectMemory } from '../../../src/app/open/memories.ts';
import { filesOfEpoch } from '../../../src/app/open/stateFiles.ts';
import { says } from '../../support/session/sessionBench.ts';
import { stateFolder } from '../../support/state/stateFolder.ts';
import { EngineWorld } from '../../support/world/engineWorld.ts';
import { TalkWorld } from '../../support/world/talkWorld.ts';

test('PROJECT.md stays as the new owner wrote it', async () => {
  await using world = await EngineWorld.open({ owner: { work: false } });
  await world.owner.request('createProject', { name: 'api', goal: 'One API.' });
  const folder = join(world.places.stateDir, 'projects', 'api');
  const file = join(folder, 'PROJECT.md');
  const mine = readFileSync(file, 'utf8');
  writeFileSync(join(world.places.stateDir, 'epoch', '99'), '');
  const theirs = mine.replace('status: active', 'status: suspended');
  writeFileSync(`${file}.tmp`, theirs);
  renameSync(`${file}.tmp`, file);
  // It looks at the file before it grants a request.
  await expect(world.owner.request('sendMessage', { project: 'api', text: 'Hello.' })).rejects.toMatchObject({
    code: 'OWNER_LOST',
  });
  expect(readFileSync(file, 'utf8')).toBe(theirs);
  expect(readdirSync(folder).filter((name) => name.endsWith('.edited'))).toEqual([]);
});

test('a memory takes nothing more of it, and loses nothing', async () => {
  using state = stateFolder();
  const claim = (epoch: number): void => writeFileSync(join(state.stateDir, 'epoch', String(epoch)), '');
  mkdirSync(join(state.stateDir, 'epoch'), { recursive: true });
  claim(1);
  const memory = projectMemory(state.stateDir, 'api', filesOfEpoch(state.stateDir, 1));
  await memory.write('facts/a.md', 'a');
  claim(2);
  const lost = { code: 'OWNER_LOST' };
  await expect(memory.write('facts/a.md', 'b')).rejects.toMatchObject(lost);
  for (const path of ['facts/a.md', 'facts']) await expect(memory.remove(path)).rejects.toMatchObject(lost);
  await expect(memory.rename('facts/a.md', 'facts/b.md')).rejects.toMatchObject(lost);
  expect(await memory.read('facts/a.md')).toBe('a');
});

test('a conversation is not begun anew under the new owner, which writes to its end', async () => {
  const world = await TalkWorld.open([says('First.'), says('A summary.'), says('Second.')], {
    settings: { compactAtTokens: 1 },
  });
  await world.say('One.');
  expect(await world.converse()).toBeNull();
  const before = readFileSync(join(world.session, 'current.jsonl'), 'utf8');
  writeFileSync(join(world.stateDir, 'epoch', '99'), '');
  await world.say('Two.');
  expect(await world.converse()).toMatchObject({ code: 'OWNER_LOST' });
  expect(readFileSync(join(world.session, 'current.jsonl'), 'utf8')).toBe(before);
  expect(readdirSync(world.session)).toEqual(['current.jsonl']);
  expect(existsSync(join(world.session, 'next.1.jsonl'))).toBe(false);
  await world.close();
});
