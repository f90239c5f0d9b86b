/**
 * Shows a notification of the operating system by `node-notifier`: notify-send on Linux, terminal-notifier on macOS. The library builds a
 * line for a shell and looks programs up on the PATH: so it gets words of ours alone, and a PATH of the folder that holds the program.
 */
import { dirname } from 'node:path';
import NotificationCenter from 'node-notifier/notifiers/notificationcenter.js';
import NotifySend from 'node-notifier/notifiers/notifysend.js';
import { failure } from '../../shared/errors.ts';
import type { Environment } from './environment.ts';
import { findExecutable, ownFolders } from './executables.ts';

export interface OsNotification {
  readonly title: string;
  /** Never text of a job, a model or a repository. */
  readonly message: string;
}

const PROGRAMS: Partial<Record<NodeJS.Platform, string>> = { linux: 'notify-send', darwin: 'terminal-notifier' };

/** `outside`: folders whose programs are not run. Throws NOT_FOUND if this system has no program for it. */
export async function notifyOs(
  { title, message }: OsNotification,
  environment: Environment,
  outside: readonly string[],
): Promise<void> {
  const name = PROGRAMS[process.platform];
  const program = name === undefined ? null : findExecutable(name, ownFolders(environment['PATH'] ?? ''), outside);
  if (program === null) {
    throw failure('NOT_FOUND', `notifications of the operating system need ${name ?? 'Linux or macOS'}`, {
      hint: name === undefined ? '' : `Install ${name}, or switch the setting autonomous.osNotifications off.`,
    });
  }
  await new Promise<void>((resolve, reject) => {
    // The library's first value is an error, or what the program wrote to its stderr.
    const done = (error: unknown): void => (error instanceof Error ? reject(error) : resolve());
    withPath(dirname(program), () => {
      if (process.platform === 'darwin')
        new NotificationCenter({ customPath: program }).notify({ title, message }, done);
      else new NotifySend().notify({ title, message }, done);
    });
  });
}

/** The library starts its program before it returns, with the environment of this moment. */
function withPath(folder: string, start: () => void): void {
  const before = process.env['PATH'];
  process.env['PATH'] = folder;
  try {
    start();
  } finally {
    if (before === undefined) delete process.env['PATH'];
    else process.env['PATH'] = before;
  }
}
