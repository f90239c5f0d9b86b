import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { skillFiles } from '../../../../src/adapters/files/skillFiles.ts';
import { type StateFolder, stateFolder } from '../../../support/state/stateFolder.ts';

let folder: StateFolder;
beforeEach(() => {
  folder = stateFolder();
});
afterEach(() => folder[Symbol.dispose]());

it('each file that is listed can be read, and a refusal says why', async () => {
  for (const file of ['SKILL.md', 'references/steps.md', 'references/aux.md', 'con/x.md', 'what?.md']) {
    const path = join(folder.root, 'skills', 'good', file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, file);
  }
  const files = skillFiles([join(folder.root, 'skills')]);
  const [good] = await files.folders();
  if (good === undefined) throw new Error('no skill');
  expect(await files.files(good)).toEqual(['SKILL.md', 'references/steps.md']);
  for (const path of await files.files(good)) expect(await files.read(good, path)).toBe(path);
  for (const path of ['references/aux.md', 'con/x.md', 'what?.md'])
    await expect(files.read(good, path)).rejects.toThrow(
      `"${path}" has a name that means something else on Windows: rename the file`,
    );
  for (const path of ['../good/SKILL.md', '/SKILL.md', 'a\\b', '.hidden'])
    await expect(files.read(good, path)).rejects.toThrow("leads out of the skill's folder");
});
