/** Connects a terminal or a second window to the owner. */
import type { Socket } from 'node:net';
import type { Clock } from '../../shared/clock.ts';
import { failure } from '../../shared/errors.ts';
import { platform } from '../platform/platform.ts';
import type { Platform } from '../platform/system.ts';
import { addressOf } from './address.ts';
import { CLIENT_FRAME_BYTES, type Frames, OWNER_FRAME_BYTES } from './frames.ts';
import { isWelcome, proofOf, sameSecret } from './greeting.ts';
import { isOwnFolder, readToken } from './ownFolder.ts';
import { type Hailed, hail } from './probe.ts';
import { type Listener, type Peer, peer } from './rpc.ts';

const WELCOME_MS = 5_000;
/** An owner writes its token right after its socket appeared. */
const TOKEN_MS = 2_000;
const LOOK_MS = 20;
const TOKEN = /^[0-9a-f]{64}$/;

export interface ConnectOptions {
  readonly runtimeDir: string;
  /** Real path of the state folder. */
  readonly stateDir: string;
  readonly clock: Clock;
  /** Receives what the owner publishes. `resync`: lines were lost; request the state again. */
  readonly onPublished?: Listener;
}

export interface Connection {
  readonly ownerPid: number;
  /** Rejects with the owner's failure, INVALID_INPUT if the request is too large, or OWNER_UNREACHABLE if the owner exits. */
  call(name: string, params: unknown): Promise<unknown>;
  /** Resolves when the connection to the owner has ended, or after `close`. */
  readonly closed: Promise<void>;
  close(): void;
}

const unreachable = (why: string, cause?: unknown) =>
  failure('OWNER_UNREACHABLE', `no owner can be reached: ${why}`, {
    hint: 'Try again in a moment.',
    ...(cause === undefined ? {} : { cause }),
  });

/**
 * Connects to the owner of a state, and verifies that it belongs to this user. Throws OWNER_UNREACHABLE if there is no
 * owner, or none that answers; NOT_PERMITTED.
 */
export async function connect(options: ConnectOptions, system: Pick<Platform, 'pipe'> = platform): Promise<Connection> {
  const address = addressOf(options.runtimeDir, options.stateDir, system);
  const hailed = (await isOwnFolder(options.runtimeDir)) ? await hail(address.socket, options.clock) : 'absent';
  if (hailed === 'absent' || hailed === 'refused') throw unreachable('none is running');
  if (hailed === 'silent') throw unreachable('it does not answer');
  const { socket, channel, pid } = hailed;
  socket.on('error', () => socket.destroy());
  const token = await tokenOf(hailed, address.tokenFile, options.clock).catch((thrown: unknown) => {
    socket.destroy();
    throw thrown;
  });
  const heard = options.onPublished ?? (() => undefined);
  const rpc = await welcomed(socket, channel, token, options.clock, () => {
    channel.setLimit(OWNER_FRAME_BYTES);
    return peer(channel, {}, heard, () => socket.destroy());
  });
  return connection(socket, rpc, pid);
}

/** The token that the owner has proved to know. Throws OWNER_UNREACHABLE if that is not the one in the file. */
async function tokenOf({ socket, nonce, proof }: Hailed, file: string, clock: Clock): Promise<string> {
  const end = clock.monotonic() + TOKEN_MS;
  for (;;) {
    const token = await readToken(file);
    if (TOKEN.test(token) && sameSecret(proofOf(token, nonce), proof)) return token;
    if (socket.destroyed || clock.monotonic() >= end) throw unreachable('it does not know the token');
    await clock.sleep(LOOK_MS);
  }
}

/** `start` runs synchronously: published messages may follow the owner's welcome immediately. */
function welcomed(socket: Socket, channel: Frames, token: string, clock: Clock, start: () => Peer): Promise<Peer> {
  return new Promise((resolve, reject) => {
    const cancel = clock.timer(WELCOME_MS, () => socket.destroy());
    const refused = () => {
      cancel();
      reject(unreachable('it refused the token'));
    };
    socket.once('close', refused);
    channel.onMessage((message) => {
      if (!isWelcome(message)) return void socket.destroy();
      cancel();
      socket.off('close', refused);
      resolve(start());
    });
    channel.send({ token });
  });
}

function connection(socket: Socket, rpc: Peer, ownerPid: number): Connection {
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  socket.once('close', () => {
    rpc.close(unreachable('it went away'));
    resolve();
  });
  return {
    ownerPid,
    closed,
    call(name, params) {
      if (socket.destroyed) return Promise.reject(unreachable('it went away'));
      const size = Buffer.byteLength(JSON.stringify(params) ?? '');
      if (size > CLIENT_FRAME_BYTES - 1024) {
        return Promise.reject(
          failure('INVALID_INPUT', `${size} bytes are too much for one call`, {
            details: { limit: CLIENT_FRAME_BYTES },
          }),
        );
      }
      return rpc.call(name, params);
    },
    close: () => socket.destroy(),
  };
}
