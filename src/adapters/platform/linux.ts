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
  machineMark: ({ file, link, host }) => ({
    machine: /^[0-9a-f]{32}$/.exec(file('/etc/machine-id'))?.[0] ?? ownName(host),
    host,
    boot: file('/proc/sys/kernel/random/boot_id'),
    space: link('/proc/self/ns/pid'),
  }),
};

/** Containers have no other identity. */
const ownName = (host: string): string => (host.startsWith('localhost') ? '' : host);
