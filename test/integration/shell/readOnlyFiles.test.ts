/** A git directory is removed where read-only files are refused: by the rmSync of Electron on Windows. */
import fs, { existsSync, mkdirSync, mkdtempSync, readdirSync, statSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { afterEach, expect, inject, test } from 'vitest';
import { platform } from '../../../src/adapters/platform/platform.ts';
import { removeTree } from '../../../src/adapters/shell/removeTree.ts';
import { startRepository } from '../../support/git/gitFixture.ts';

const { rmSync } = fs;
const { holdsFiles } = platform;

afterEach(() => {
  Object.assign(fs, { rmSync });
  Object.assign(platform, { holdsFiles });
  syncBuiltinESMExports();
});

function readOnlyIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => {
    const stat = statSync(join(folder, name));
    return stat.isFile() && (stat.mode & 0o200) === 0;
  });
}

test('its objects are made writable first', () => {
  const folder = mkdtempSync(join(inject('tempRoot'), 'git-'));
  const repo = join(folder, 'repo');
  mkdirSync(repo);
  startRepository(repo, { 'README.md': 'A program.\n' });
  expect(readOnlyIn(repo)).not.toEqual([]);
  Object.assign(platform, { holdsFiles: true });
  Object.assign(fs, {
    rmSync: (...words: Parameters<typeof rmSync>) => {
      const [first] = readOnlyIn(String(words[0]));
      if (first !== undefined) throw Object.assign(new Error(`EPERM, Permission denied: ${first}`), { code: 'EPERM' });
      rmSync(...words);
    },
  });
  syncBuiltinESMExports();
  removeTree(repo);
  expect(existsSync(repo)).toBe(false);
});
