/** The folder of a project on a disk that fails, and under hands that change it. */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { nodeFiles } from '../../../../src/adapters/files/files.ts';
import { openProjectFiles } from '../../../../src/adapters/files/projectFiles.ts';
import type { FileOps } from '../../../../src/engine/state/storePorts.ts';
import { faultyFiles } from '../../../support/state/faultyFiles.ts';
import { type StateFolder, stateFolder } from '../../../support/state/stateFolder.ts';
import { untilHolds } from '../../../support/time/untilHolds.ts';

let root: StateFolder;
let projectsDir: string;

beforeEach(() => {
  root = stateFolder();
  projectsDir = join(root.stateDir, 'projects');
});
afterEach(() => root[Symbol.dispose]());

const files = (ops: FileOps = nodeFiles) => openProjectFiles({ projectsDir, ops, maxBytes: 1000 });
const at = (...path: string[]): string => join(projectsDir, 'api', ...path);
const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32);
const write = (text: string, ops?: FileOps): Promise<void> => files(ops).write('api', text, hashOf(text));
const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8');

describe('writing', () => {
  it('leaves the old text or the new one, whatever fails, and goes through when tried again', async () => {
    const faulty = faultyFiles();
    await write('old');
    faulty.arm(0, 'EIO');
    await write('counted', faulty.ops);
    const steps = faulty.count;
    expect(steps).toBeGreaterThan(4);
    for (let n = 1; n <= steps; n++) {
      await write('old');
      faulty.arm(n, n % 2 === 0 ? 'ENOSPC' : 'EACCES');
      await expect(write('new', faulty.ops)).rejects.toMatchObject({ code: 'DISK' });
      const text = readFileSync(at('PROJECT.md'), 'utf8');
      // What is noted as written is the old text or the one that lies there: never one that nobody wrote.
      expect(['old', 'new']).toContain(text);
      expect([hashOf('old'), hashOf(text)]).toContain(await files().noted('api'));
      expect(readdirSync(at()).filter((name) => name.endsWith('.tmp'))).toEqual([]);
      await write('new', faulty.ops);
      expect(await files().noted('api')).toBe(hashOf('new'));
    }
  });

  it.each(['session', 'memory', 'skills'])('does not go through a link at %s', async (folder) => {
    mkdirSync(at(), { recursive: true });
    symlinkSync(root.root, at(folder));
    await expect(write('text')).rejects.toMatchObject({ code: 'NOT_PERMITTED' });
    expect(readdirSync(at())).not.toContain('PROJECT.md');
  });

  it('keeps what was edited under a name of its own', async () => {
    await write('text');
    const keep = (text: string) => files().keep('api', Buffer.from(text), '2026-11-22T04:40:05.123Z');
    expect([await keep('a'), await keep('b')]).toEqual([
      'PROJECT.md.20261122-044005.edited',
      'PROJECT.md.20261122-044005-2.edited',
    ]);
    expect(readFileSync(at('PROJECT.md.20261122-044005-2.edited'), 'utf8')).toBe('b');
  });
});

describe('looking', () => {
  it('says what lies there, and reads nothing but a small file', async () => {
    const seen: string[] = [];
    const look = async (): Promise<string> => {
      const read: FileOps['read'] = (path, length) => {
        seen.push(path);
        return nodeFiles.read(path, length);
      };
      const ops = { ...nodeFiles, read };
      const found = await files(ops).look('api');
      return found.kind === 'file' ? textOf(found.bytes) : found.kind;
    };
    expect(await look()).toBe('no_folder');
    mkdirSync(at('session'), { recursive: true });
    expect(await look()).toBe('bare_folder');
    mkdirSync(at('skills'));
    expect(await look()).toBe('no_file');
    writeFileSync(at('PROJECT.md'), 'x'.repeat(1001));
    expect(await look()).toBe('large');
    rmSync(at('PROJECT.md'));
    symlinkSync(join(root.root, 'elsewhere'), at('PROJECT.md'));
    expect(await look()).toBe('refused');
    rmSync(at('PROJECT.md'));
    mkdirSync(at('PROJECT.md'));
    expect(await look()).toBe('refused');
    expect(seen).toEqual([]);
    rmSync(at('PROJECT.md'), { recursive: true });
    writeFileSync(at('PROJECT.md'), 'text');
    expect(await look()).toBe('text');
    rmSync(at(), { recursive: true });
    symlinkSync(root.root, at());
    expect(await look()).toBe('refused');
  });

  it('finds no folder whose PROJECT.md alone is gone while it is deleted whole', async () => {
    const kinds: string[] = [];
    for (let left = 0; kinds.at(-1) !== 'file'; left++) {
      await write('text');
      let calls = left;
      const dies =
        <A extends unknown[], T>(call: (...args: A) => Promise<T>) =>
        async (...args: A): Promise<T> => {
          if (calls === 0) rmSync(at(), { recursive: true });
          calls -= 1;
          return call(...args);
        };
      const ops = { ...nodeFiles, stat: dies(nodeFiles.stat), read: dies(nodeFiles.read) };
      kinds.push((await files(ops).look('api')).kind);
    }
    expect(kinds).toEqual(['no_folder', 'bare_folder', 'no_folder', 'file']);
  });
});

describe('watching', () => {
  it('hears of PROJECT.md, of a folder that goes and of one that comes back, and of nothing else', async () => {
    await write('text');
    const changed = vi.fn<(name: string) => void>();
    const watching = files().watch(changed, (thrown) => expect.fail(String(thrown)));
    const heard = async (what: () => void): Promise<void> => {
      changed.mockClear();
      what();
      await untilHolds(() => expect(changed).toHaveBeenCalledWith('api'));
    };
    try {
      watching.follow('api');
      writeFileSync(at('notes.txt'), 'x');
      await heard(() => writeFileSync(at('PROJECT.md'), 'edited'));
      await heard(() => renameSync(at(), join(projectsDir, 'away')));
      await heard(() => renameSync(join(projectsDir, 'away'), at()));
      watching.follow('api');
      await heard(() => rmSync(at('PROJECT.md')));
      watching.follow('gone');
      watching.unfollow('api');
      changed.mockClear();
      const other = vi.fn<(name: string) => void>();
      const second = files().watch(other, () => undefined);
      second.follow('api');
      writeFileSync(at('PROJECT.md'), 'again');
      await untilHolds(() => expect(other).toHaveBeenCalledWith('api'));
      second.close();
      expect(changed).not.toHaveBeenCalled();
    } finally {
      watching.close();
    }
  });
});
