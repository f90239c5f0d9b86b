/** The library calls the program that was found, with our words as its arguments; never one that a repository brought. */
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, it } from 'vitest';
import { notifyOs } from '../../../src/adapters/shell/osNotification.ts';

const PROGRAM = process.platform === 'darwin' ? 'terminal-notifier' : 'notify-send';
const NOTICE = { title: 'Autonomous', message: '1 approval waits, "$(id)" `id`' };

/** A folder with a program of that name, which records its arguments. */
function programIn(folder: string): string {
  mkdirSync(folder, { recursive: true });
  const said = join(folder, 'said');
  const file = join(folder, PROGRAM);
  writeFileSync(file, `#!/bin/sh\nfor word in "$@"; do printf '%s\\n' "$word"; done > '${said}'\n`);
  chmodSync(file, 0o755);
  return said;
}

const root = () => realpathSync(mkdtempSync(join(inject('tempRoot'), 'n-')));

it('is called with the words as they are, and the PATH is as before', async () => {
  const folder = join(root(), 'bin');
  const said = programIn(folder);
  const path = process.env['PATH'];
  await notifyOs(NOTICE, { PATH: folder }, []);
  expect(readFileSync(said, 'utf8')).toContain(`Autonomous\n${NOTICE.message}\n`);
  expect(process.env['PATH']).toBe(path);
});

it('is not looked for in the repository, in packages or in a relative folder', async () => {
  const folder = root();
  const repo = join(folder, 'repo');
  const places = [join(repo, 'bin'), join(folder, 'node_modules', '.bin')];
  const said = places.map(programIn);
  const PATH = [...places, 'bin', '.'].join(':');
  await expect(notifyOs(NOTICE, { PATH }, [repo])).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect(said.filter(existsSync)).toEqual([]);
});
