import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { searchPathOutside } from '../../../../src/adapters/platform/searchPath.ts';

test('what lies in a folder, or leads there, or is not there yet, is left out; the rest stays in its order', () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'sp-')));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const repo = join(root, 'repo');
  mkdirSync(join(repo, 'bin'), { recursive: true });
  mkdirSync(join(root, 'repository', 'bin'), { recursive: true });
  symlinkSync(repo, join(root, 'way'));
  symlinkSync(join(repo, 'bin'), join(root, 'bin'));
  const out = ['', '.', 'bin', './node_modules/.bin', repo, `${repo}/bin/`, `${root}/repository/../repo/bin`];
  // On other systems, these are in the same folder.
  out.push(join(root, 'REPO', 'bin'), `${repo}. /bin`);
  const led = [`${root}/way/node_modules/.bin`, `${root}/bin`, `${repo}/not/yet`];
  const kept = ['/usr/bin', `${root}/repository/bin`, `${root}/not/yet`, '/bin'];
  const path = [...out, ...kept.slice(0, 2), ...led, ...kept.slice(2)].join(':');
  expect(searchPathOutside(path, [repo])).toBe(kept.join(':'));
  expect(searchPathOutside(path, [join(root, 'way')])).toBe(kept.join(':'));
});
