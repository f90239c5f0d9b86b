/** Finds the shell that runs commands: bash if it is installed, because models write bash; otherwise that of the system. */
import { shellQuote } from '../../core/text/shellQuote.ts';
import { findExecutable, ownFolders } from '../platform/executables.ts';
import { type Environment, platform } from '../platform/platform.ts';
import type { Shell, Start } from '../platform/system.ts';

export interface CommandShell {
  readonly name: Shell['name'];
  /** Absolute path. */
  readonly file: string;
  /** What starts it with a command. */
  start(command: string): Start;
}

/** `outside`: folders whose programs are ignored. */
export function findShell(environment: Environment, outside: readonly string[]): CommandShell {
  const find = (name: string): string | null => findExecutable(name, ownFolders(environment['PATH'] ?? ''), outside);
  const preferred = (command: string): Shell => {
    const [shell] = platform.shells(command, environment, find);
    if (shell === undefined) throw new Error('a system without a shell');
    return shell;
  };
  const { name, start } = preferred('');
  return { name, file: start.file, start: (command) => preferred(command).start };
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
export function scriptWords({ name, file }: CommandShell, script: string): string {
  return name === 'bash'
    ? `${shellQuote(file)} -c ${shellQuote(EVALUATE)} bash ${shellQuote(script)}`
    : `${shellQuote(file)} ${shellQuote(script)}`;
}
