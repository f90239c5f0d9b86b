/** Where a process under test kills itself, given in its environment, so that a kill is at an exact place of the code. */
import { nodeFiles } from '../../../src/adapters/files/files.ts';
import type { AppendFile } from '../../../src/engine/state/storePorts.ts';

export type CrashPoint =
  /** The line of the nth event of this type is on the disk, nobody was told. */
  | { readonly at: 'durable'; readonly type: string; readonly nth: number }
  /**
   * Only the worker's thread ends, before it writes its nth line of tools' results into a journal, or at once when that is 0;
   * later threads before their `again`th. `log` is a file with a mark for each death; no more than `deaths` are died.
   */
  | {
      readonly at: 'thread';
      readonly nth: number;
      readonly again: number;
      readonly how: 'exit' | 'throw';
      readonly deaths: number;
      readonly log: string;
    };

const VARIABLE = 'CRASH_POINT';

export function crashEnv(point: CrashPoint | null): Record<string, string> {
  return point === null ? {} : { [VARIABLE]: JSON.stringify(point) };
}

export function crashPoint(): CrashPoint | null {
  const text = process.env[VARIABLE];
  return text === undefined ? null : (JSON.parse(text) as CrashPoint);
}

/** Ends the whole process at once, from whatever thread. */
export function die(): Promise<never> {
  process.kill(process.pid, 'SIGKILL');
  return new Promise(() => undefined);
}

/** Counts down to the point: true once, when it is reached. */
export function countdown(nth: number): (count: number) => boolean {
  let left = nth;
  return (count) => {
    if (left <= 0) return false;
    left -= count;
    return left <= 0;
  };
}

/** Lets `watch` see what is appended to files below a folder of that name, before the write and after the sync. */
export function watchAppends(
  folder: string,
  watch: { before?(text: string): Promise<void>; after?(text: string): Promise<void> },
): void {
  const { openNew } = nodeFiles;
  const watched = (file: AppendFile): AppendFile => {
    let unsynced = '';
    return {
      write: async (data) => {
        const text = Buffer.from(data).toString('utf8');
        await watch.before?.(text);
        unsynced += text;
        return file.write(data);
      },
      sync: async () => {
        await file.sync();
        const text = unsynced;
        unsynced = '';
        await watch.after?.(text);
      },
      close: () => file.close(),
    };
  };
  Object.assign(nodeFiles, {
    openNew: async (path: string) => {
      const file = await openNew(path);
      return file !== null && path.includes(`/${folder}/`) ? watched(file) : file;
    },
  });
}
