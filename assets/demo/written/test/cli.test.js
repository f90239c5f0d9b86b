import assert from 'node:assert/strict';
import { test } from 'node:test';
import { main } from '../src/cli.js';

const files = { 'sums.csv': 'a,b,=1+1\n0.1,0.2,=A2+B2\n', 'broken.csv': 'ok\n"open' };

function readFile(path) {
  if (!Object.hasOwn(files, path)) throw new Error('no such file');
  return files[path];
}

const run = (...args) => main(args, readFile);

test('computes a file; numbers are printed for people', () => {
  const { code, out, error } = run('sums.csv');
  assert.deepEqual({ code, out, error }, { code: 0, out: 'a,b,2\n0.1,0.2,0.3\n', error: '' });
});

test('a file that cannot be used ends with 1 and says why', () => {
  assert.deepEqual(run('none.csv'), { code: 1, out: '', error: 'none.csv: no such file\n' });
  assert.deepEqual(run('broken.csv'), { code: 1, out: '', error: 'broken.csv: line 2: misplaced quote\n' });
});

test('wrong usage ends with 2 and shows the usage', () => {
  for (const args of [[], ['a', 'b'], ['a', '--nope']]) {
    const { code, error } = run(...args);
    assert.equal(code, 2);
    assert.match(error, /Usage: sheet FILE/);
  }
});

test('--help is no mistake', () => {
  const { code, out } = run('--help');
  assert.equal(code, 0);
  assert.match(out, /Usage: sheet FILE/);
});
