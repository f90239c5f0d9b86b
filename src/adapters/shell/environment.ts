/**
 * Builds the environment of a command from scratch, by an allow-list, so that it contains no secret of this process by
 * accident.
 */
import { failure } from '../../shared/errors.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

const INHERITED = /^(PATH|LANG|LANGUAGE|LC_[A-Z]+|TZ)$/;
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
const DEFAULT_PATH = '/usr/local/bin:/usr/bin:/bin';

/** The variables that both a command and the programs that start it inherit from this process. */
export function inheritedEnvironment(ours: Environment): Record<string, string> {
  const env: Record<string, string> = { PATH: DEFAULT_PATH };
  for (const [name, value] of Object.entries(ours)) {
    if (value !== undefined && INHERITED.test(name)) env[name] = value;
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
    HOME: folders.home,
    TMPDIR: folders.tmp,
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
