/** A program: takes the lock of a user's index on a disk (its folder is the argument) that holds no byte more. */
import { closeSync, existsSync, mkdirSync, mkdtempSync, openSync, readdirSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { takeLock } from '../../../src/adapters/git/user/indexLock.ts';
import { errnoOf } from '../../../src/shared/errors.ts';

const [, , disk = ''] = process.argv;
const gitDir = join(disk, '.git');
mkdirSync(gitDir);
const fill = openSync(join(disk, 'fill'), 'w');
try {
  for (;;) writeSync(fill, Buffer.alloc(4096));
} catch (thrown) {
  if (errnoOf(thrown) !== 'ENOSPC') throw thrown;
}
closeSync(fill);
const ours = mkdtempSync(join(tmpdir(), 'autonomous-lock-'));
const journal = join(ours, 'move.json');
const move = { root: disk, gitDir, ref: 'refs/heads/main', from: 'a', to: 'b' };
const code = await takeLock(journal, move).then(() => 'held', errnoOf);
process.stdout.write(JSON.stringify({ code, left: readdirSync(gitDir), journal: existsSync(journal) }));
rmSync(ours, { recursive: true });
