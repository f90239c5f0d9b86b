/** What keeps each system awake, word by word. Each program ends with its standard input. */
import { describe, expect, it } from 'vitest';
import { KEEP_AWAKE } from '../../../../src/adapters/platform/keepAwake.ts';
import type { Environment, Platform } from '../../../../src/adapters/platform/system.ts';

const SYSTEMD = '/run/systemd/system';
const POWERSHELL = 'WindowsPowerShell/v1.0/powershell.exe';

/** The command line on a machine that has these programs and folders. */
function started(system: Platform['name'], env: Environment, ...there: readonly string[]): readonly string[] | null {
  const find = (name: string) => there.find((file) => file === name || file.endsWith(`/${name}`)) ?? null;
  const start = KEEP_AWAKE[system].start(env, find, (path) => there.includes(path));
  return start === null ? null : [start.file, ...start.args];
}

const systemd = (what: string) => [
  '/usr/bin/systemd-inhibit',
  `--what=${what}`,
  '--who=Autonomous',
  '--why=Work is running',
  '--mode=block',
  '/bin/cat',
];

const SCRIPT = [
  "$ErrorActionPreference = 'Stop'",
  "$code = '[DllImport({0}kernel32.dll{0})] public static extern uint SetThreadExecutionState(uint flags);' -f [char]34",
  '$power = Add-Type -Namespace Autonomous -Name Power -MemberDefinition $code -PassThru',
  "if ($power::SetThreadExecutionState([uint32]2147483649) -eq 0) { throw 'Windows refused it' }",
  '[void][Console]::In.ReadToEnd()',
].join('; ');
const powershell = (file: string) => [
  file,
  '-NoProfile',
  '-NonInteractive',
  '-InputFormat',
  'None',
  '-Command',
  SCRIPT,
];

describe('Linux', () => {
  const programs = ['/bin/cat', '/usr/bin/systemd-inhibit', '/usr/bin/gnome-session-inhibit'];

  it('without a desktop: by a lock that needs no permission', () => {
    expect(started('linux', {}, ...programs, SYSTEMD)).toEqual(systemd('idle'));
  });

  it('with a desktop: by a lock that leaves its screen alone', () => {
    expect(started('linux', { XDG_CURRENT_DESKTOP: 'KDE' }, ...programs, SYSTEMD)).toEqual(systemd('sleep'));
  });

  it('with GNOME: by its own lock', () => {
    const env = { XDG_CURRENT_DESKTOP: 'ubuntu:GNOME' };
    expect(started('linux', env, ...programs, SYSTEMD)).toEqual([
      '/usr/bin/gnome-session-inhibit',
      '--app-id',
      'Autonomous',
      '--reason',
      'Work is running',
      '--inhibit',
      'suspend',
      '/bin/cat',
    ]);
    expect(started('linux', env, '/bin/cat', '/usr/bin/systemd-inhibit', SYSTEMD)).toEqual(systemd('sleep'));
  });

  it('in WSL: by the PowerShell of Windows, which is the machine that sleeps', () => {
    const file = `/mnt/c/Windows/System32/${POWERSHELL}`;
    const env = { WSL_DISTRO_NAME: 'Ubuntu' };
    expect(started('linux', env, file, ...programs, SYSTEMD)).toEqual(powershell(file));
    expect(started('linux', env, ...programs, SYSTEMD)).toBeNull();
  });

  it('not without a running systemd, as in a container, and not without the programs', () => {
    expect(started('linux', {}, ...programs)).toBeNull();
    expect(started('linux', {}, '/bin/cat', SYSTEMD)).toBeNull();
    expect(started('linux', {}, '/usr/bin/systemd-inhibit', SYSTEMD)).toBeNull();
  });
});

it('macOS: by the program of the system alone', () => {
  expect(started('macos', {}, '/usr/bin/caffeinate')).toEqual(['/usr/bin/caffeinate', '-i', '/bin/cat']);
  expect(started('macos', {}, '/opt/bin/caffeinate')).toBeNull();
});

it('Windows: by the PowerShell of the system alone, without a double quote', () => {
  const file = 'D:\\Win\\System32\\WindowsPowerShell\\v1.0\\powershell.exe';
  expect(started('windows', { SYSTEMROOT: 'D:\\Win' }, file)).toEqual(powershell(file));
  expect(started('windows', { SYSTEMROOT: 'D:\\Win' }, 'C:\\bin\\powershell.exe')).toBeNull();
  expect(SCRIPT).not.toContain('"');
});
