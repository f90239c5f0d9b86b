/** Sees to it that a process outside of a sandbox does not outlive us, however we end: a small shell that waits for our end. */
import { spawn } from 'node:child_process';
import { MARKER } from './processTree.ts';

const ROUNDS = 50;

/**
 * Hears the leader of a process group, then `done`. The end of its input without that word is our death: then it ends the
 * group, and where there is /proc whatever carries the marker. It carries none itself.
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
  /** The leader of what is watched. */
  leads(pid: number): void;
  /** Nothing is left to watch. */
  done(): void;
}

/** To be begun before the process with this marker, so that there is no moment without. */
export function watchOurDeath(marker: string, path: string): DeathWatch {
  const watcher = spawn('/bin/sh', ['-c', SCRIPT, 'watch', `${MARKER}=${marker}`], {
    env: { PATH: path },
    cwd: '/',
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  // Best effort: without it a program that talks still hears the end of its input.
  watcher.on('error', () => undefined);
  watcher.stdin.on('error', () => undefined);
  return {
    leads: (pid) => void watcher.stdin.write(`${pid}\n`),
    done: () => void watcher.stdin.end('done\n'),
  };
}
