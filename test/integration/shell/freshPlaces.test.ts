/** Dependencies that are kept for fresh checkouts, in real folders. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { freshPlaces } from '../../../src/adapters/shell/freshPlaces.ts';
import { removeTree } from '../../../src/adapters/shell/removeTree.ts';
import { writeFiles } from '../../support/git/gitFixture.ts';

let root: string;
beforeEach(async () => {
  root = mkdtempSync(join(inject('tempRoot'), 'f-'));
  await freshPlaces.empty(root);
});
afterEach(() => removeTree(root));

const at = (...parts: string[]): string => join(root, ...parts);

test('what is written in the tree and in the home does not reach what is kept', async () => {
  writeFiles(at('tree'), { 'node_modules/a/index.js': 'true', 'src/x.js': 'work' });
  mkdirSync(at('tree', 'node_modules', '.bin'));
  symlinkSync('../a/index.js', at('tree', 'node_modules', '.bin', 'a'));
  writeFiles(at('home'), { 'go/pkg/mod/m': 'module', '.npm/large': 'x' });
  chmodSync(at('home', 'go', 'pkg', 'mod'), 0o555);
  expect(await freshPlaces.restore(root, 'key', root)).toBe(false);
  await freshPlaces.keep(root, 'key', ['node_modules'], root);
  writeFileSync(at('tree', 'node_modules', 'a', 'index.js'), 'poisoned');
  await freshPlaces.remove(root);
  expect(existsSync(at('tree')) || existsSync(at('home'))).toBe(false);
  for (let round = 0; round < 2; round++) {
    await freshPlaces.empty(root);
    mkdirSync(at('tree'));
    expect(await freshPlaces.restore(root, 'key', root)).toBe(true);
    expect(readFileSync(at('tree', 'node_modules', 'a', 'index.js'), 'utf8')).toBe('true');
    expect(readlinkSync(at('tree', 'node_modules', '.bin', 'a'))).toBe('../a/index.js');
    expect(existsSync(at('tree', 'src'))).toBe(false);
    expect(readFileSync(at('home', 'go', 'pkg', 'mod', 'm'), 'utf8')).toBe('module');
    expect(existsSync(at('home', '.npm'))).toBe(false);
    writeFileSync(at('tree', 'node_modules', 'a', 'index.js'), 'poisoned through the copy');
  }
});

test('one key is kept at a time; half a copy counts as none', async () => {
  writeFiles(at('tree'), { 'node_modules/a': 'one' });
  await freshPlaces.keep(root, 'one', ['node_modules'], root);
  await freshPlaces.keep(root, 'two', ['node_modules'], root);
  expect(await freshPlaces.restore(root, 'one', root)).toBe(false);
  mkdirSync(at('deps', 'three', '0'), { recursive: true });
  expect(await freshPlaces.restore(root, 'three', root)).toBe(false);
  expect(await freshPlaces.restore(root, 'two', root)).toBe(true);
});
