/** The program of the platform gets the title and the message as arguments. A program that a repository brings is not run. */
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, it } from 'vitest';
import { LINUX } from '../../../src/adapters/platform/linux.ts';
import { MACOS } from '../../../src/adapters/platform/macos.ts';
import { WINDOWS } from '../../../src/adapters/platform/windows.ts';
import { notifyOs } from '../../../src/adapters/shell/osNotification.ts';

const PROGRAMS = { linux: 'notify-send', macos: 'terminal-notifier' } as const;
const SYSTEMS = { linux: LINUX, macos: MACOS };
const NOTICE = { title: 'Autonomous', message: '1 approval waits, "$(id)" `id`\nof 2' };

/** Writes a program into the folder. It records its PATH and its arguments, each with a NUL after it, then runs `end`. */
function programIn(folder: string, name: string, end = 'exit 0'): string {
  mkdirSync(folder, { recursive: true });
  const record = join(folder, 'record');
  const file = join(folder, name);
  writeFileSync(file, `#!/bin/sh\nprintf '%s\\0' "$PATH" "$@" > '${record}'\n${end}\n`);
  chmodSync(file, 0o755);
  return record;
}

const root = () => realpathSync(mkdtempSync(join(inject('tempRoot'), 'n-')));
const recorded = (file: string): readonly string[] => readFileSync(file, 'utf8').split('\0').slice(0, -1);

it.each([
  ['linux', ['--', NOTICE.title, NOTICE.message]],
  ['macos', ['-title', `\\${NOTICE.title}`, '-message', `\\${NOTICE.message}`]],
] as const)('passes the title and the message to the program of %s unchanged', async (system, expected) => {
  const folder = join(root(), 'bin');
  const record = programIn(folder, PROGRAMS[system]);
  await notifyOs(NOTICE, { PATH: `${folder}:/usr/bin` }, [], SYSTEMS[system]);
  expect(recorded(record)).toEqual([folder, ...expected]);
});

it.each([
  ['linux', ['--', '--icon=/x', '-u']],
  ['macos', ['-title', '\\--icon=/x', '-message', '\\-u']],
] as const)('passes no option to the program of %s', async (system, expected) => {
  const folder = join(root(), 'bin');
  const record = programIn(folder, PROGRAMS[system]);
  await notifyOs({ title: '--icon=/x', message: '-u' }, { PATH: folder }, [], SYSTEMS[system]);
  expect(recorded(record).slice(1)).toEqual(expected);
});

it('reports a program that fails, with what the program wrote', async () => {
  const folder = join(root(), 'bin');
  programIn(folder, PROGRAMS.linux, 'echo "no display" >&2; exit 3');
  await expect(notifyOs(NOTICE, { PATH: folder }, [], LINUX)).rejects.toMatchObject({
    code: 'COMMAND_FAILED',
    message: expect.stringContaining('no display'),
  });
});

it('is refused on a platform without a program for notifications', async () => {
  await expect(notifyOs(NOTICE, { PATH: '/usr/bin' }, [], WINDOWS)).rejects.toMatchObject({
    code: 'NOT_FOUND',
    message: expect.stringContaining('windows'),
  });
});

it('is not looked for in the repository, in packages or in a relative folder', async () => {
  const folder = root();
  const repo = join(folder, 'repo');
  const places = [join(repo, 'bin'), join(folder, 'node_modules', '.bin')];
  const records = places.map((place) => programIn(place, PROGRAMS.linux));
  const PATH = [...places, 'bin', '.'].join(':');
  await expect(notifyOs(NOTICE, { PATH }, [repo], LINUX)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect(records.filter(existsSync)).toEqual([]);
});
