/** Processes of this machine that belong to a folder of a test. */
import { readdirSync, readFileSync } from 'node:fs';

/** Command lines of the processes, but this one, that name `folder` in their words or their environment. Linux; elsewhere none. */
export function processesOf(folder: string): string[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((pid) => {
      const words = partOf(pid, 'cmdline');
      return `${words}\0${partOf(pid, 'environ')}`.includes(folder) ? [`${pid} ${words.replaceAll('\0', ' ')}`] : [];
    });
}

function partOf(pid: string, part: 'cmdline' | 'environ'): string {
  try {
    return readFileSync(`/proc/${pid}/${part}`, 'utf8');
  } catch {
    return ''; // it ended while we looked
  }
}
