/** Linux. */

import { POSIX } from './posix.ts';
import type { Platform } from './system.ts';

export const LINUX: Platform = { ...POSIX, name: 'linux' };
