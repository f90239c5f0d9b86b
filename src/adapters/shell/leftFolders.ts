/** Temp folders that killed processes left behind. Each holds the file of a socket on which its maker listens while he lives. */
import { lstatSync, readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';

/** In each such folder. */
export const SOCKET = 's';
/** By prefix and parent: once in our life, whoever asks. */
const cleaned = new Set<string>();

/** Whether the other end of a socket file is gone for good. */
function isDead(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const caller = connect(socket);
    caller.once('connect', () => {
      caller.destroy();
      resolve(false);
    });
    caller.once('error', (thrown: NodeJS.ErrnoException) => resolve(thrown.code === 'ECONNREFUSED'));
  });
}

/** A folder, no link to one, that this user made. */
function isOurs(folder: string): boolean {
  const stat = lstatSync(folder, { throwIfNoEntry: false });
  return stat?.isDirectory() === true && stat.uid === process.getuid?.();
}

/** Removes the folders of this prefix whose makers are dead. */
export async function removeLeft(parent: string, prefix: string): Promise<void> {
  const key = join(parent, prefix);
  if (cleaned.has(key)) return;
  cleaned.add(key);
  for (const name of readdirSync(parent).filter((each) => each.startsWith(prefix))) {
    const folder = join(parent, name);
    if (isOurs(folder) && (await isDead(join(folder, SOCKET))))
      await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}
