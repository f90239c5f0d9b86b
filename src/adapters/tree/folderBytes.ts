/** Computes the size of a folder on the disk. */
import { lstat, opendir } from 'node:fs/promises';
import { join } from 'node:path';

/** Bytes of the files below; links are not followed. Files that disappear meanwhile are not counted. */
export async function folderBytes(folder: string): Promise<number> {
  let bytes = 0;
  const entries = await opendir(folder).catch(() => null);
  if (entries === null) return 0;
  for await (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) bytes += await folderBytes(path);
    else bytes += (await lstat(path).catch(() => null))?.size ?? 0;
  }
  return bytes;
}
