/**
 * Where programs of this machine are looked for: git and what a sandbox is made of, and what libraries start by a mere name. A
 * shell may have put folders of a repository on the PATH (npm and direnv do); nothing that a repository brings is run out here.
 */
import { realpathSync } from 'node:fs';
import { basename, delimiter, dirname, isAbsolute, join } from 'node:path';
import { errnoOf } from '../../../shared/errors.ts';
import { isWithin } from './executables.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Where a path leads, as far down as there is something. */
function whereTo(path: string): string {
  try {
    return realpathSync(path);
  } catch (thrown) {
    if (errnoOf(thrown) === undefined || dirname(path) === path) throw thrown;
    return join(whereTo(dirname(path)), basename(path));
  }
}

/** A PATH without what lies in one of the folders or leads there, and without what depends on where one stands. */
export function searchPathOutside(path: string, folders: readonly string[]): string {
  const closed = folders.map(whereTo);
  return path
    .split(delimiter)
    .filter((entry) => isAbsolute(entry) && !closed.some((folder) => isWithin(whereTo(entry), folder)))
    .join(delimiter);
}

/** For whoever is told what the environment is. */
export function environmentOutside(env: Environment, folders: readonly string[]): Environment {
  return { ...env, PATH: searchPathOutside(env['PATH'] ?? env['Path'] ?? '', folders) };
}

/** Of this process, or of this thread alone: for a program that is ours. */
export function leaveOut(folders: readonly string[]): void {
  process.env['PATH'] = searchPathOutside(process.env['PATH'] ?? '', folders);
}
