import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { nodeFiles } from '../../../src/adapters/files/files.ts';
import { memoryFiles } from '../../../src/adapters/files/memoryFiles.ts';
import { memoryIndex, memoryStore } from '../../../src/engine/project/memory/memory.ts';
import { type StateFolder, stateFolder } from '../../support/state/stateFolder.ts';

const made: StateFolder[] = [];
afterEach(() => {
  for (const one of made.splice(0)) one[Symbol.dispose]();
});

/** A memory beside a secret that is nobody's business. */
function memory() {
  const state = stateFolder();
  made.push(state);
  const folder = join(state.root, 'projects', 'api', 'memory');
  mkdirSync(folder, { recursive: true });
  mkdirSync(join(state.root, 'projects', 'web', 'memory'), { recursive: true });
  const secret = join(state.root, 'projects', 'web', 'memory', 'secret.md');
  writeFileSync(secret, 'the secret of web');
  const files = memoryFiles(folder, nodeFiles);
  return { folder, secret, files, store: memoryStore(files) };
}

describe("a project's memory", () => {
  it('is written, looked at, edited, renamed and deleted by its commands', async () => {
    const { store, folder, files } = memory();
    await store.create({ path: '/memories/facts/api.md', file_text: '# The API\nold\nend\n' });
    await store.str_replace({ path: '/memories/facts/api.md', old_str: 'old', new_str: '$& new' });
    await store.insert({ path: '/memories/facts/api.md', insert_line: 1, insert_text: 'first\n' });
    expect(readFileSync(join(folder, 'facts/api.md'), 'utf8')).toBe('# The API\nfirst\n$& new\nend\n');
    expect(await store.view({ path: '/memories/facts/api.md', view_range: [2, 3] })).toContain(
      '     2\tfirst\n     3\t$& new',
    );
    await store.rename({ old_path: '/memories/facts/api.md', new_path: '/memories/facts/http.md' });
    expect(await store.view({ path: '/memories' })).toContain('/memories/facts/http.md');
    expect(await memoryIndex(files)).toBe('- /memories/facts/http.md: The API');
    await store.delete({ path: '/memories/facts' });
    expect(readdirSync(folder)).toEqual([]);
  });

  it('is edited in a file that a person wrote with CRLF', async () => {
    const { store, folder, files } = memory();
    writeFileSync(join(folder, 'a.md'), '# One\r\ntwo\r\nthree\r\n');
    expect(await memoryIndex(files)).toBe('- /memories/a.md: One');
    expect(await store.view({ path: '/memories/a.md' })).not.toContain('\r');
    await store.str_replace({ path: '/memories/a.md', old_str: 'two\nthree', new_str: '2\n3' });
    expect(readFileSync(join(folder, 'a.md'), 'utf8')).toBe('# One\n2\n3\n');
  });

  it('is edited once, though an interrupted round of tools runs again', async () => {
    const { store, folder } = memory();
    await store.create({ path: '/memories/a.md', file_text: 'one\ntwo\n' });
    for (let round = 0; round < 2; round++) {
      await store.insert({ path: '/memories/a.md', insert_line: 1, insert_text: 'new\nlines\n' });
    }
    for (let round = 0; round < 2; round++) {
      await store.str_replace({ path: '/memories/a.md', old_str: 'two', new_str: 'two, and more' });
    }
    expect(readFileSync(join(folder, 'a.md'), 'utf8')).toBe('one\nnew\nlines\ntwo, and more\n');
    await store.insert({ path: '/memories/a.md', insert_line: 1, insert_text: 'new\n' });
    expect(readFileSync(join(folder, 'a.md'), 'utf8')).toContain('one\nnew\nlines\n');
  });

  it('is listed whole when a person put something into it that is no text, or too large', async () => {
    const { folder, files } = memory();
    mkdirSync(join(folder, 'facts'));
    writeFileSync(join(folder, 'facts', 'a.bin'), 'a\0b');
    writeFileSync(join(folder, 'facts', 'b.md'), 'x'.repeat(300_000));
    writeFileSync(join(folder, 'facts', 'c.md'), '# C');
    const [a, b, c] = (await memoryIndex(files)).split('\n');
    expect(a).toBe('- /memories/facts/a.bin: [cannot be read: /memories/facts/a.bin is not text]');
    expect(b).toMatch(/^- \/memories\/facts\/b\.md: \[cannot be read: .*300000 bytes/);
    expect(c).toBe('- /memories/facts/c.md: C');
  });

  it.each([
    '/etc/passwd',
    'facts/a.md',
    '/memoriesx/a.md',
    '/memories/../../web/memory/secret.md',
    '/memories/facts/../../../web/memory/secret.md',
    '/memories/..',
    '/memories//etc/passwd',
    '/memories/./a.md',
    '/memories/a\0.md',
    '/memories/a\\..\\..\\b.md',
    '/memories/C:secret',
    '/memories/.hidden',
    '/memories/a\u202Ecod.md',
    '/memories/CON. ',
    '/memories/CON',
    '/memories/facts/nul.md',
    '/memories/lpt1/a.md',
    `/memories/${'a/'.repeat(20)}b.md`,
    `/memories/${'n'.repeat(400)}`,
  ])('refuses the path %j to every command, with the reason', async (path) => {
    const { store, secret } = memory();
    const file_text = 'mine now';
    const refused = { code: 'INVALID_INPUT' };
    await expect(store.view({ path })).rejects.toMatchObject(refused);
    await expect(store.create({ path, file_text })).rejects.toMatchObject(refused);
    await expect(store.str_replace({ path, old_str: 'a', new_str: 'b' })).rejects.toMatchObject(refused);
    await expect(store.insert({ path, insert_line: 0, insert_text: 'x' })).rejects.toMatchObject(refused);
    await expect(store.delete({ path })).rejects.toMatchObject(refused);
    await expect(store.rename({ old_path: path, new_path: '/memories/a.md' })).rejects.toMatchObject(refused);
    await store.create({ path: '/memories/a.md', file_text });
    await expect(store.rename({ old_path: '/memories/a.md', new_path: path })).rejects.toMatchObject(refused);
    expect(readFileSync(secret, 'utf8')).toBe('the secret of web');
  });

  it('follows no link, to a file or to a folder, and lists none', async () => {
    const { store, folder, secret } = memory();
    symlinkSync(secret, join(folder, 'link.md'));
    symlinkSync(join(secret, '..'), join(folder, 'linked'));
    for (const path of ['/memories/link.md', '/memories/linked/secret.md', '/memories/linked']) {
      await expect(store.view({ path })).rejects.toMatchObject({ message: expect.stringContaining('link') });
      await expect(store.create({ path, file_text: 'x' })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
      await expect(store.delete({ path })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    }
    expect(await store.view({ path: '/memories' })).not.toContain('link');
    expect(readFileSync(secret, 'utf8')).toBe('the secret of web');
  });

  it('holds no link itself in the place of its folder', async () => {
    const { folder, secret } = memory();
    const linked = join(folder, '..', 'linked');
    symlinkSync(join(secret, '..'), linked);
    const store = memoryStore(memoryFiles(linked, nodeFiles));
    await expect(store.view({ path: '/memories/secret.md' })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    await expect(store.create({ path: '/memories/b.md', file_text: 'x' })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    });
  });

  it('refuses what is too large, no text, or too much, and keeps what there is', async () => {
    const { store, folder } = memory();
    const path = '/memories/big.md';
    const refused = { code: 'INVALID_INPUT' };
    await expect(store.create({ path, file_text: 'x'.repeat(300_000) })).rejects.toMatchObject(refused);
    await expect(store.create({ path, file_text: 'a\0b' })).rejects.toMatchObject(refused);
    writeFileSync(join(folder, 'big.md'), 'x'.repeat(10_000_000));
    await expect(store.view({ path })).rejects.toMatchObject({ message: expect.stringContaining('too large') });
    await expect(store.create({ path: '/memories/more.md', file_text: 'x' })).rejects.toMatchObject({
      message: expect.stringContaining('full'),
    });
    expect(readdirSync(folder)).toEqual(['big.md']);
  });

  it('holds a thousand files, and no more', async () => {
    const { store, folder } = memory();
    mkdirSync(join(folder, 'facts'));
    for (let n = 0; n < 1_000; n++) writeFileSync(join(folder, 'facts', `${n}.md`), 'x');
    await expect(store.create({ path: '/memories/more.md', file_text: 'x' })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringContaining('one too many'),
    });
    await store.create({ path: '/memories/facts/7.md', file_text: 'y' });
    expect(readFileSync(join(folder, 'facts', '7.md'), 'utf8')).toBe('y');
  });

  it('leaves the episodes to the engine', async () => {
    const { store, files } = memory();
    await files.write('episodes/2026-11.md', '# What happened\n');
    expect(await store.view({ path: '/memories/episodes/2026-11.md' })).toContain('What happened');
    for (const path of [
      '/memories/episodes/2026-11.md',
      '/memories/Episodes/x.md',
      '/memories/epi\u017fodes/x.md',
      '/memories/episodes',
    ]) {
      await expect(store.create({ path, file_text: 'all went well' })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
      await expect(store.delete({ path })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    }
  });
});
