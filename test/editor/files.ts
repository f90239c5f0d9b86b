/** What lies on the disk, while a program that has just been told to end may still remove some of it. */
import { type Dirent, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** null: it went away meanwhile. */
function unlessGone<T>(read: () => T): T | null {
  try {
    return read();
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw thrown;
  }
}

function filesBelow(folder: string): string[] {
  const entries: Dirent[] = unlessGone(() => readdirSync(folder, { withFileTypes: true })) ?? [];
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return filesBelow(path);
    return entry.isFile() ? [path] : [];
  });
}

/** The files below a folder that hold one of these texts. Throws when there is no file at all: then nothing was looked at. */
export function filesWith(folder: string, ...texts: readonly string[]): readonly string[] {
  const files = filesBelow(folder);
  if (files.length === 0) throw new Error(`there is no file below ${folder}`);
  return files.filter((file) => {
    const content = unlessGone(() => readFileSync(file, 'latin1')) ?? '';
    return texts.some((text) => content.includes(text));
  });
}
