/** Derives the address of a workspace's owner: a short name, because socket paths over about 104 bytes fail. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { failure } from '../../shared/errors.ts';
import { platform } from '../platform/platform.ts';

const MAX_SOCKET_PATH = 103;

export interface Address {
  /** Unix socket, or named pipe on Windows. */
  readonly socket: string;
  /** 256-bit token, for this user only. */
  readonly tokenFile: string;
}

/** `stateDir` is the real path of the state folder. */
export function addressOf(runtimeDir: string, stateDir: string): Address {
  const name = createHash('sha256').update(stateDir).digest('hex').slice(0, 16);
  const tokenFile = join(runtimeDir, `${name}.token`);
  if (platform.hasPipes) return { socket: `\\\\.\\pipe\\autonomous-${name}`, tokenFile };
  const socket = join(runtimeDir, `${name}.sock`);
  // The temporary name to which the socket is bound first is nine bytes longer.
  if (Buffer.byteLength(socket) + 9 > MAX_SOCKET_PATH) {
    throw failure('INVALID_INPUT', `the path of the socket is too long: ${socket}`, {
      hint: 'Name a shorter folder in AUTONOMOUS_RUNTIME_DIR.',
      details: { path: socket },
    });
  }
  return { socket, tokenFile };
}
