/**
 * Builds the search path for programs of this machine: git, the tools of the sandbox, and programs that libraries start
 * by a mere name. A shell may have put folders of a repository on the PATH (npm and direnv do); no program of a
 * repository runs outside the sandbox.
 */
import { delimiter, isAbsolute } from 'node:path';
import { mayLeadInto } from './executables.ts';
import { type Environment, ownEnvironment, platform } from './platform.ts';

/** A PATH without entries that are inside one of the folders or lead there, and without relative entries. */
export function searchPathOutside(path: string, folders: readonly string[]): string {
  return path
    .split(delimiter)
    .filter((entry) => isAbsolute(entry) && !mayLeadInto(entry, folders))
    .join(delimiter);
}

/** A copy of the environment with that PATH. */
export function environmentOutside(env: Environment, folders: readonly string[]): Environment {
  return { ...env, PATH: searchPathOutside(env['PATH'] ?? '', folders) };
}

/** Changes the PATH of this process, or of this thread alone: for a program of this package. */
export function leaveOut(folders: readonly string[]): void {
  const path = searchPathOutside(ownEnvironment()['PATH'] ?? '', folders);
  // A thread has each variable under the name that it was given, and would keep the other one.
  for (const name of Object.keys(process.env))
    if ('PATH' in platform.environment({ [name]: '' })) delete process.env[name];
  process.env['PATH'] = path;
}
