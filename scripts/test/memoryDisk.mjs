/**
 * Keeps temp folders in memory: the suites make and delete some hundred thousand small files, which took a sixth of their CPU time on a disk. Each
 * step gets a separate mount, which only it sees and which ends with it.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';

/** Bytes of memory of which half is enough for three steps. */
const ENOUGH = 12 * 2 ** 30;
const MOUNT = 'mount -t tmpfs -o mode=1777,size=50% autonomous-test "$TMPDIR" && exec "$@"';

/**
 * Returns the words before a step's command, its variables, and a function to call at the end. If the machine does not support this (no Linux, not
 * root, no right to mount, too little memory), they are empty and the system's temp folder is used.
 */
export function memoryDisk() {
  const none = { words: [], env: {}, end: () => undefined };
  if (process.platform !== 'linux' || process.getuid?.() !== 0 || totalmem() < ENOUGH) return none;
  // A short name: a socket's path may not exceed about 104 bytes.
  const folder = mkdtempSync(join(tmpdir(), 'm-'));
  const end = () => rmdirSync(folder);
  const env = { TMPDIR: folder };
  const words = ['unshare', '--mount', 'sh', '-c', MOUNT, 'sh'];
  const [command, ...args] = [...words, 'true'];
  if (spawnSync(command, args, { env: { ...process.env, ...env } }).status === 0) return { words, env, end };
  end();
  return none;
}
