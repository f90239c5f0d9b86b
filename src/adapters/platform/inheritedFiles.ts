/**
 * Finds files that the starter of this process left open: Node keeps the lowest numbers from children, but none behind
 * a gap. A command could write to such a file, wherever it is; so a command gets the empty device instead of each.
 */
import type { StdioOptions } from 'node:child_process';
import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { devNull } from 'node:os';
import { errnoOf, failure, messageOf } from '../../shared/errors.ts';
import { platform } from './platform.ts';
import { hasProc } from './process/byProc.ts';

const FILES = '/proc/self/fdinfo';
/** Flag of an open file that is closed when another program starts. */
const O_CLOEXEC = 0o2_000_000;

function isHandedOn(fd: number): boolean {
  try {
    const flags = /^flags:\s*([0-7]+)$/m.exec(readFileSync(`${FILES}/${fd}`, 'utf8'))?.[1] ?? '0';
    return (Number.parseInt(flags, 8) & O_CLOEXEC) === 0;
  } catch (thrown) {
    // Closed meanwhile, like the descriptor of the listing itself.
    if (errnoOf(thrown) === 'ENOENT') return false;
    throw failure('SANDBOX_UNAVAILABLE', `the open files of this process cannot be listed: ${messageOf(thrown)}`, {
      cause: thrown,
    });
  }
}

/** Empty on a Unix without /proc. Any other failure is thrown. */
function listed(): readonly string[] {
  try {
    return readdirSync(FILES);
  } catch (thrown) {
    if (errnoOf(thrown) === 'ENOENT' && !hasProc()) return [];
    throw thrown;
  }
}

/** File numbers above the three of every process. Only Linux lists them; macOS and Windows hand none on. */
function handedOn(): number[] {
  if (platform.name !== 'linux') return [];
  return listed()
    .map(Number)
    .filter((fd) => fd > 2 && isHandedOn(fd));
}

/** Starts a process with these three, and without any other open file of this process. */
export function startWithout<T>(three: readonly ('ignore' | 'pipe')[], start: (stdio: StdioOptions) => T): T {
  const fds = handedOn();
  if (fds.length === 0) return start([...three]);
  const nothing = openSync(devNull, 'r+');
  try {
    const all: (number | 'ignore' | 'pipe')[] = [...three];
    while (all.length <= Math.max(...fds)) all.push('ignore');
    for (const fd of fds) all[fd] = nothing;
    return start(all);
  } finally {
    closeSync(nothing);
  }
}
