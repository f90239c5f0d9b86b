/** macOS. */
import { posix } from 'node:path';
import { POSIX } from './posix.ts';
import type { Platform } from './system.ts';

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
};
