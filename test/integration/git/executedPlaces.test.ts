/** Files of the tree that the user's git settings run: by whatever path, case and link the settings name them. */
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type GitFixture, gitFixture } from '../../support/git/gitFixture.ts';

let f: GitFixture;
beforeEach(() => {
  f = gitFixture();
});
afterEach(() => f.remove());

it.each<[name: string, setting: string, value: (f: GitFixture) => string, path: string]>([
  ['a relative path', 'core.hooksPath', () => 'scripts/hooks', 'scripts/hooks'],
  ['a name that begins with dots', 'core.hooksPath', () => '..hooks', '..hooks'],
  ['a path in another case', 'core.hooksPath', ({ repo }) => `${repo.toUpperCase()}/Hooks`, 'hooks'],
  ['a path through a link', 'core.hooksPath', ({ folder }) => join(folder, 'way', 'hooks'), 'hooks'],
  ['a path from the home', 'core.hooksPath', () => '~/repo/hooks', 'hooks'],
  ['a word of a command', 'core.fsmonitor', () => './Tools/watch.sh --fast', 'tools/watch.sh'],
])('%s', async (_, setting, value, path) => {
  symlinkSync(f.repo, join(f.folder, 'way'));
  mkdirSync(join(f.repo, 'hooks'));
  f.user('config', setting, value(f));
  const places = await f.adapter({ env: { ...process.env, HOME: f.folder } }).executedPlaces(f.repo);
  expect(places.map((one) => one.path)).toContain(path);
});

it('names nothing outside of the tree', async () => {
  f.user('config', 'core.hooksPath', join(f.folder, 'repo2', 'hooks'));
  f.user('config', 'core.pager', 'less -R');
  expect((await f.git.executedPlaces(f.repo)).map(({ path }) => path)).not.toContain('hooks');
  expect((await f.git.executedPlaces(f.repo)).filter(({ setting }) => setting === 'core.hookspath')).toEqual([]);
});
