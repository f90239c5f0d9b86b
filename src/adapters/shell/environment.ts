/**
 * Builds the environment of a command from scratch, by an allow-list, so that it contains no secret of this process by
 * accident.
 */
import { failure } from '../../shared/errors.ts';
import { type Environment, platform } from '../platform/platform.ts';

/** Name of the variable that identifies the processes of an unconfined command. */
export const MARKER = 'AUTONOMOUS_COMMAND';

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** The variables that both a command and the programs that start it inherit from this process. */
export function inheritedEnvironment(ours: Environment): Record<string, string> {
  const env: Record<string, string> = { PATH: platform.defaultPath };
  for (const [name, value] of Object.entries(ours)) {
    if (value !== undefined && platform.inherited.test(name)) env[name] = value;
  }
  return env;
}

/** Throws INVALID_INPUT for a name that a shell cannot export, or a value with a NUL. */
export function commandEnvironment(
  ours: Environment,
  given: Environment,
  folders: { readonly home: string; readonly tmp: string },
): Record<string, string> {
  const env: Record<string, string> = {
    ...inheritedEnvironment(ours),
    TERM: 'dumb',
    CI: '1',
    NO_COLOR: '1',
    ...platform.homeVariables(folders.home, folders.tmp),
  };
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue;
    if (!NAME.test(name) || value.includes('\0')) {
      throw failure('INVALID_INPUT', `a command's environment cannot hold a variable named ${JSON.stringify(name)}`);
    }
    env[name] = value;
  }
  return env;
}
