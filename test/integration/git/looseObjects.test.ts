/** Two lanes store the same object at once: the later one finds it there, and Windows replaces no read-only file. */
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { madeObject, storeObjects } from '../../../src/adapters/git/looseObjects.ts';
import { platform } from '../../../src/adapters/platform/platform.ts';
import { replacedCall } from '../../support/disk/replacedCall.ts';
import { gitFixture, plainGit } from '../../support/git/gitFixture.ts';

const { holdsFiles } = platform;
afterEach(() => void Object.assign(platform, { holdsFiles }));

const refused = Object.assign(new Error('EPERM'), { code: 'EPERM' });

test.each([true, false])(
  'the object of the earlier one counts, and no draft is left: files are held %s',
  async (holds) => {
    Object.assign(platform, { holdsFiles: holds });
    const f = gitFixture();
    try {
      const [gitDir, object] = [join(f.repo, '.git'), madeObject('blob', Buffer.from('two lanes\n'), 40)];
      const folder = join(gitDir, 'objects', object.id.slice(0, 2));
      const attempt = vi.fn();
      using _ = replacedCall('rename', (rename) => async (from, to) => {
        attempt();
        await rename(from, to);
        writeFileSync(from, '');
        throw refused;
      });
      await storeObjects(gitDir, [object]);
      expect(attempt).toHaveBeenCalledTimes(1);
      expect(readdirSync(folder).filter((name) => name.startsWith('tmp_obj_'))).toEqual([]);
      expect(plainGit(f.repo, ['cat-file', 'blob', object.id])).toBe('two lanes\n');
    } finally {
      f.remove();
    }
  },
);

test.each([true, false])('the earlier one is found before a file is replaced: files are held %s', async (holds) => {
  Object.assign(platform, { holdsFiles: holds });
  const f = gitFixture();
  try {
    const [gitDir, text] = [join(f.repo, '.git'), 'stored meanwhile\n'];
    const first = madeObject('blob', Buffer.from('first\n'), 40);
    const object = madeObject('blob', Buffer.from(text), 40);
    const to: string[] = [];
    // While the first object is put in place, another lane stores the second.
    using _ = replacedCall('rename', (rename) => async (from, at) => {
      to.push(String(at));
      await rename(from, at);
      if (to.length === 1) await storeObjects(gitDir, [object]);
    });
    await storeObjects(gitDir, [first, object]);
    expect(to).toHaveLength(2);
    expect(plainGit(f.repo, ['cat-file', 'blob', object.id])).toBe(text);
    const folder = join(gitDir, 'objects', object.id.slice(0, 2));
    expect(readdirSync(folder).filter((name) => name.startsWith('tmp_obj_'))).toEqual([]);
  } finally {
    f.remove();
  }
});

test('without the object, it is a failure of the disk', async () => {
  const f = gitFixture();
  try {
    using _ = replacedCall('rename', () => () => Promise.reject(refused));
    const storing = storeObjects(join(f.repo, '.git'), [madeObject('blob', Buffer.from('one lane\n'), 40)]);
    await expect(storing).rejects.toMatchObject({ code: 'DISK' });
  } finally {
    f.remove();
  }
});
