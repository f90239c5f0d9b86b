/** Two lanes store the same object at once: the later one finds it there, and Windows replaces no read-only file. */
import { readdirSync, writeFileSync } from 'node:fs';
import promises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { madeObject, storeObjects } from '../../../src/adapters/git/looseObjects.ts';
import { gitFixture, plainGit } from '../../support/git/gitFixture.ts';

const { rename } = promises;

function renaming(instead: typeof rename): Disposable {
  Object.assign(promises, { rename: instead });
  syncBuiltinESMExports();
  return {
    [Symbol.dispose]: () => {
      Object.assign(promises, { rename });
      syncBuiltinESMExports();
    },
  };
}

const refused = Object.assign(new Error('EPERM'), { code: 'EPERM' });

test('the object of the earlier one counts, and no draft is left', async () => {
  const f = gitFixture();
  try {
    const [gitDir, object] = [join(f.repo, '.git'), madeObject('blob', Buffer.from('two lanes\n'), 40)];
    const folder = join(gitDir, 'objects', object.id.slice(0, 2));
    using _ = renaming(async (from, to) => {
      await rename(from, to);
      writeFileSync(from, '');
      throw refused;
    });
    await storeObjects(gitDir, [object]);
    expect(readdirSync(folder).filter((name) => name.startsWith('tmp_obj_'))).toEqual([]);
    expect(plainGit(f.repo, ['cat-file', 'blob', object.id])).toBe('two lanes\n');
  } finally {
    f.remove();
  }
});

test('without the object, it is a failure of the disk', async () => {
  const f = gitFixture();
  try {
    using _ = renaming(() => Promise.reject(refused));
    const storing = storeObjects(join(f.repo, '.git'), [madeObject('blob', Buffer.from('one lane\n'), 40)]);
    await expect(storing).rejects.toMatchObject({ code: 'DISK' });
  } finally {
    f.remove();
  }
});
