/** Defines the paths outside the workspace. */
import { createHash } from 'node:crypto';
import { homedir, tmpdir, userInfo } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { type Environment, ownEnvironment, platform } from './platform/platform.ts';
import type { Platform } from './platform/system.ts';

/** An absolute path in a variable; any other value counts as unset, as in the XDG specification. */
function folderFrom(env: Environment, name: string): string | null {
  const value = env[name];
  return value !== undefined && isAbsolute(value) ? value : null;
}

/** The folder with the key of this installation. */
export function configDir(env: Environment = ownEnvironment(), system: Platform = platform): string {
  const own = folderFrom(env, 'AUTONOMOUS_CONFIG_DIR');
  if (own !== null) return own;
  return join(folderFrom(env, 'XDG_CONFIG_HOME') ?? system.configFolder(env, homedir()), 'autonomous');
}

/** The folder of sockets and tokens. It may not exist yet: see `makeRuntimeDir`. */
export function runtimeDir(env: Environment = ownEnvironment(), system: Platform = platform): string {
  const own = folderFrom(env, 'AUTONOMOUS_RUNTIME_DIR');
  if (own !== null) return own;
  const session = folderFrom(env, 'XDG_RUNTIME_DIR');
  if (session !== null) return join(session, 'autonomous');
  return system.runtimeFolder(env, { home: homedir(), tmp: tmpdir(), user: userName() });
}

/** The number of the user; on Windows, which has none, a hash of the name. */
function userName(): string {
  const { uid, username } = userInfo();
  return uid >= 0 ? String(uid) : createHash('sha256').update(username).digest('hex').slice(0, 8);
}

/** The folder of clones unless a setting names another one. */
export function defaultJobsDir(): string {
  return join(homedir(), '.autonomous', 'jobs');
}
