/** What differs between Linux, macOS and Windows. Nothing else asks which system this is. */
import { LINUX } from './linux.ts';
import { MACOS } from './macos.ts';
import type { Environment, Platform } from './system.ts';
import { WINDOWS } from './windows.ts';

export type { Environment, Shell } from './system.ts';

const PLATFORMS: Readonly<Partial<Record<NodeJS.Platform, Platform>>> = { darwin: MACOS, win32: WINDOWS };

/** The one of this process. Any other Unix is treated as Linux; what it lacks is found by probes. */
export const platform: Platform = PLATFORMS[process.platform] ?? LINUX;

/** The environment of this process at present. */
export const ownEnvironment = (): Environment => platform.environment(process.env);
