import assert from 'node:assert/strict';
import { commands } from 'vscode';
import { extension, manifest } from './extension.ts';
import { test } from './registry.ts';

const declared = (): readonly string[] => (manifest().contributes?.commands ?? []).map(({ command }) => command);
/** Made by VS Code itself for a view or a container. */
const GENERATED = /\.(focus|resetViewLocation|removeView|open|toggleVisibility)$/;

async function registered(): Promise<readonly string[]> {
  await extension().activate();
  const all = await commands.getCommands(true);
  return all.filter((id) => id.startsWith('autonomous.'));
}

test('every declared command is registered', async () => {
  const have = new Set(await registered());
  assert.deepEqual(
    declared().filter((id) => !have.has(id)),
    [],
  );
});

test('every registered command is declared', async () => {
  const have = new Set(declared());
  const own = (await registered()).filter((id) => !GENERATED.test(id) || have.has(id));
  assert.deepEqual(
    own.filter((id) => !have.has(id)),
    [],
  );
});

test('every declared command is ours, once', () => {
  const ids = declared();
  assert.equal(new Set(ids).size, ids.length);
  assert.deepEqual(
    ids.filter((id) => !id.startsWith('autonomous.')),
    [],
  );
});
