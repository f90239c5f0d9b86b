/** A file whose name appears with its whole content, on disks with and without links. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { nodeFiles } from '../../../../src/adapters/files/files.ts';
import { diskFailure, makeFile } from '../../../../src/engine/state/filePorts.ts';
import type { FileOps } from '../../../../src/engine/state/storePorts.ts';
import { replacedCall } from '../../../support/disk/replacedCall.ts';
import { type StateFolder, stateFolder } from '../../../support/state/stateFolder.ts';

let folder: StateFolder;
let path: string;

beforeEach(() => {
  folder = stateFolder();
  path = join(folder.root, 'claims', '1');
  return nodeFiles.makeDir(join(path, '..'));
});
afterEach(() => folder[Symbol.dispose]());

const names = (): string[] => readdirSync(join(path, '..'));
const content = (): string => readFileSync(path, 'utf8');
const failing = (code: string): FileOps => ({
  ...nodeFiles,
  link: (from) => Promise.reject(diskFailure(Object.assign(new Error(code), { code }), from)),
});

it.each(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EXDEV', 'EISDIR'])(
  'without links (%s), it is made under its name',
  async (code) => {
    expect(await makeFile(failing(code), path, Buffer.from('mine'))).toBe(true);
    expect(await makeFile(failing(code), path, Buffer.from('theirs'))).toBe(false);
    expect([content(), names()]).toEqual(['mine', ['1']]);
  },
);

it.each(['EIO', 'ENOSPC', 'EACCES', 'EMFILE', 'EBUSY'])('%s of a link is a failure of the disk', async (errno) => {
  const making = makeFile(failing(errno), path, Buffer.from('mine'));
  await expect(making).rejects.toMatchObject({ code: 'DISK', details: { errno } });
  const raw: FileOps = { ...nodeFiles, link: () => Promise.reject(Object.assign(new Error(errno), { code: errno })) };
  await expect(makeFile(raw, path, Buffer.from('mine'))).rejects.toMatchObject({ code: 'DISK', details: { path } });
  expect(names()).toEqual([]);
});

it('a taken name is left, with links and without', async () => {
  writeFileSync(path, 'theirs');
  for (const ops of [nodeFiles, failing('EPERM')]) expect(await makeFile(ops, path, Buffer.from('mine'))).toBe(false);
  expect([content(), names()]).toEqual(['theirs', ['1']]);
});

it('of a disk that fills up while the name is written, nothing is left', async () => {
  using _ = replacedCall('open', (open) => async (at, ...rest) => {
    const file = await open(at, ...rest);
    if (at !== path) return file;
    return Object.assign(file, {
      writeFile: async () => {
        await file.write('mi');
        throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' });
      },
    });
  });
  const making = makeFile(failing('EPERM'), path, Buffer.from('mine'));
  await expect(making).rejects.toMatchObject({ code: 'DISK', details: { errno: 'ENOSPC' } });
  expect(names()).toEqual([]);
});
