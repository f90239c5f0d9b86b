/** Folders of the PATH that a command may read in the home: none in a closed place, however a file system spells it. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { toolchains } from '../../../../../src/adapters/shell/sandbox/toolchains.ts';

let home: string;
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'tc-')));
  for (const name of ['tools/bin', 'Proj/bin']) mkdirSync(join(home, name), { recursive: true });
  symlinkSync(join(home, 'Proj'), join(home, 'way'));
});
afterEach(() => rmSync(home, { recursive: true }));

test.each(['Proj', 'proj', 'PROJ.', 'way'])('with %s closed', (closed) => {
  const path = ['tools/bin', 'Proj/bin', 'way/bin'].map((name) => join(home, name));
  const readable = toolchains({ PATH: path.join(':') }, home, [home, join(home, closed)]);
  expect(readable).toContain(join(home, 'tools', 'bin'));
  expect(readable.filter((folder) => /proj|way/i.test(folder))).toEqual([]);
});
