/** Finds the shell that runs commands: bash if it is installed, because models write bash; otherwise that of the system. */
import { shellQuote } from '../../core/text/shellQuote.ts';
import { findExecutable, ownFolders } from '../platform/executables.ts';
import { type Environment, platform, type Shell } from '../platform/platform.ts';

/** `outside`: folders whose programs are ignored. */
export function findShell(environment: Environment, outside: readonly string[]): Shell {
  const path = ownFolders(environment['PATH'] ?? '');
  return platform.shell(environment, (name) => findExecutable(name, path, outside));
}

/**
 * Bash prefixes each of its messages with the name of a script file. Evaluated text has no such name, and keeps its
 * line numbers.
 */
const EVALUATE = '{ _script=$1; shift; eval "$(<"$_script")"; }';

/**
 * Shell text that runs a script file. The command's text is in no argument, so that a command that searches processes
 * does not find itself.
 */
export function scriptWords({ name, file }: Shell, script: string): string {
  return name === 'bash'
    ? `${shellQuote(file)} -c ${shellQuote(EVALUATE)} bash ${shellQuote(script)}`
    : `${shellQuote(file)} ${shellQuote(script)}`;
}
