import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nodeFiles } from '../../../../src/adapters/files/files.ts';
import { replaceFile } from '../../../../src/engine/state/filePorts.ts';
import type { FileOps } from '../../../../src/engine/state/storePorts.ts';
import { faultyFiles } from '../../../support/state/faultyFiles.ts';
import { type StateFolder, stateFolder } from '../../../support/state/stateFolder.ts';

let folder: StateFolder;
let path: string;

beforeEach(() => {
  folder = stateFolder();
  mkdirSync(folder.stateDir);
  path = join(folder.stateDir, 'PROJECT.md');
});
afterEach(() => folder[Symbol.dispose]());

const content = () => readFileSync(path, 'utf8');
const names = () => readdirSync(folder.stateDir);

describe('a file that is replaced whole', () => {
  it('is made or changed, and nothing lies beside it', async () => {
    await replaceFile(nodeFiles, path, Buffer.from('first'));
    await replaceFile(nodeFiles, path, Buffer.from('second'));
    expect(content()).toBe('second');
    expect(names()).toEqual(['PROJECT.md']);
  });

  it('has the draft on the disk before the name, and the name before it is told', async () => {
    const done: string[] = [];
    const told =
      <A extends unknown[], T>(what: (...args: A) => string, work: (...args: A) => Promise<T>) =>
      (...args: A) => {
        done.push(what(...args));
        return work(...args);
      };
    const ops: FileOps = {
      ...nodeFiles,
      create: told((at) => `create ${basename(at).replace(/[0-9a-f]{16}/, '…')}`, nodeFiles.create),
      rename: told((_, to) => `rename to ${basename(to)}`, nodeFiles.rename),
      syncDir: told((at) => `sync ${basename(at)}`, nodeFiles.syncDir),
    };
    await replaceFile(ops, path, Buffer.from('text'));
    expect(done).toEqual(['create .PROJECT.md.….tmp', 'rename to PROJECT.md', 'sync .autonomous']);
  });

  it.each([
    [1, 'create', 'old'],
    [2, 'rename', 'old'],
    [3, 'syncDir', 'new'],
  ])('is whole and alone when operation %i (%s) fails', async (n, what, left) => {
    writeFileSync(path, 'old');
    const faulty = faultyFiles();
    faulty.arm(n, 'ENOSPC');
    await expect(replaceFile(faulty.ops, path, Buffer.from('new'))).rejects.toMatchObject({ code: 'ENOSPC' });
    expect(faulty.hit).toBe(what);
    expect(content()).toBe(left);
    expect(names()).toEqual(['PROJECT.md']);
  });

  it('is what one of several wrote at once, and each of them succeeds', async () => {
    const texts = Array.from({ length: 20 }, (_, n) => String(n).repeat(10_000 + n));
    await Promise.all(texts.map((text) => replaceFile(nodeFiles, path, Buffer.from(text))));
    expect(texts).toContain(content());
    expect(names()).toEqual(['PROJECT.md']);
  });
});
