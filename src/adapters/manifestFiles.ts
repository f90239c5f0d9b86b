/** Small files that show the state to other programs: whole or not at all, and only when they changed. */
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { failure } from '../shared/errors.ts';

export interface ManifestFiles {
  /** Replaces the file by temp and rename. Calls are done in their order. Throws DISK. */
  put(files: readonly { readonly path: string; readonly text: string }[]): Promise<void>;
}

async function replace(path: string, text: string): Promise<void> {
  const part = `${path}.part`;
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeFile(part, text, { mode: 0o600 });
    await rename(part, path);
  } catch (cause) {
    throw failure('DISK', `cannot write ${path}`, { cause, details: { path } });
  }
}

export function createManifestFiles(): ManifestFiles {
  const written = new Map<string, string>();
  let last: Promise<void> = Promise.resolve();

  async function putAll(files: Parameters<ManifestFiles['put']>[0]): Promise<void> {
    for (const { path, text } of files) {
      if (written.get(path) === text) continue;
      await replace(path, text);
      written.set(path, text);
    }
  }

  return {
    put(files) {
      const mine = last.then(() => putAll(files));
      // the next call does not fail because this one did
      last = mine.catch(() => undefined);
      return mine;
    },
  };
}
