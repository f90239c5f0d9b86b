import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { extension, projectDir } from './extension.ts';
import { test } from './registry.ts';

test('activates', async () => {
  await extension().activate();
  assert.ok(extension().isActive);
});

test('activation alone writes nothing into the folder', () => {
  assert.ok(
    !existsSync(join(projectDir(), '.autonomous')),
    '.autonomous is made by the first brief, not by opening a folder',
  );
});
