/**
 * Shows a notification of the operating system: with notify-send on Linux, with terminal-notifier on macOS. No shell is
 * involved.
 */
import { execFile } from 'node:child_process';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { failure, messageOf } from '../../shared/errors.ts';
import { findExecutable, ownFolders } from '../platform/executables.ts';
import { type Environment, platform } from '../platform/platform.ts';
import type { OsNotification, Platform } from '../platform/system.ts';

const run = promisify(execFile);

/**
 * Programs in the folders `outside` are not run. Throws `NOT_FOUND` if this system has no program for notifications, and `COMMAND_FAILED`
 * if the program fails.
 */
export async function notifyOs(
  notification: OsNotification,
  environment: Environment,
  outside: readonly string[],
  system: Platform = platform,
): Promise<void> {
  const { notifier } = system;
  if (notifier === null) {
    throw failure('NOT_FOUND', `notifications of the operating system are not supported on ${system.name}`, {
      hint: 'Switch the setting autonomous.osNotifications off.',
    });
  }
  const name = notifier.program;
  const program = findExecutable(name, ownFolders(environment['PATH'] ?? ''), outside);
  if (program === null) {
    throw failure('NOT_FOUND', `notifications of the operating system need ${name}`, {
      hint: `Install ${name}, or switch the setting autonomous.osNotifications off.`,
    });
  }
  try {
    // The program may be a script: it finds other programs in its own folder only.
    await run(program, notifier.arguments(notification), { env: { ...environment, PATH: dirname(program) } });
  } catch (thrown) {
    throw failure('COMMAND_FAILED', `cannot show a notification: ${messageOf(thrown).trim()}`, { cause: thrown });
  }
}
