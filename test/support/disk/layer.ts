/**
 * A disk that fails, below a program that is not changed: Node's own file functions, replaced for what lies under some folders.
 * They fail, stop or die where they are told, and note what a loss of power may take (powerLoss.ts).
 */
import { linkSync, lstatSync, renameSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { dirname, join, resolve, sep } from 'node:path';
import type { Note } from './powerLoss.ts';

/** `short`: a write writes half and says so; `half`: it writes half, then there is no room. */
export const FAULTS = ['ENOSPC', 'EIO', 'EACCES', 'EPERM', 'EBUSY', 'short', 'half'] as const;
export type Fault = (typeof FAULTS)[number];
/** What there is no room for, and who writes. A read knows neither. */
const OF_WRITES: readonly Fault[] = ['ENOSPC', 'half', 'short'];
const READS = ['readdir', 'readFile', 'lstat', 'read'];
const isWrite = (operation: string): boolean => operation === 'write' || operation === 'writeFile';

/** Whether it can happen to such an operation. */
export function applies(fault: Fault, operation: string): boolean {
  if (fault === 'short') return operation === 'write';
  return !OF_WRITES.includes(fault) || !READS.includes(operation);
}

export interface DiskOptions {
  readonly roots: readonly string[];
  /** Asked before each operation, in the order in which they begin; a fault must apply. */
  decide(operation: string, path: string): Fault | 'die' | null;
  /** At the place where it dies. Does not return. */
  die(): Promise<never>;
  /** Whoever asks is dead: it hears of nothing any more. */
  isDead?(): boolean;
  /** Whether a sync reaches the disk below, too: slow, and of no use where nothing but this layer loses anything. */
  readonly syncs: boolean;
  /** For a loss of power: what was done, and a folder for what was removed. */
  readonly notes?: { readonly add: (note: Note) => void; readonly removed: string };
}

type Promises = typeof import('node:fs/promises');
type Replaced = Pick<
  Promises,
  'open' | 'mkdir' | 'rename' | 'link' | 'rm' | 'chmod' | 'readdir' | 'readFile' | 'lstat'
>;

const never = (): Promise<never> => new Promise(() => undefined);
const failed = (code: string, what: string): Error => Object.assign(new Error(`${code}: planted, ${what}`), { code });
const now = (): number => Number(process.hrtime.bigint()) / 1_000;

export class DiskLayer {
  readonly #real: Replaced;
  readonly #module: Promises;
  readonly #options: DiskOptions;
  #removed = 0;
  readonly #open = new Set<FileHandle>();
  /** Operations that have begun and not ended. */
  inFlight = 0;

  constructor(options: DiskOptions) {
    this.#options = options;
    this.#module = createRequire(import.meta.url)('node:fs/promises') as Promises;
    const { open, mkdir, rename, link, rm, chmod, readdir, readFile, lstat } = this.#module;
    this.#real = { open, mkdir, rename, link, rm, chmod, readdir, readFile, lstat };
    Object.assign(this.#module, this.#replacing());
    syncBuiltinESMExports();
  }

  [Symbol.dispose](): void {
    Object.assign(this.#module, this.#real);
    syncBuiltinESMExports();
  }

  /** After everybody who had something open has died. */
  async closeFiles(): Promise<void> {
    while (this.inFlight > 0) await new Promise((resolve) => setImmediate(resolve));
    for (const handle of this.#open) await handle.close();
  }

  #watches(path: unknown): path is string {
    if (typeof path !== 'string') return false;
    const whole = resolve(path);
    return this.#options.roots.some(
      (root) => whole === root || whole.startsWith(root + sep) || dirname(root) === whole,
    );
  }

  /** One operation: it fails, or is carried out. Nobody hears of it who died meanwhile. */
  async #step<T>(operation: string, path: string, work: (fault: 'half' | 'short' | null) => Promise<T>): Promise<T> {
    const { decide, die, isDead = () => false } = this.#options;
    if (isDead()) return never();
    const fault = decide(operation, path);
    if (fault === 'die') return die();
    const partial = fault === 'short' || (fault === 'half' && isWrite(operation)) ? fault : null;
    if (fault !== null && partial === null) {
      throw failed(fault === 'half' ? 'ENOSPC' : fault, `${operation} ${path}`);
    }
    this.inFlight++;
    try {
      return await work(partial);
    } finally {
      this.inFlight--;
      if (isDead()) await never();
    }
  }

  #note(note: Note): void {
    this.#options.notes?.add(note);
  }

  /** Where something is kept that may have to come back. */
  #place(): string {
    return join(this.#options.notes?.removed ?? '', `${process.pid}-${now()}-${++this.#removed}`);
  }

  #replacing(): Partial<Promises> {
    const real = this.#real;
    const plain = <K extends 'chmod' | 'readdir' | 'readFile' | 'lstat'>(name: K): Partial<Promises> => {
      const inner = real[name] as (...args: unknown[]) => Promise<unknown>;
      const replaced = (...args: unknown[]): Promise<unknown> =>
        this.#watches(args[0]) ? this.#step(name, args[0], () => inner(...args)) : inner(...args);
      return { [name]: replaced };
    };
    return {
      ...plain('chmod'),
      ...plain('readdir'),
      ...plain('readFile'),
      ...plain('lstat'),
      open: (path, ...rest) => (this.#watches(path) ? this.#opening(path, ...rest) : real.open(path, ...rest)),
      mkdir: ((path: string, options: { recursive: true }) =>
        this.#watches(path) ? this.#mkdir(path, options) : real.mkdir(path, options)) as Promises['mkdir'],
      rename: (from, to) => (this.#watches(to) ? this.#rename(String(from), to) : real.rename(from, to)),
      link: (from, to) => (this.#watches(to) ? this.#link(String(from), to) : real.link(from, to)),
      rm: (path, options) => (this.#watches(path) ? this.#rm(path, options) : real.rm(path, options)),
    };
  }

  #mkdir(path: string, options: { recursive: true }): Promise<string | undefined> {
    return this.#step('mkdir', path, async () => {
      const first = await this.#real.mkdir(path, options);
      for (let made = path; first !== undefined && made.length >= first.length; made = dirname(made)) {
        this.#note({ t: now(), what: 'name', path: made });
      }
      return first;
    });
  }

  #rename(from: string, to: string): Promise<void> {
    return this.#step('rename', to, async () => {
      const saved = this.#options.notes && lstatSync(to, { throwIfNoEntry: false }) ? this.#place() : null;
      if (saved !== null) linkSync(to, saved);
      await this.#real.rename(from, to);
      this.#note({ t: now(), what: 'moved', from, to, saved });
    });
  }

  #link(from: string, to: string): Promise<void> {
    return this.#step('link', to, async () => {
      await this.#real.link(from, to);
      this.#note({ t: now(), what: 'name', path: to });
    });
  }

  #rm(path: string, options: Parameters<Promises['rm']>[1]): Promise<void> {
    return this.#step('rm', path, async () => {
      if (!this.#options.notes || !lstatSync(path, { throwIfNoEntry: false })) return this.#real.rm(path, options);
      const saved = this.#place();
      renameSync(path, saved);
      this.#note({ t: now(), what: 'gone', path, saved });
    });
  }

  async #opening(path: string, ...rest: [flags?: string | number, mode?: number | string]): Promise<FileHandle> {
    const [flags] = rest;
    if (flags === 'r' || flags === undefined)
      return this.#reading(path, this.#kept(await this.#real.open(path, ...rest)));
    return this.#step('open', path, async () => {
      const isNew = !lstatSync(path, { throwIfNoEntry: false });
      const handle = this.#kept(await this.#real.open(path, ...rest));
      const { ino, size } = await handle.stat();
      if (isNew) this.#note({ t: now(), what: 'name', path });
      this.#note({ t: now(), what: 'file', ino, size });
      return this.#writing(path, handle, ino, size);
    });
  }

  #kept(handle: FileHandle): FileHandle {
    const { close } = handle;
    this.#open.add(handle);
    return Object.assign(handle, {
      close: () => {
        this.#open.delete(handle);
        return close.call(handle);
      },
    });
  }

  /** Only folders are synced through a handle that reads. */
  #reading(path: string, handle: FileHandle): FileHandle {
    const { read, sync } = handle;
    return Object.assign(handle, {
      read: (...args: Parameters<typeof read>) => this.#step('read', path, () => read.apply(handle, args)),
      sync: () =>
        this.#step('syncDir', path, async () => {
          const from = now();
          if (this.#options.syncs) await sync.call(handle);
          this.#note({ t: now(), what: 'folder', path: resolve(path), from });
        }),
    });
  }

  #writing(path: string, handle: FileHandle, ino: number, before: number): FileHandle {
    const { writeFile, sync } = handle;
    const write = handle.write as (data: Uint8Array) => Promise<{ readonly bytesWritten: number }>;
    let size = before;
    const half = async (data: Uint8Array): Promise<number> => {
      const { bytesWritten } = await write.call(handle, data.subarray(0, Math.ceil(data.length / 2)));
      size += bytesWritten;
      return bytesWritten;
    };
    const written = (data: Uint8Array) => async (fault: 'half' | 'short' | null) => {
      const bytesWritten = fault === null ? (await write.call(handle, data)).bytesWritten : await half(data);
      if (fault === null) size += bytesWritten;
      if (fault === 'half') throw failed('ENOSPC', `write ${path}`);
      return { bytesWritten, buffer: data };
    };
    const wholly = (data: Uint8Array) => async (fault: 'half' | 'short' | null) => {
      if (fault === 'half') {
        await half(data);
        throw failed('ENOSPC', `writeFile ${path}`);
      }
      await writeFile.call(handle, data);
      size += data.length;
    };
    return Object.assign(handle, {
      write: (data: Uint8Array) => this.#step('write', path, written(data)),
      writeFile: (data: Uint8Array) => this.#step('writeFile', path, wholly(data)),
      sync: () =>
        this.#step('sync', path, async () => {
          const reached = size;
          if (this.#options.syncs) await sync.call(handle);
          this.#note({ t: now(), what: 'synced', ino, size: reached });
        }),
    });
  }
}
