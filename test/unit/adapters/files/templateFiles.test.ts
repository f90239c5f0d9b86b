import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { nodeFiles } from '../../../../src/adapters/files/files.ts';
import { templateFiles } from '../../../../src/adapters/files/templateFiles.ts';
import { type StateFolder, stateFolder } from '../../../support/state/stateFolder.ts';

let folder: StateFolder;
beforeEach(() => {
  folder = stateFolder();
});
afterEach(() => folder[Symbol.dispose]());

it('each template that is listed can be read, and no other', async () => {
  const place = join(folder.root, 'templates');
  mkdirSync(place);
  for (const file of ['good.yaml', 'aux.yaml', 'a:b.yaml', 'large.yaml', 'other.txt'])
    writeFileSync(join(place, file), file === 'large.yaml' ? 'x'.repeat(200) : file);
  const templates = templateFiles(place, nodeFiles, { ending: '.yaml', maxBytes: 100 });
  expect(await templates.names()).toEqual(['good']);
  expect(await templates.read('good')).toMatchObject({ path: join(place, 'good.yaml') });
  for (const name of ['aux', 'a:b', 'large', 'none', '../templates/good'])
    expect(await templates.read(name)).toBeNull();
});
