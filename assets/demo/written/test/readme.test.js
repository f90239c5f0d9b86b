/** The examples of the README are run: what it shows is what the program prints. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { main } from '../src/cli.js';

const fromRoot = (path) => readFileSync(new URL('../' + path, import.meta.url), 'utf8');

/** Each indented "$ node bin/sheet.js …" with the indented lines after it. */
const EXAMPLE = /^ {4}\$ node bin\/sheet\.js (.+)\n((?: {4}(?!\$).*\n)+)/gm;

for (const [, args, indented] of fromRoot('README.md').matchAll(EXAMPLE)) {
  test('sheet ' + args, () => {
    const { out } = main(args.split(' '), fromRoot);
    assert.equal(out, indented.replace(/^ {4}/gm, ''));
  });
}
