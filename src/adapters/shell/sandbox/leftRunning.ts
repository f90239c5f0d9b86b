/**
 * Counts the processes that a command left running. They end with the PID namespace of the command. Without this, a
 * model would wait for a server that no longer runs.
 */

import { lstatSync, readFileSync } from 'node:fs';
import { shellQuote } from '../../../core/text/shellQuote.ts';

/** Shell text before the command. */
export const COUNT_BEFORE = 'set -- /proc/[0-9]*; autonomous_before=$#';

/**
 * Shell text that runs `command` and writes the number of remaining processes into `file`, if there are any. The outer
 * shell prints nothing.
 */
export function countedRun(command: string, file: string): string {
  return `exec 2>/dev/null
(exec ${command} 2>&1)
autonomous_code=$?
set -- /proc/[0-9]*
if [ $# -gt "$autonomous_before" ]; then
  autonomous_left=-$autonomous_before
  for autonomous_one; do
    while read -r autonomous_key autonomous_state; do [ "$autonomous_key" != State: ] || break; done < "$autonomous_one/status"
    case $autonomous_state in ''|Z*|X*) ;; *) autonomous_left=$((autonomous_left + 1)) ;; esac
    autonomous_state=
  done
  [ "$autonomous_left" -le 0 ] || echo "$autonomous_left" > ${shellQuote(file)}
fi
exit "$autonomous_code"`;
}

/** Digits of the largest count that is read. */
const MAX_DIGITS = 6;

/**
 * Note for the reader of the command's output. Null if no process was left running. The command may have written the
 * file itself.
 */
export function leftRunningNote(file: string): string | null {
  const stat = lstatSync(file, { throwIfNoEntry: false });
  if (stat?.isFile() !== true || stat.size > MAX_DIGITS + 1) return null;
  const count = Number(readFileSync(file, 'utf8'));
  if (!Number.isSafeInteger(count) || count < 1) return null;
  const [what, were] = count === 1 ? ['1 process', 'was'] : [`${count} processes`, 'were'];
  return `${what} that the command left running ${were} ended with it`;
}
