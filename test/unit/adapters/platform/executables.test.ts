/** Which folder a path is in: permitted only by the spelling of the disk, refused under every spelling. */
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, posix, win32 } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import {
  findExecutable,
  isWithin,
  mayLeadInto,
  ownFolders,
  resolved,
} from '../../../../src/adapters/platform/executables.ts';
import { mayBeWithin } from '../../../../src/core/guard/foldedPath.ts';
import { fc } from '../../../support/suite/property.ts';

describe.each([
  ['posix', posix, '/'],
  ['win32', win32, 'C:\\'],
] as const)('a real path of %s', (_, path, root) => {
  const name = fc.constantFrom('a', 'A', 'ab', 'é', 'e\u0301', 'İ', 'i\u0307', 'b c', '..b');
  const folder = fc.array(name, { maxLength: 3 }).map((names) => root + names.join(path.sep));

  test('is within a folder if it has its very names, and then it may be', () => {
    fc.assert(
      fc.property(folder, folder, (one, other) => {
        const names = (text: string) => text.slice(root.length).split(path.sep).filter(Boolean);
        const isInside = names(other).every((each, at) => each === names(one)[at]);
        expect(isWithin(one, other, path.sep)).toBe(isInside);
        if (isInside) expect(mayBeWithin(one, other)).toBe(true);
      }),
    );
  });
});

it.each([
  ['C:\\proj\\x', 'c:\\proj'],
  ['C:\\Proj\\x', 'C:\\proj'],
  ['D:\\proj', 'C:\\proj'],
  ['C:\\proj/x', 'C:\\proj'],
  ['\\\\c\\proj\\x', 'C:\\proj'],
  ['C:\\i\u0307\\x', 'C:\\İ'],
  ['C:\\project', 'C:\\proj'],
])('%s is not permitted in %s', (path, folder) => {
  expect(isWithin(path, folder, '\\')).toBe(false);
});

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'ex-')));
});
afterEach(() => rmSync(root, { recursive: true }));

function program(...names: readonly string[]): string {
  const file = join(root, ...names);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, '#!/bin/sh\n');
  chmodSync(file, 0o755);
  return file;
}

test('no program is found in a folder that another system takes for a closed one', () => {
  program('Repo', 'bin', 'tool');
  const own = program('own', 'tool');
  symlinkSync(join(root, 'Repo', 'bin'), join(root, 'way'));
  const path = ['Repo/bin', 'way', 'own'].map((name) => join(root, name)).join(':');
  expect(findExecutable('tool', path, [join(root, 'repo')])).toBe(own);
  expect(findExecutable('tool', path, [join(root, 'REPO.')])).toBe(own);
  expect(findExecutable('tool', path, [])).toBe(join(root, 'Repo', 'bin', 'tool'));
});

test('a path that does not exist leads where its parent leads', () => {
  mkdirSync(join(root, 'repo'));
  symlinkSync(join(root, 'repo'), join(root, 'way'));
  expect(resolved(join(root, 'way', 'not', 'yet'))).toBe(join(root, 'repo', 'not', 'yet'));
  expect(mayLeadInto(join(root, 'way', 'not', 'yet'), [join(root, 'repo')])).toBe(true);
  expect(mayLeadInto(join(root, 'repository'), [join(root, 'repo')])).toBe(false);
});

test('a folder of packages is known in any case and with any separator', () => {
  const kept = ['/usr/bin', '/home/me/node_modules_of_mine/bin'];
  const left = ['/a/node_modules/.bin', '/a/Node_Modules/.bin', '/a\\node_modules\\.bin', '/a/node_modules./x'];
  expect(ownFolders([...left, ...kept].join(':'))).toBe(kept.join(':'));
});
