/** Loads the installation's key: 32 random bytes in the config folder, the same for extension and terminal. */
import { randomBytes } from 'node:crypto';
import { dirname, join } from 'node:path';
import { diskFailure, makeFile } from '../../engine/state/filePorts.ts';
import type { FileOps } from '../../engine/state/storePorts.ts';
import { failure } from '../../shared/errors.ts';
import { platform } from '../platform/platform.ts';

const KEY_BYTES = 32;
const KEY_FILE = 'state.key';

async function readKey(path: string, ops: FileOps): Promise<Uint8Array | null> {
  const stat = await ops.stat(path);
  if (stat === null) return null;
  const key = stat.kind === 'file' ? await ops.read(path) : null;
  if (key?.length !== KEY_BYTES) {
    throw failure('STATE_DAMAGED', `${path} is not a key`, {
      hint: 'Put it back from a backup, or remove it: state written until now can then be looked at, but not continued.',
      details: { path },
    });
  }
  const others = stat.mode & 0o077;
  if (platform.hasModes && others !== 0) await ops.chmod(path, 0o600);
  return key;
}

/** The key if there is one, for a process that only reads. Throws STATE_DAMAGED if the file contains no key. */
export function findKey(configDir: string, ops: FileOps): Promise<Uint8Array | null> {
  return readKey(join(configDir, KEY_FILE), ops);
}

/** The key, created if it does not exist. Two processes that create it at the same time end up with the same one. */
export async function loadKey(configDir: string, ops: FileOps): Promise<Uint8Array> {
  const path = join(configDir, KEY_FILE);
  const present = await readKey(path, ops);
  if (present !== null) return present;
  await ops.makeDir(dirname(path));
  try {
    await makeFile(ops, path, randomBytes(KEY_BYTES));
  } catch (thrown) {
    throw diskFailure(thrown, path);
  }
  const made = await readKey(path, ops);
  if (made === null) throw failure('DISK', `${path} vanished`, { details: { path } });
  return made;
}
