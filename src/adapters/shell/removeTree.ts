/** Removes the remains of a command, whatever permissions it gave to its folders. */
import { chmodSync, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { errnoOf } from '../../shared/errors.ts';
import { rm, rmSync } from '../platform/heldFiles.ts';

const gone = { recursive: true, force: true, maxRetries: 3 } as const;

export function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** For folders only: a link is left alone. */
function openUp(folder: string): void {
  chmodSync(folder, 0o700);
  for (const name of readdirSync(folder)) {
    const each = join(folder, name);
    if (isFolder(each)) openUp(each);
  }
}

function isShut(thrown: unknown): boolean {
  return errnoOf(thrown) === 'EACCES' || errnoOf(thrown) === 'EPERM';
}

/** No error if the path does not exist. A link is removed, never followed. */
export function removeTree(path: string): void {
  try {
    rmSync(path, gone);
  } catch (thrown) {
    if (!isShut(thrown) || !isFolder(path)) throw thrown;
    openUp(path);
    rmSync(path, gone);
  }
}

/** The same for large trees. */
export async function removeLargeTree(path: string): Promise<void> {
  try {
    await rm(path, gone);
  } catch (thrown) {
    if (!isShut(thrown)) throw thrown;
    removeTree(path);
  }
}
