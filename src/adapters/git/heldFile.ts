/** What git says on Windows of a file that another program holds. It has tried for 70 ms by itself. */

/**
 * An invalid argument is also a name that Windows does not allow, but not of a file that is there. Where a ref is put in its place, git names
 * no errno. What git may not read it leaves out: it warns of it again each time.
 */
const HELD =
  /^(?:fatal|error|warning(?!: (?:could not open directory|unable to access))): .*(?:: (?:Permission denied|Device or resource busy|Directory not empty)|(?:unlink|remove) .*: Invalid argument|couldn't set '.+')$/m;

/** A folder that something was put into: it matters to a command that fails by it. */
const NOT_EMPTY = /^warning: failed to remove .*: Directory not empty$/gm;

/** The line of git's stderr, or null. Git calls some of these a warning, and ends with 0. */
export function heldFile(stderr: string, code: number): string | null {
  const text = code === 0 ? stderr.replaceAll(NOT_EMPTY, '') : stderr;
  return HELD.exec(text)?.[0].replace(/^\w+: /, '') ?? null;
}

/**
 * Whether a command that failed by a held file has the same effect if it is run again. A commit may have been made, some of several refs may
 * have moved, and a merge into a work tree takes the files that it has written for the user's.
 */
export function mayRepeat(args: readonly string[], stderr: string): boolean {
  const [command] = args;
  if (command === 'commit') return false;
  if (command === 'update-ref' && args.includes('--stdin')) return stderr.includes('cannot lock ref');
  return command !== 'read-tree' || !args.includes('-m') || args.includes('-n');
}
