/** Runs the command that prints a key, such as that of a password manager. */
import { exec } from 'node:child_process';
import { promisify } from 'node:util';
import { failure } from '../../shared/errors.ts';

/** A person may have to unlock a password manager. */
const TIMEOUT_MS = 60_000;
const MAX_BYTES = 64 * 1024;

/** What the command prints, without space around it. Throws KEY_MISSING; its output is not quoted, because it may contain the key. */
export async function keyFrom(command: string, connection: string, env: NodeJS.ProcessEnv): Promise<string> {
  try {
    const running = promisify(exec)(command, { env, timeout: TIMEOUT_MS, maxBuffer: MAX_BYTES });
    // A command that asks a question gets no answer.
    running.child.stdin?.end();
    const { stdout } = await running;
    if (stdout.trim() !== '') return stdout.trim();
  } catch (thrown) {
    const { code, killed } = thrown as { readonly code?: unknown; readonly killed?: boolean };
    throw noKey(connection, killed === true ? `took longer than ${TIMEOUT_MS / 1_000} s` : failedWith(code));
  }
  throw noKey(connection, 'printed nothing');
}

/** Exit code of a shell that does not find the program. */
const NO_PROGRAM = 127;

const failedWith = (code: unknown): string =>
  code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER'
    ? `printed more than ${MAX_BYTES / 1024} KiB`
    : `failed (exit code ${String(code)}${code === NO_PROGRAM ? ': its program was not found' : ''})`;

const noKey = (connection: string, how: string) =>
  failure('KEY_MISSING', `the key command of the connection ${connection} ${how}`, {
    hint: `Run the command in a terminal to see its error (keyCommand of ${connection} in connections.yaml).`,
    details: { sent: false },
  });
