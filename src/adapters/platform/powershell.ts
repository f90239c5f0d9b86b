/** Windows PowerShell, which is part of Windows. */
import type { Environment } from './system.ts';
import { systemProgram } from './windows.ts';

export const powershellFile = (env: Environment): string =>
  systemProgram(env, 'WindowsPowerShell', 'v1.0', 'powershell.exe');

/** The arguments that run a command. Without an input format, PowerShell leaves the standard input to the command. */
export const powershellArgs = (command: string): readonly string[] => [
  ...['-NoProfile', '-NonInteractive', '-InputFormat', 'None', '-Command'],
  command,
];

/** Variables that PowerShell and its compiler need besides those of a command. */
export const POWERSHELL_VARIABLES = /^(USERPROFILE|LOCALAPPDATA|TEMP|TMP)$/;
