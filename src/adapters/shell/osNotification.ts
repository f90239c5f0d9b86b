/**
 * Shows a notification of the operating system: with notify-send on Linux, with terminal-notifier on macOS. No shell is
 * involved.
 */
import { execFile } from 'node:child_process';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { failure, messageOf } from '../../shared/errors.ts';
import { findExecutable, ownFolders } from '../platform/executables.ts';
import type { Environment } from '../platform/platform.ts';

export interface OsNotification {
  readonly title: string;
  /** Never contains text of a job, a model or a repository. */
  readonly message: string;
}

interface Notifier {
  readonly program: string;
  /** The arguments for a notification. A title or message with a leading `-` stays text. */
  arguments(notification: OsNotification): readonly string[];
}

const NOTIFIERS: Partial<Record<NodeJS.Platform, Notifier>> = {
  linux: { program: 'notify-send', arguments: ({ title, message }) => ['--', title, message] },
  darwin: {
    program: 'terminal-notifier',
    // Without the backslash, which terminal-notifier removes, a value such as "-a", "[a" or "(a" is not read as text.
    arguments: ({ title, message }) => ['-title', `\\${title}`, '-message', `\\${message}`],
  },
};

const run = promisify(execFile);

/**
 * Programs in the folders `outside` are not run. Throws `NOT_FOUND` if this system has no program for notifications, and `COMMAND_FAILED`
 * if the program fails.
 */
export async function notifyOs(
  notification: OsNotification,
  environment: Environment,
  outside: readonly string[],
  platform: NodeJS.Platform = process.platform,
): Promise<void> {
  const notifier = NOTIFIERS[platform];
  if (notifier === undefined) {
    throw failure('NOT_FOUND', `notifications of the operating system are not supported on ${platform}`, {
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
