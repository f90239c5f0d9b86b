/**
 * Implements `MemoryFiles` below one folder. Every step of a path is checked, so that no link leads out; writes are
 * atomic.
 */
import { dirname, join } from 'node:path';
import type { MemoryFiles, MemoryStat } from '../../engine/project/talk/conversationPorts.ts';
import { replaceFile } from '../../engine/state/filePorts.ts';
import type { FileOps } from '../../engine/state/storePorts.ts';
import { failure } from '../../shared/errors.ts';

const MAX_FILE_BYTES = 256 * 1024;
const MAX_FILES = 1_000;
const MAX_BYTES = 8 * 1024 * 1024;

const refused = (path: string, why: string): Error => failure('INVALID_INPUT', `/memories/${path} ${why}`);

export function memoryFiles(folder: string, ops: FileOps): MemoryFiles {
  const at = (path: string): string => (path === '' ? folder : join(folder, ...path.split('/')));

  /** Returns null if the path does not exist. Throws if any step on the way is a link, or not a folder. */
  async function stat(path: string): Promise<MemoryStat | null> {
    const names = path === '' ? [] : path.split('/');
    for (let depth = 0; depth <= names.length; depth++) {
      const found = await ops.stat(at(names.slice(0, depth).join('/')));
      if (found === null) return null;
      const last = depth === names.length;
      if (found.kind === 'link') throw refused(path, 'is, or goes through, a link: links are not followed');
      if (last && found.kind === 'file') return { kind: 'file', bytes: found.size };
      if (found.kind !== 'folder') throw refused(path, last ? 'is not a text file' : 'goes through a file');
    }
    return { kind: 'folder', bytes: 0 };
  }

  async function list(path: string) {
    if ((await stat(path))?.kind !== 'folder') return [];
    const found: ({ name: string } & MemoryStat)[] = [];
    for (const name of (await ops.list(at(path))).toSorted()) {
      if (name.startsWith('.')) continue;
      const one = await ops.stat(join(at(path), name));
      if (one?.kind === 'file') found.push({ name, kind: 'file', bytes: one.size });
      else if (one?.kind === 'folder') found.push({ name, kind: 'folder', bytes: 0 });
    }
    return found;
  }

  async function usage(path: string): Promise<{ files: number; bytes: number }> {
    const sum = { files: 0, bytes: 0 };
    for (const one of await list(path)) {
      const inside = path === '' ? one.name : `${path}/${one.name}`;
      const { files, bytes } = one.kind === 'file' ? { files: 1, bytes: one.bytes } : await usage(inside);
      sum.files += files;
      sum.bytes += bytes;
    }
    return sum;
  }

  async function checkRoom(path: string, bytes: number): Promise<void> {
    if (bytes > MAX_FILE_BYTES) throw refused(path, `has ${bytes} bytes, at most ${MAX_FILE_BYTES} are kept in a file`);
    const used = await usage('');
    const known = await stat(path);
    if (known?.kind === 'folder') throw refused(path, 'is a folder');
    if (known === null && used.files >= MAX_FILES) throw refused(path, `is one too many: there are ${MAX_FILES} files`);
    if (used.bytes - (known?.bytes ?? 0) + bytes > MAX_BYTES) throw refused(path, 'does not fit: the memory is full');
  }

  return {
    stat,
    list,
    async read(path) {
      const found = await stat(path);
      if (found?.kind !== 'file') return null;
      if (found.bytes > MAX_FILE_BYTES) throw refused(path, `has ${found.bytes} bytes: too large to be read`);
      const data = await ops.read(at(path));
      if (data === null) return null;
      const text = Buffer.from(data).toString('utf8');
      if (text.includes('\0')) throw refused(path, 'is not text');
      return text;
    },
    async write(path, text) {
      if (text.includes('\0')) throw refused(path, 'would hold NUL characters');
      const data = Buffer.from(text);
      await checkRoom(path, data.length);
      await ops.makeDir(dirname(at(path)));
      await replaceFile(ops, at(path), data);
    },
    async remove(path) {
      const found = await stat(path);
      if (found === null) return;
      await (found.kind === 'file' ? ops.remove(at(path)) : ops.removeFolder(at(path)));
      await ops.syncDir(dirname(at(path)));
    },
    async rename(from, to) {
      if ((await stat(from)) === null || (await stat(to)) !== null) throw refused(to, 'cannot be renamed to');
      await ops.makeDir(dirname(at(to)));
      await ops.rename(at(from), at(to));
      for (const folder of new Set([dirname(at(to)), dirname(at(from))])) await ops.syncDir(folder);
    },
  };
}
