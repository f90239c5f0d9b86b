/** `FileOps` that fail at the nth operation that changes something, then work again. */
import { nodeFiles } from '../../../src/adapters/files/files.ts';
import type { AppendFile, FileOps } from '../../../src/engine/state/storePorts.ts';

export type Fault = 'ENOSPC' | 'EIO' | 'EACCES' | 'short' | 'half';

export interface FaultyFiles {
  readonly ops: FileOps;
  /** Changing operations since `arm`. */
  readonly count: number;
  readonly hit: string | null;
  /** The `n`th from now on (from 1) fails. `short`: a write writes half and says so; `half`: it writes half, then fails. */
  arm(n: number, fault: Fault): void;
}

function errno(code: string, what: string): Error {
  return Object.assign(new Error(`${code}: ${what}`), { code });
}

export function faultyFiles(inner: FileOps = nodeFiles): FaultyFiles {
  let count = 0;
  let at = 0;
  let fault: Fault = 'ENOSPC';
  let hit: string | null = null;

  /** Whether this operation is the one. */
  function due(what: string): boolean {
    count++;
    if (count !== at) return false;
    hit = what;
    return true;
  }

  async function step<T>(what: string, work: () => Promise<T>): Promise<T> {
    if (due(what) && fault !== 'short') throw errno(fault === 'half' ? 'ENOSPC' : fault, what);
    return work();
  }

  function appending(file: AppendFile): AppendFile {
    return {
      write: async (data) => {
        if (!due('write')) return file.write(data);
        const half = data.subarray(0, Math.ceil(data.length / 2));
        if (fault === 'short') return file.write(half);
        if (fault === 'half') await file.write(half);
        throw errno(fault === 'half' ? 'ENOSPC' : fault, 'write');
      },
      sync: () => step('sync', () => file.sync()),
      close: () => file.close(),
    };
  }

  const ops: FileOps = {
    ...inner,
    makeDir: (path) => step('makeDir', () => inner.makeDir(path)),
    create: (path, data) => step('create', () => inner.create(path, data)),
    openNew: (path) =>
      step('openNew', async () => {
        const file = await inner.openNew(path);
        return file && appending(file);
      }),
    openAppend: (path) => step('openAppend', async () => appending(await inner.openAppend(path))),
    rename: (from, to) => step('rename', () => inner.rename(from, to)),
    link: (from, to) => step('link', () => inner.link(from, to)),
    chmod: (path, mode) => step('chmod', () => inner.chmod(path, mode)),
    syncDir: (path) => step('syncDir', () => inner.syncDir(path)),
    list: (path) => step('list', () => inner.list(path)),
  };
  return {
    ops,
    get count() {
      return count;
    },
    get hit() {
      return hit;
    },
    arm(n, next) {
      count = 0;
      at = n;
      fault = next;
      hit = null;
    },
  };
}
