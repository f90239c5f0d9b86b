/** Listens for clients: a socket in the runtime folder that answers while the owner lives. */
import { createHash, randomBytes } from 'node:crypto';
import { lstat, readFile, writeFile } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import type { Clock } from '../../shared/clock.ts';
import { failure } from '../../shared/errors.ts';
import { rename, rm } from '../platform/heldFiles.ts';
import { platform } from '../platform/platform.ts';
import { type Address, addressOf } from './address.ts';
import { CLIENT_FRAME_BYTES, type Frames, frames, GREETING_FRAME_BYTES } from './frames.ts';
import { proofOf, readHello, readToken, sameSecret } from './greeting.ts';
import { probe } from './probe.ts';
import { type Functions, type Peer, peer } from './rpc.ts';

const GREETING_MS = 5_000;
/** A client that reads nothing for this long is cut off. */
const STALLED_MS = 30_000;
/** Backlog per client, above which lines are dropped for that client. */
const BACKLOG_BYTES = 1024 * 1024;
const MAX_CLIENTS = 64;

export interface ListenOptions {
  /** The folder must exist and be checked. */
  readonly runtimeDir: string;
  /** Real path of the state folder. */
  readonly stateDir: string;
  readonly functions: Functions;
  readonly clock: Clock;
  /** Replaces an owner that holds the socket and does not answer. One that answers is never replaced. */
  readonly replaceSilent?: boolean;
  /** Runs before the claim: throws while the last owner may still be at work. `deaf`: mark of a socket at which no process listens. */
  readonly former?: (deaf: string | null) => Promise<void>;
}

export interface Listening {
  /** Sends to every client. A client that does not keep up misses lines and receives `resync` once it does. */
  publish(topic: string, payload: unknown): void;
  readonly clients: number;
  /** Identifies this socket after no process listens at it any more. */
  readonly mark: string;
  close(): Promise<void>;
}

const markOf = (token: string): string => createHash('sha256').update(token).digest('hex').slice(0, 16);

/** Mark of the process that bound the socket last; for a socket that refused a connection. */
async function deafMark({ tokenFile }: Address): Promise<string | null> {
  const token = await readFile(tokenFile, 'utf8').catch(() => null);
  return token === null ? null : markOf(token);
}

/**
 * Becomes the process that answers for this state. Throws OWNER_BUSY while another does: with its `pid`, or `silent` if
 * it does not respond.
 */
export async function listen(options: ListenOptions): Promise<Listening> {
  const address = addressOf(options.runtimeDir, options.stateDir);
  const found = await probe(options.runtimeDir, options.stateDir, options.clock);
  if (found.state === 'alive') {
    throw failure('OWNER_BUSY', `process ${found.pid} works on this workspace`, { details: { pid: found.pid } });
  }
  // A pipe cannot be replaced.
  if (found.state === 'silent' && (options.replaceSilent !== true || platform.hasPipes)) {
    throw failure('OWNER_BUSY', 'another process holds this workspace and does not answer', {
      hint: 'End that process; in VS Code, Take Over does so.',
      details: { silent: true },
    });
  }
  await options.former?.(found.state === 'absent' && found.refused ? await deafMark(address) : null);
  const token = randomBytes(32).toString('hex');
  const owner = new Owner(options, token);
  await owner.open(address);
  return owner;
}

class Client {
  readonly #socket: Socket;
  readonly #clock: Clock;
  readonly peer: Peer;
  #lagging = false;
  #cancelStall: (() => void) | null = null;

  constructor(socket: Socket, rpc: Peer, clock: Clock) {
    this.#socket = socket;
    this.peer = rpc;
    this.#clock = clock;
    socket.on('drain', () => this.#caughtUp());
  }

  tell(topic: string, payload: unknown): void {
    if (this.#lagging) return;
    this.peer.tell(topic, payload);
    if (this.#socket.writableLength <= BACKLOG_BYTES) return;
    this.#lagging = true;
    this.#cancelStall = this.#clock.timer(STALLED_MS, () => this.#socket.destroy());
  }

  #caughtUp(): void {
    this.#cancelStall?.();
    this.#cancelStall = null;
    if (!this.#lagging) return;
    this.#lagging = false;
    this.peer.tell('resync', null);
  }

  closed(): void {
    this.#cancelStall?.();
    this.peer.close(failure('OWNER_UNREACHABLE', 'the client went away'));
  }
}

class Owner implements Listening {
  readonly #options: ListenOptions;
  readonly #token: string;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #clients = new Map<Socket, Client>();
  #address: Address | null = null;
  #inode: number | null = null;

  constructor(options: ListenOptions, token: string) {
    this.#options = options;
    this.#token = token;
    this.#server = createServer((socket) => this.#greet(socket));
    this.#server.maxConnections = MAX_CLIENTS;
  }

  /**
   * The socket is bound under a temporary name and then moved into place: no client finds a name that does not answer,
   * a stale file is replaced in one step, and closing (which unlinks the bound name) never removes a successor's
   * socket.
   */
  async open(address: Address): Promise<void> {
    const suffix = randomBytes(4).toString('hex');
    const pipe = platform.hasPipes;
    const bound = pipe ? address.socket : `${address.socket}.${suffix}`;
    const draft = `${address.tokenFile}.${suffix}`;
    await writeFile(draft, this.#token, { mode: 0o600, flag: 'wx' });
    await rename(draft, address.tokenFile);
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(bound, () => {
        this.#server.off('error', reject);
        resolve();
      });
    });
    this.#address = address;
    if (pipe) return;
    this.#inode = (await lstat(bound)).ino;
    await rename(bound, address.socket);
  }

  #greet(socket: Socket): void {
    this.#sockets.add(socket);
    const channel = frames(socket, GREETING_FRAME_BYTES);
    const cancel = this.#options.clock.timer(GREETING_MS, () => socket.destroy());
    // A broken connection is closed next: no further handling is needed.
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      cancel();
      this.#sockets.delete(socket);
      this.#clients.get(socket)?.closed();
      this.#clients.delete(socket);
    });
    channel.onMessage((first) => {
      const nonce = readHello(first);
      if (nonce === null) return void socket.destroy();
      channel.send({ owner: process.pid, proof: proofOf(this.#token, nonce) });
      channel.onMessage((second) => {
        const token = readToken(second);
        if (token === null || !sameSecret(token, this.#token)) return void socket.destroy();
        cancel();
        this.#welcome(socket, channel);
      });
    });
  }

  #welcome(socket: Socket, channel: Frames): void {
    channel.setLimit(CLIENT_FRAME_BYTES);
    const rpc = peer(
      channel,
      this.#options.functions,
      () => undefined,
      () => socket.destroy(),
    );
    this.#clients.set(socket, new Client(socket, rpc, this.#options.clock));
    channel.send({ welcome: true });
  }

  get clients(): number {
    return this.#clients.size;
  }

  get mark(): string {
    return markOf(this.#token);
  }

  publish(topic: string, payload: unknown): void {
    for (const client of this.#clients.values()) client.tell(topic, payload);
  }

  async close(): Promise<void> {
    const address = this.#address;
    this.#address = null;
    if (address !== null) await this.#remove(address);
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    for (const socket of this.#sockets) socket.end();
    for (const socket of this.#sockets) socket.destroySoon();
    await closed;
  }

  /** Removes only the files of this owner: a successor may have replaced them. */
  async #remove(address: Address): Promise<void> {
    if (this.#inode === null) return;
    const stat = await lstat(address.socket).catch(() => null);
    if (stat?.ino !== this.#inode) return;
    await rm(address.socket, { force: true });
    await rm(address.tokenFile, { force: true });
  }
}
