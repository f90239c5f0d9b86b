/** Checks whether a living owner answers for a state. */
import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import type { Clock } from '../../shared/clock.ts';
import { platform } from '../platform/platform.ts';
import type { Platform } from '../platform/system.ts';
import { addressOf, pipeOf } from './address.ts';
import { type Frames, frames, GREETING_FRAME_BYTES } from './frames.ts';
import { PROTOCOL, readAnswer } from './greeting.ts';
import { isOwnFolder } from './ownFolder.ts';

/** An owner answers within a few ms; a stopped process, or a blocked event loop, does not. */
const ANSWER_MS = 3_000;

/** `silent`: something accepts connections at the socket, or did, but does not answer. */
export type Presence =
  | { readonly state: 'alive'; readonly pid: number }
  | { readonly state: 'silent' }
  /** `refused`: the socket exists, but no process listens at it. */
  | { readonly state: 'absent'; readonly refused: boolean };

export interface Hailed {
  readonly socket: Socket;
  readonly channel: Frames;
  readonly pid: number;
  readonly nonce: string;
  readonly proof: string;
}

/**
 * Connects and sends the first frame; `absent` or `refused` if no process listens there. The caller closes the socket.
 */
export function hail(path: string, clock: Clock): Promise<Hailed | 'silent' | 'absent' | 'refused'> {
  const nonce = randomBytes(32).toString('hex');
  return new Promise((resolve) => {
    const socket = connect(path);
    const channel = frames(socket, GREETING_FRAME_BYTES);
    let nobody: 'absent' | 'refused' | null = null;
    const cancel = clock.timer(ANSWER_MS, () => {
      socket.destroy();
      resolve('silent');
    });
    const ended = () => {
      cancel();
      socket.destroy();
      resolve(nobody ?? 'silent');
    };
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') nobody = 'absent';
      if (error.code === 'ECONNREFUSED') nobody = 'refused';
    });
    socket.on('close', ended);
    socket.on('connect', () => channel.send({ hello: PROTOCOL, nonce }));
    channel.onMessage((message) => {
      const answer = readAnswer(message);
      if (answer === null) return ended();
      cancel();
      socket.off('close', ended);
      resolve({ socket, channel, pid: answer.owner, nonce, proof: answer.proof });
    });
  });
}

/**
 * Any process that answers in the right form counts as alive: the runtime folder is this user's alone. Throws
 * NOT_PERMITTED if it is not.
 */
export async function probe(
  runtimeDir: string,
  stateDir: string,
  clock: Clock,
  system: Pick<Platform, 'pipe'> = platform,
): Promise<Presence> {
  if (!(await isOwnFolder(runtimeDir))) return { state: 'absent', refused: false };
  const found = await hail(addressOf(runtimeDir, stateDir, system).socket, clock);
  if (found === 'silent') return { state: found };
  if (typeof found === 'string') return { state: 'absent', refused: found === 'refused' };
  found.socket.destroy();
  return { state: 'alive', pid: found.pid };
}

export async function isOwnerAlive(runtimeDir: string, stateDir: string, clock: Clock): Promise<boolean> {
  return (await probe(runtimeDir, stateDir, clock)).state === 'alive';
}

/** Whether a process holds the pipe of a state, by the hash of its path. */
export async function isPipeOpen(state: string, clock: Clock): Promise<boolean> {
  const pipe = pipeOf(state);
  const found = pipe === null ? 'absent' : await hail(pipe, clock);
  if (typeof found !== 'string') found.socket.destroy();
  return found !== 'absent';
}
