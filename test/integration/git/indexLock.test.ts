/** The lock on the user's index whose draft cannot be removed: nothing would ever remove the lock. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { takeLock } from '../../../src/adapters/git/user/indexLock.ts';
import { replacedCall } from '../../support/disk/replacedCall.ts';
import { gitFixture } from '../../support/git/gitFixture.ts';

test('the lock is not left, and its draft goes with the journal', async () => {
  const f = gitFixture();
  try {
    const [gitDir, path] = [join(f.repo, '.git'), join(f.folder, 'move.json')];
    let refusals = 0;
    using _ = replacedCall('rm', (rm) => async (file, options) => {
      if (String(file).endsWith('.part') && refusals++ === 0)
        throw Object.assign(new Error('EBUSY'), { code: 'EBUSY' });
      return rm(file, options);
    });
    const move = { root: f.repo, gitDir, ref: 'refs/heads/main', from: 'a', to: 'b' };
    await expect(takeLock(path, move)).rejects.toMatchObject({ code: 'DISK' });
    expect(readdirSync(gitDir).filter((name) => name.endsWith('.lock') || name.endsWith('.part'))).toEqual([]);
    expect(existsSync(path)).toBe(false);
  } finally {
    f.remove();
  }
});
