/**
 * Ensures that a process outside a sandbox does not outlive this one, however this one ends: a small shell watches for
 * the end.
 */
import { spawn } from 'node:child_process';
import { platform } from '../../platform/platform.ts';
import { MARKER } from '../environment.ts';

const ROUNDS = 50;

/**
 * Reads the leader of a process group, then `done`. If its input ends without that word, this process has died: then
 * the script ends the group and, if there is /proc, every process with the marker. The script has no marker itself.
 */
const SCRIPT = `
group=
while read -r word; do
  [ "$word" != done ] || exit 0
  group=$word
done
[ -z "$group" ] || kill -9 "-$group" 2>/dev/null
round=0
while [ "$round" -lt ${ROUNDS} ]; do
  found=$(grep -lsaF -e "$1" /proc/[0-9]*/environ)
  [ -n "$found" ] || exit 0
  for file in $found; do
    file=\${file#/proc/}
    kill -9 "\${file%/environ}" 2>/dev/null
  done
  round=$((round + 1))
done
`;

export interface DeathWatch {
  /** Sets the leader of the watched group. */
  leads(pid: number): void;
  /** Ends the watch: no process is left. */
  done(): void;
}

/** Call before the process with this marker starts, so that it is never unwatched. */
export function watchOurDeath(marker: string, path: string): DeathWatch {
  // On Windows the process itself ends with this one; what it started may not.
  if (!platform.hasGroups) return { leads: () => undefined, done: () => undefined };
  const watcher = spawn('/bin/sh', ['-c', SCRIPT, 'watch', `${MARKER}=${marker}`], {
    env: { PATH: path },
    cwd: '/',
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  // Best effort: without the watch, an interactive program still sees the end of its input.
  watcher.on('error', () => undefined);
  watcher.stdin.on('error', () => undefined);
  return {
    leads: (pid) => void watcher.stdin.write(`${pid}\n`),
    done: () => void watcher.stdin.end('done\n'),
  };
}
