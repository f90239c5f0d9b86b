/** Derives the address of a workspace's owner: a short name, because socket paths over about 104 bytes fail. */
import { join } from 'node:path';
import { stateNameOf } from '../../engine/state/claimPorts.ts';
import { failure } from '../../shared/errors.ts';
import { platform } from '../platform/platform.ts';
import type { Platform } from '../platform/system.ts';

const MAX_SOCKET_PATH = 103;

export interface Address {
  /** Unix socket, or named pipe on Windows. */
  readonly socket: string;
  readonly isPipe: boolean;
  /** 256-bit token, for this user only. */
  readonly tokenFile: string;
}

/** What owners are named by. `state`: hash of the path of the state folder. */
const nameOf = (state: string): string => state.slice(0, 16);

/** The pipe of a state's owner, by the hash of its path. */
export function pipeOf(state: string, { pipe }: Pick<Platform, 'pipe'> = platform): string | null {
  return pipe === null ? null : pipe(`autonomous-${nameOf(state)}`);
}

/** `stateDir` is the real path of the state folder, in the case that the disk has. */
export function addressOf(runtimeDir: string, stateDir: string, system: Pick<Platform, 'pipe'> = platform): Address {
  const state = stateNameOf(stateDir);
  const tokenFile = join(runtimeDir, `${nameOf(state)}.token`);
  const pipe = pipeOf(state, system);
  if (pipe !== null) return { socket: pipe, isPipe: true, tokenFile };
  const socket = join(runtimeDir, `${nameOf(state)}.sock`);
  // The temporary name to which the socket is bound first is nine bytes longer.
  if (Buffer.byteLength(socket) + 9 > MAX_SOCKET_PATH) {
    throw failure('INVALID_INPUT', `the path of the socket is too long: ${socket}`, {
      hint: 'Name a shorter folder in AUTONOMOUS_RUNTIME_DIR.',
      details: { path: socket },
    });
  }
  return { socket, isPipe: false, tokenFile };
}
