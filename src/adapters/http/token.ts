/**
 * Reads the secret of a workspace's API: 32 random bytes in a file of this user, the same for the terminal and the
 * editor.
 */
import { randomBytes } from 'node:crypto';
import { dirname } from 'node:path';
import { diskFailure, makeFile } from '../../engine/state/filePorts.ts';
import type { FileOps } from '../../engine/state/storePorts.ts';
import { failure } from '../../shared/errors.ts';
import { platform } from '../platform/platform.ts';

const FORM = /^[\w-]{43}$/;

async function readToken(path: string, ops: FileOps): Promise<string | null> {
  const stat = await ops.stat(path);
  if (stat === null) return null;
  const bytes = stat.kind === 'file' ? await ops.read(path, 64) : null;
  const token = Buffer.from(bytes ?? [])
    .toString()
    .trim();
  if (!FORM.test(token)) {
    throw failure('INVALID_INPUT', `${path} is not a token`, {
      hint: 'Remove it: a new one is made.',
      details: { path },
    });
  }
  if (platform.hasModes && (stat.mode & 0o077) !== 0) await ops.chmod(path, 0o600);
  return token;
}

/** Created if it does not exist. Two processes that create it at the same time end up with the same one. */
export async function loadToken(path: string, ops: FileOps): Promise<string> {
  const present = await readToken(path, ops);
  if (present !== null) return present;
  try {
    await ops.makeDir(dirname(path));
    await makeFile(ops, path, Buffer.from(randomBytes(32).toString('base64url')));
  } catch (thrown) {
    throw diskFailure(thrown, path);
  }
  const made = await readToken(path, ops);
  if (made === null) throw failure('DISK', `${path} vanished`, { details: { path } });
  return made;
}
