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
    const { stdout } = await promisify(exec)(command, { env, timeout: TIMEOUT_MS, maxBuffer: MAX_BYTES });
    if (stdout.trim() !== '') return stdout.trim();
  } catch (thrown) {
    const { code, killed } = thrown as { readonly code?: unknown; readonly killed?: boolean };
    const how = killed === true ? `took longer than ${TIMEOUT_MS / 1_000} s` : `failed (exit code ${String(code)})`;
    throw noKey(connection, how);
  }
  throw noKey(connection, 'printed nothing');
}

const noKey = (connection: string, how: string) =>
  failure('KEY_MISSING', `the key command of the connection ${connection} ${how}`, {
    hint: 'Run it in a terminal to see its error, or change it in connections.yaml.',
    details: { sent: false },
  });
