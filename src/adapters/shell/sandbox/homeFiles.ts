/**
 * Writes files into a private home before a command starts. Earlier commands could have left anything at their paths:
 * no link is followed, obstacles are removed, and no path leads out.
 */
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { failure } from '../../../shared/errors.ts';
import { rmSync } from '../../platform/heldFiles.ts';
import { isFolder, removeTree } from '../removeTree.ts';

export interface HomeFile {
  /** Relative to the home, with slashes. */
  readonly path: string;
  readonly content: string;
  /** Whether the file is removed when the command ends. */
  readonly secret: boolean;
}

/** Null if the path is not a plain relative path below the home. */
function stepsOf(path: string): readonly string[] | null {
  const steps = path.split('/');
  return steps.some((step) => step === '' || step === '.' || step === '..' || /[\\\0\n]/.test(step)) ? null : steps;
}

/** Whether the folder exists. Restores its permissions, which a command may have changed. */
function enters(path: string): boolean {
  if (!isFolder(path)) return false;
  chmodSync(path, 0o700);
  return true;
}

function write(home: string, file: HomeFile): void {
  let at = home;
  const steps = stepsOf(file.path) ?? [];
  for (const step of steps.slice(0, -1)) {
    at = join(at, step);
    if (enters(at)) continue;
    removeTree(at);
    mkdirSync(at, { mode: 0o700 });
  }
  const target = join(at, steps.at(-1) ?? '');
  removeTree(target);
  writeFileSync(target, file.content, { mode: 0o600, flag: 'wx' });
}

/** Removes the file at a path of the home. If a link leads there, the file is outside and stays. */
function remove(home: string, path: string): void {
  const steps = stepsOf(path);
  const last = steps?.at(-1);
  if (steps === null || last === undefined) return;
  let at = home;
  for (const step of steps.slice(0, -1)) {
    at = join(at, step);
    if (!enters(at)) return;
  }
  removeTree(join(at, last));
}

/**
 * Writes the files, and returns a function that removes the secret ones. Throws INVALID_INPUT for a path that leads
 * out. `notes` is a folder that no command can write: it records the files to remove, in case this process is killed
 * before.
 */
export function putHomeFiles(home: string, files: readonly HomeFile[], notes: string): () => void {
  const wrong = files.find((file) => stepsOf(file.path) === null);
  if (wrong !== undefined) {
    throw failure('INVALID_INPUT', `${JSON.stringify(wrong.path)} is not a path in a private home`);
  }
  const secrets = files.filter((file) => file.secret).map((file) => file.path);
  const note = join(notes, basename(home));
  if (secrets.length > 0) {
    mkdirSync(notes, { recursive: true, mode: 0o700 });
    writeFileSync(note, secrets.join('\n'), { mode: 0o600 });
  }
  const removeAll = (): void => {
    for (const path of secrets) remove(home, path);
    if (secrets.length > 0) rmSync(note, { force: true });
  };
  try {
    for (const file of files) write(home, file);
  } catch (thrown) {
    removeAll();
    throw thrown;
  }
  return removeAll;
}

/** Removes the secrets that a killed process left in the homes below `homes`. */
export function removeLeftSecrets(homes: string, notes: string): void {
  if (!isFolder(notes)) return;
  for (const name of readdirSync(notes)) {
    const note = join(notes, name);
    for (const path of readFileSync(note, 'utf8').split('\n')) remove(join(homes, name), path);
    rmSync(note, { force: true });
  }
}
