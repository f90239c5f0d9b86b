import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeRuntimeDir } from '../../../../src/adapters/ipc/ownFolder.ts';
import { stateFolder } from '../../../support/state/stateFolder.ts';

it('a runtime folder that is a file is refused', async () => {
  using folder = stateFolder();
  const path = join(folder.root, 'run');
  mkdirSync(path);
  await makeRuntimeDir(path);
  writeFileSync(join(folder.root, 'file'), '');
  await expect(makeRuntimeDir(join(folder.root, 'file'))).rejects.toThrow();
});
