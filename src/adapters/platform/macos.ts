/** macOS. */
import { posix } from 'node:path';
import { POSIX } from './posix.ts';
import type { Platform } from './system.ts';

const UUID_OF_MACHINE = /"IOPlatformUUID" = "([0-9A-F-]{36})"/i;

export const MACOS: Platform = {
  ...POSIX,
  name: 'macos',
  gitCore: { ignorecase: 'true', precomposeunicode: 'true' },
  // Files in its temporary folder are removed after three days. The path of a socket has to be short.
  runtimeFolder: (_, { home }) => posix.join(home, '.autonomous', 'run'),
  notifier: {
    program: 'terminal-notifier',
    // Without the backslash, which terminal-notifier removes, a value such as "-a", "[a" or "(a" is not read as text.
    arguments: ({ title, message }) => ['-title', `\\${title}`, '-message', `\\${message}`],
  },
  configFolder: (_, home) => posix.join(home, 'Library', 'Application Support'),
  machineMark: ({ output }) => ({
    machine: UUID_OF_MACHINE.exec(output('/usr/sbin/ioreg', ['-rd1', '-c', 'IOPlatformExpertDevice']))?.[1] ?? '',
    // The network may change the name of the machine at any time.
    host: '',
    boot: /^[0-9A-F-]{36}$/i.exec(output('/usr/sbin/sysctl', ['-n', 'kern.bootsessionuuid']))?.[0] ?? '',
    space: '',
  }),
};
