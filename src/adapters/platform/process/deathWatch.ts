/**
 * Ensures that a process outside a sandbox does not outlive this one, however this one ends: a small shell watches for
 * the end.
 */
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';

export interface DeathWatch {
  /** Sets the process whose descendants, and on POSIX whose group, are watched. */
  leads(pid: number): void;
  /** Ends the watch. On Windows, resolves when the descendants have ended; elsewhere at once. Never rejects. */
  done(): Promise<void>;
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
 * Reads the marker, the leader of a process group, then `done`. If its input ends without that word, this process has
 * died: then the script ends the group and every process with the marker.
 */
const script = (marked: string): string => `
${marked}
read -r marker
group=
while read -r word; do
  [ "$word" != done ] || exit 0
  group=$word
done
[ -z "$group" ] || kill -9 "-$group" 2>/dev/null
round=0
while [ "$round" -lt ${ROUNDS} ]; do
  found=$(marked)
  [ -n "$found" ] || exit 0
  kill -9 $found 2>/dev/null
  round=$((round + 1))
done
`;

type Options = Pick<SpawnOptions, 'env' | 'detached' | 'windowsVerbatimArguments'>;

/** A watcher that reads lines. Best effort: without it, an interactive program still sees the end of its input. */
export function startWatcher(file: string, args: readonly string[], options: Options): ChildProcess {
  const watcher = spawn(file, args, { ...options, cwd: '/', stdio: ['pipe', 'ignore', 'ignore'], windowsHide: true });
  watcher.on('error', () => undefined);
  watcher.stdin?.on('error', () => undefined);
  return watcher;
}

/** Call before the process with this marker starts, so that it is never unwatched. */
export function watchGroup(marked: string, marker: string): DeathWatch {
  const { stdin } = startWatcher('/bin/sh', ['-c', script(marked), 'watch'], { env: { PATH }, detached: true });
  stdin?.write(`${marker}\n`);
  return {
    leads: (pid) => void stdin?.write(`${pid}\n`),
    done: async () => void stdin?.end('done\n'),
  };
}
