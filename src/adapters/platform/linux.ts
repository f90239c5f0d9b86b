/** Linux. */
import { posix } from 'node:path';
import { POSIX } from './posix.ts';
import { BY_PROC, hasProc } from './process/byProc.ts';
import { byPs } from './process/byPs.ts';
import { openProcessCgroup } from './process/cgroup.ts';
import { MARKED_BY_PROC, MARKED_BY_PS, watchGroup } from './process/deathWatch.ts';
import type { Platform } from './system.ts';

/** As BSD spells the options that show environments, which every `ps` of a Unix but macOS knows. */
const WIDE = 'eww';
const BY_WHAT_EXISTS = hasProc()
  ? { processes: BY_PROC, marked: MARKED_BY_PROC }
  : { processes: byPs([WIDE]), marked: MARKED_BY_PS(WIDE) };

export const LINUX: Platform = {
  ...POSIX,
  name: 'linux',
  gitCore: {},
  runtimeFolder: (_, { tmp, user }) => posix.join(tmp, `autonomous-${user}`),
  notifier: { program: 'notify-send', arguments: ({ title, message }) => ['--', title, message] },
  configFolder: (_, home) => posix.join(home, '.config'),
  processes: BY_WHAT_EXISTS.processes,
  watchDeath: (marker) => watchGroup(BY_WHAT_EXISTS.marked, marker),
  openCgroup: openProcessCgroup,
};
