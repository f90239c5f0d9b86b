/** A PATH of few programs: what is not there, a sandbox above all, makes no difference between machines. */
import { existsSync, mkdirSync, realpathSync, symlinkSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Makes the folder, with those of this machine's programs that are named. */
export function fewPrograms(bin: string, names: readonly string[]): string {
  mkdirSync(bin);
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  for (const name of names) {
    const found = folders.map((folder) => join(folder, name)).find(existsSync);
    if (found !== undefined) symlinkSync(realpathSync(found), join(bin, name));
  }
  return bin;
}
