/** Defines the paths outside the workspace. */
import { createHash } from 'node:crypto';
import { chmodSync, lstatSync, mkdirSync } from 'node:fs';
import { homedir, tmpdir, userInfo } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { requireOwnPlace } from '../core/guard/ownPlace.ts';
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

/**
 * Creates the runtime folder, for this user only. Throws NOT_PERMITTED if the path is a link, another user's folder, or
 * one that others may write.
 */
export function makeRuntimeDir(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const stat = lstatSync(path);
  const kind = stat.isDirectory() ? 'folder' : 'other';
  requireOwnPlace(path, { kind, uid: stat.uid, mode: stat.mode }, 'folder', process.getuid?.());
  if (platform.hasModes && (stat.mode & 0o077) !== 0) chmodSync(path, 0o700);
}

/** The folder of clones unless a setting names another one. */
export function defaultJobsDir(): string {
  return join(homedir(), '.autonomous', 'jobs');
}
