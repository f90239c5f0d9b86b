/** Files of kept attempts: read back whole, or known not to be. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, inject, test } from 'vitest';
import { nodeFiles } from '../../../../src/adapters/files/files.ts';
import { keptAttempts } from '../../../../src/adapters/files/keptWork.ts';

test('a file that is gone, of other content, or cut off is not taken for what was put', async () => {
  const stateDir = mkdtempSync(join(inject('tempRoot'), 'kept-'));
  const kept = keptAttempts(stateDir, nodeFiles);
  const data = new TextEncoder().encode('the work of an attempt');
  const hash = await kept.put(3, data);
  const read = await kept.get(3);
  expect([read?.hash, Buffer.from(read?.data ?? []).toString()]).toEqual([hash, 'the work of an attempt']);
  const file = join(stateDir, 'attempts', '3.gz');
  const whole = readFileSync(file);
  expect(await kept.list()).toEqual([{ id: 3, bytes: whole.length }]);

  writeFileSync(file, gzipSync('Something else.'));
  expect((await kept.get(3))?.hash).not.toBe(hash);
  writeFileSync(file, whole.subarray(0, whole.length / 2));
  await expect(kept.get(3)).rejects.toMatchObject({ code: 'STATE_DAMAGED' });
  rmSync(file);
  expect([await kept.get(3), await kept.list()]).toEqual([null, []]);
});
