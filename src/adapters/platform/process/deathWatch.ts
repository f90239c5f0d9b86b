/**
 * Ensures that a process outside a sandbox does not outlive this one, however this one ends: a small shell watches for
 * the end.
 */
import { spawn } from 'node:child_process';
import type { Writable } from 'node:stream';
import type { ProcessId } from './processes.ts';

export interface DeathWatch {
  /** Sets the process whose descendants, and on POSIX whose group, are watched. */
  leads(pid: number): void;
  /** Adds processes that were seen to descend from it, where the environments of some programs are hidden. */
  saw(seen: readonly ProcessId[]): void;
  /**
   * Ends the watch. On Windows, resolves when the descendants have ended; elsewhere at once. Returns whether the watch has itself ended the
   * process before. Never rejects.
   */
  done(): Promise<boolean>;
}

const ROUNDS = 50;
/** Contains programs of the system alone: no program of a repository runs here. */
const PATH = '/usr/bin:/bin:/run/current-system/sw/bin';

/** Shell functions that print the processes with `$marker` in their environment. The shell itself has it in neither. */
export const MARKED_BY_PROC =
  'marked() { grep -lsaF -e "$marker" /proc/[0-9]*/environ | while IFS=/ read -r _ _ pid _; do echo "$pid"; done; }';
export const MARKED_BY_PS = (wide: string): string =>
  `marked() { ps ${wide} -A -o pid=,command= | while read -r pid words; do case $words in *"$marker"*) echo "$pid" ;; esac; done; }`;

/**
 * Reads the marker, then `leads GROUP`, `saw PID START` and `done`. If its input ends without that word, this process has
 * died: then the script ends the group, what was seen and still is the same process, and every process with the marker.
 */
const script = (marked: string): string => `
${marked}
read -r marker
group=
seen=
while read -r word rest; do
  case $word in
    done) exit 0 ;;
    leads) group=$rest ;;
    saw) seen="$seen$rest
" ;;
  esac
done
[ -z "$group" ] || kill -9 "-$group" 2>/dev/null
printf '%s' "$seen" | while read -r pid start; do
  set -- $(LC_ALL=C TZ=UTC ps -o lstart= -p "$pid" 2>/dev/null)
  [ "$*" != "$start" ] || kill -9 "$pid" 2>/dev/null
done
round=0
while [ "$round" -lt ${ROUNDS} ]; do
  found=$(marked)
  [ -n "$found" ] || exit 0
  kill -9 $found 2>/dev/null
  round=$((round + 1))
done
`;

/** Call before the process with this marker starts, so that it is never unwatched. */
export function watchGroup(marked: string, marker: string): DeathWatch {
  const watcher = spawn('/bin/sh', ['-c', script(marked), 'watch'], {
    env: { PATH },
    cwd: '/',
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  // Best effort: without the watch, an interactive program still sees the end of its input.
  watcher.on('error', () => undefined);
  const stdin: Writable | undefined = watcher.stdin;
  // It is missing if this process has too many open files.
  stdin?.on('error', () => undefined);
  stdin?.write(`${marker}\n`);
  return {
    leads: (pid) => void stdin?.write(`leads ${pid}\n`),
    saw: (seen) => {
      for (const { pid, start } of seen) stdin?.write(`saw ${pid} ${start.replaceAll(/ +/g, ' ')}\n`);
    },
    done: async () => {
      stdin?.end('done\n');
      return false;
    },
  };
}
