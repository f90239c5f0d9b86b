/** Linux. */
import { posix } from 'node:path';
import { POSIX } from './posix.ts';
import type { Platform } from './system.ts';

export const LINUX: Platform = {
  ...POSIX,
  name: 'linux',
  gitCore: {},
  runtimeFolder: (_, { tmp, user }) => posix.join(tmp, `autonomous-${user}`),
  notifier: { program: 'notify-send', arguments: ({ title, message }) => ['--', title, message] },
  configFolder: (_, home) => posix.join(home, '.config'),
};
