/** Which dependencies a folder names and no lock file holds, on real files. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { detectSetup, setupGap } from '../../../src/adapters/files/setupCommands.ts';

function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(inject('tempRoot'), 's-'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

const NPM = '{"dependencies":{"a":"1"}}';

test.each([
  [{}, null],
  [{ 'package.json': '{"scripts":{"test":"node --test"}}' }, null],
  [{ 'package.json': '{"dependencies":{}}' }, null],
  [{ 'package.json': 'no JSON' }, null],
  [{ 'package.json': NPM }, 'npm install'],
  [{ 'package.json': '{"devDependencies":{"tap":"1"}}' }, 'npm install'],
  [{ 'package.json': NPM, 'yarn.lock': '' }, null],
  [{ 'package.json': NPM, 'package-lock.json': '{}' }, null],
  [{ 'requirements.txt': '# none\n' }, null],
  [{ 'requirements.txt': 'requests==2\n' }, 'pip install -r requirements.txt'],
  [{ 'pyproject.toml': '[project]\ndependencies = ["requests"]\n' }, 'pip install .'],
  [{ 'pyproject.toml': '[project]\ndependencies = ["requests"]\n', 'uv.lock': '' }, null],
  [{ 'Cargo.toml': '[package]\nname = "x"\n' }, null],
  [{ 'Cargo.toml': '[dependencies]\nserde = "1"\n' }, 'cargo fetch'],
  [{ 'go.mod': 'module x\nrequire y v1\n' }, 'go mod download'],
  [{ Gemfile: "source 'x'\ngem 'rake'\n" }, 'bundle install'],
  [{ 'composer.json': '{"require":{"a/b":"1"}}' }, 'composer install --no-interaction'],
])('%j: %j', async (files, command) => {
  const folder = folderOf(files);
  expect((await setupGap(folder))?.command ?? null).toBe(command);
  if (command !== null) expect(await detectSetup(folder)).toEqual([]);
});
