/**
 * Removes temp folders that killed processes left. Each contains the file of a socket on which its maker listens while
 * it lives.
 */
import { lstatSync, readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import type { Clock } from '../../../shared/clock.ts';
import { rm } from '../../platform/heldFiles.ts';

/** Name of the socket in each folder. */
export const SOCKET = 's';
/** By prefix and parent: cleaned once per process. */
const cleaned = new Set<string>();

/** No process takes that long from creating its folder to its socket: it was killed between the two. */
const NO_SOCKET_MS = 60_000;

/** Whether the process behind the folder's socket has ended, or never opened the socket. */
function isDead(folder: string, now: number): Promise<boolean> {
  const socket = join(folder, SOCKET);
  return new Promise((resolve) => {
    const caller = connect(socket);
    caller.once('connect', () => {
      caller.destroy();
      resolve(false);
    });
    caller.once('error', ({ code }: NodeJS.ErrnoException) => {
      const made = code === 'ENOENT' ? lstatSync(folder, { throwIfNoEntry: false })?.mtimeMs : undefined;
      resolve(code === 'ECONNREFUSED' || (made !== undefined && now - made > NO_SOCKET_MS));
    });
  });
}

/** Whether it is a folder of this user, not a link to one. */
function isOurs(folder: string): boolean {
  const stat = lstatSync(folder, { throwIfNoEntry: false });
  return stat?.isDirectory() === true && stat.uid === process.getuid?.();
}

/** Removes the folders of this prefix whose makers have ended. */
export async function removeLeft(parent: string, prefix: string, clock: Pick<Clock, 'now'>): Promise<void> {
  const key = join(parent, prefix);
  if (cleaned.has(key)) return;
  cleaned.add(key);
  for (const name of readdirSync(parent).filter((each) => each.startsWith(prefix))) {
    const folder = join(parent, name);
    if (isOurs(folder) && (await isDead(folder, clock.now())))
      await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}
