/** macOS. */

import { POSIX } from './posix.ts';
import type { Platform } from './system.ts';

export const MACOS: Platform = { ...POSIX, name: 'macos' };
