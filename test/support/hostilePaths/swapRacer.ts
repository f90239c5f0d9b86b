/**
 * A process that swaps: `swapRacer.ts <entry> <target>`, as fast as it can until it is ended. Each turn a link to the target
 * stands at `entry` for a moment, and then the entry again.
 */
import { renameSync, rmSync, symlinkSync } from 'node:fs';

const [entry = '', target = ''] = process.argv.slice(2);
const [aside, link] = [`${entry}.aside`, `${entry}.link`];

function moved(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (thrown) {
    // Somebody else wrote or removed it meanwhile: the next turn finds what is there.
    if (!(thrown instanceof Error && 'code' in thrown)) throw thrown;
  }
}

process.stdout.write('swapping\n');
for (;;) {
  // What was written where it stood took its place.
  rmSync(link, { recursive: true, force: true });
  symlinkSync(target, link);
  moved(entry, aside);
  moved(link, entry);
  moved(entry, link);
  moved(aside, entry);
}
