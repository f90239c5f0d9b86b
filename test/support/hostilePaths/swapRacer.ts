/**
 * A process that swaps: `swapRacer.ts <entry> <other>`, as fast as it can until it is ended. Each turn `other`, a link, stands
 * at `entry` for a moment, and then the entry again.
 */
import { renameSync } from 'node:fs';

const [entry = '', other = ''] = process.argv.slice(2);
const aside = `${entry}.aside`;

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
  moved(entry, aside);
  moved(other, entry);
  moved(entry, other);
  moved(aside, entry);
}
