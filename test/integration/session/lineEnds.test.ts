/** What the file tools make of CRLF: a model writes and sees LF, and a file keeps its own ends. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ScriptedBlock } from '../../support/provider/scriptedModel.ts';
import { call, calls, done, resultsIn } from '../../support/session/sessionBench.ts';
import { sessionTest } from '../../support/session/sessionTest.ts';

const { bench, run } = sessionTest();

const gave = async (block: ScriptedBlock): Promise<string> =>
  String(resultsIn((await run([calls(block), done()])).model, 1)[0]?.['content']);
const put = (file: string, text: string): void => writeFileSync(join(bench().workdir, file), text);
const stored = (file: string): string => readFileSync(join(bench().workdir, file), 'utf8');

describe('read', () => {
  it.each([
    ['dos.txt', 'one\r\ntwo\r\n', '     1\tone\n     2\ttwo\n[lines end in CRLF; edit and write keep that]'],
    ['mixed.txt', 'one\r\ntwo\n', '     1\tone\n     2\ttwo\n[some lines end in CRLF; edit and write keep that]'],
    ['unix.txt', 'one\ntwo\n', '     1\tone\n     2\ttwo'],
  ])('states the ends of the lines of %s', async (file, text, shown) => {
    put(file, text);
    expect(await gave(call('read', { file_path: file }))).toBe(shown);
  });

  it.each([
    ['the first lines of a file that is too large', 'big.txt', 'text of a line\r\n'],
    ['an outline', 'big.md', '# A heading\r\n'],
  ])('states them below %s', async (_, file, line) => {
    put(file, line.repeat(3_000));
    const text = await gave(call('read', { file_path: file }));
    expect(text).toContain('[lines end in CRLF; edit and write keep that');
    expect(text).not.toContain('\r');
  });
});

describe('edit', () => {
  it('finds LF in a file with both ends, and keeps the end of each line', async () => {
    put('a.js', 'a\r\nb\nc\r\nd\n');
    const edited = await gave(call('edit', { file_path: 'a.js', old_string: 'a\nb\nc', new_string: 'a\nB\nc\nnew' }));
    expect(stored('a.js')).toBe('a\r\nB\nc\r\nnew\r\nd\n');
    expect(edited).toBe('edited a.js: 1 replacement\n     1\ta\n     2\tB\n     3\tc\n     4\tnew\n     5\td');
  });

  it('writes no CRLF into a file with LF', async () => {
    put('a.sh', 'a\nb\n');
    await gave(call('edit', { file_path: 'a.sh', old_string: 'a\r\nb', new_string: 'a\r\nc' }));
    expect(stored('a.sh')).toBe('a\nc\n');
  });

  it('names the lines of a file with CRLF if it does not apply', async () => {
    put('a.js', 'if (a) {\r\n\treturn 1;\r\n}\r\n');
    const failed = await gave(
      call('edit', { file_path: 'a.js', old_string: 'if (a) {\n  return 1;', new_string: 'x' }),
    );
    expect(failed).toContain('line 2, old_string: ··return·1;\nline 2, file:       →return·1;');
    expect(failed).not.toContain('\r');
  });

  it('does not take other line ends for a change', async () => {
    put('a.js', '}\r\n');
    const same = await gave(call('edit', { file_path: 'a.js', old_string: '}\r\n', new_string: '}\n' }));
    expect(same).toContain('are the same; a file keeps its line ends');
  });
});

describe('write', () => {
  it('keeps the CRLF of a file, and says so', async () => {
    put('a.txt', 'one\r\ntwo\r\nthree\n');
    expect(await gave(call('write', { file_path: 'a.txt', content: '1\n2\n' }))).toBe(
      'wrote 6 bytes to a.txt; its lines end in CRLF, as before',
    );
    expect(stored('a.txt')).toBe('1\r\n2\r\n');
  });

  it('keeps the end of each line of a file with both ends', async () => {
    put('a.txt', 'one\r\ntwo\nthree\r\nfour\nfive\r\n');
    expect(await gave(call('write', { file_path: 'a.txt', content: 'one\ntwo\n3\nfour\nnew\nfive\n' }))).toBe(
      'wrote 28 bytes to a.txt; some of its lines end in CRLF, as before',
    );
    expect(stored('a.txt')).toBe('one\r\ntwo\n3\r\nfour\nnew\r\nfive\r\n');
  });

  it.each([
    ['to LF', 'one\r\ntwo\r\n', 'one\ntwo\n'],
    ['to CRLF', 'one\ntwo\r\n', 'one\r\ntwo\r\n'],
  ])('converts a file %s that it is given with nothing else changed', async (_, before, content) => {
    put('a.txt', before);
    expect(await gave(call('write', { file_path: 'a.txt', content }))).toBe(
      `wrote ${content.length} bytes to a.txt; only its line ends changed: they are as given`,
    );
    expect(stored('a.txt')).toBe(content);
  });

  it.each([
    ['in a new file', 'new.txt', null, '1\n2\n'],
    ['in a file with LF', 'a.txt', 'one\n', '1\n2\n'],
    ['in a file with more LF', 'a.txt', 'one\r\ntwo\nthree\n', '1\n2\n'],
    ['if that has CRLF', 'a.txt', 'one\r\n', '1\r\n2\n'],
    ['in a script of a shell', 'a.sh', 'one\r\n', '1\n2\n'],
    ['in a script of any kind', 'gradlew', 'one\r\n', '#!/bin/sh\n'],
  ])('writes exactly what it is given %s', async (_, file, before, content) => {
    if (before !== null) put(file, before);
    await gave(call('write', { file_path: file, content }));
    expect(stored(file)).toBe(content);
  });
});

describe('grep', () => {
  it('finds the end of a line that ends in CRLF', async () => {
    put('dos.txt', 'one;\r\ntwo\r\n');
    put('unix.txt', 'one;\ntwo\n');
    expect(await gave(call('grep', { pattern: '^one;$', glob: '*.txt' }))).toBe('dos.txt:1:one;\nunix.txt:1:one;');
  });

  it.each(['\r', '\\r', '\\x0D', '\\x{d}', '\\u000d', '\\u{0D}', '\\U0000000d', '\\\\\\r|\r'])(
    'finds a CR that %j names',
    async (pattern) => {
      put('dos.txt', 'one;\r\ntwo\n');
      expect(await gave(call('grep', { pattern: `;${pattern}`, glob: '*.txt' }))).toBe('dos.txt:1:one;');
    },
  );

  it.each(['\\\\r$', '\\x5cr$', '\\x{d3}|r$'])('takes no CR for named by %j', async (pattern) => {
    put('dos.txt', 'one\\;\\r\r\ntwo;r\r\n');
    expect(await gave(call('grep', { pattern, glob: '*.txt' }))).toContain('dos.txt:1:one');
  });
});
