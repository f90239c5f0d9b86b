/** A process that ends itself at its nth change of a file. */
import { nodeFiles } from '../../../src/adapters/files/files.ts';
import type { AppendFile } from '../../../src/engine/state/storePorts.ts';
import { die } from '../crash/crashPoint.ts';

export interface PlannedKill {
  /** Dies at this change of a file; 0: never. */
  readonly killAt: number;
  /** `torn`: half of it is written. */
  readonly how: 'before' | 'torn' | 'after';
}

export function killAtChange({ killAt, how }: PlannedKill): void {
  let left = killAt;

  /** Counts a change, and dies at the last one that was planned. */
  async function change<T>(work: () => Promise<T>, half: () => Promise<unknown> = work): Promise<T> {
    left--;
    if (left !== 0) return work();
    if (how === 'torn') await half();
    if (how === 'after') await work();
    return die();
  }

  const watched = (file: AppendFile): AppendFile => ({
    write: (data) =>
      change(
        () => file.write(data),
        () => file.write(data.subarray(0, Math.floor(data.length / 2))),
      ),
    sync: () => file.sync(),
    close: () => file.close(),
  });

  const { openNew, openAppend, create, rename } = nodeFiles;
  Object.assign(nodeFiles, {
    openNew: async (path: string) => {
      const file = await openNew(path);
      return file && watched(file);
    },
    openAppend: async (path: string) => watched(await openAppend(path)),
    create: (path: string, data: Uint8Array) =>
      change(
        () => create(path, data),
        () => create(path, data.subarray(0, Math.floor(data.length / 2))),
      ),
    rename: (from: string, to: string) => change(() => rename(from, to)),
  });
}
