/** Listens for clients: a socket in the runtime folder that answers while the owner lives. */
import { createHash, randomBytes } from 'node:crypto';
import { createServer, type Server, type Socket } from 'node:net';
import type { Clock } from '../../shared/clock.ts';
import { errnoOf, failure, messageOf } from '../../shared/errors.ts';
import { platform } from '../platform/platform.ts';
import type { Platform } from '../platform/system.ts';
import { type Address, addressOf } from './address.ts';
import { CLIENT_FRAME_BYTES, type Frames, frames, GREETING_FRAME_BYTES } from './frames.ts';
import { proofOf, readHello, readToken, sameSecret } from './greeting.ts';
import { OwnerFiles, tokenIn } from './ownerFiles.ts';
import { makeRuntimeDir } from './ownFolder.ts';
import { probe } from './probe.ts';
import { type Functions, type Peer, peer } from './rpc.ts';

const GREETING_MS = 5_000;
/** A client that reads nothing for this long is cut off. */
const STALLED_MS = 30_000;
/** Backlog per client, above which lines are dropped for that client. */
const BACKLOG_BYTES = 1024 * 1024;
const MAX_CLIENTS = 64;
/** A clean-up of the system may remove the socket or the token of a living owner. */
const LOOK_MS = 10_000;
/** How a pipe of another process is reported: libuv translates Windows' refusal. */
const TAKEN = 'EADDRINUSE';

export interface ListenOptions {
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

/** How an owner stays reachable. */
export interface Standing {
  /** Whether this process is the owner: another one may have claimed a higher epoch. */
  isOwner(): Promise<boolean>;
  /** One sentence, if the socket or the token cannot be restored. */
  problem(text: string): void;
}

export interface Listening {
  /** Lets clients find this owner. Call once this process owns the state: it replaces what another owner left. */
  open(standing: Standing): Promise<void>;
  /** Sends to every client. A client that does not keep up misses lines and receives `resync` once it does. */
  publish(topic: string, payload: unknown): void;
  readonly clients: number;
  /** Identifies this socket after no process listens at it any more. */
  readonly mark: string;
  close(): Promise<void>;
}

const markOf = (token: string): string => createHash('sha256').update(token).digest('hex').slice(0, 16);

/** Mark of the process that bound the socket last; for a socket that refused a connection. */
async function deafMark(address: Address): Promise<string | null> {
  // What is wrong with the folder is the probe's to report.
  const token = await tokenIn(address).catch(() => null);
  return token === null ? null : markOf(token);
}

/**
 * Prepares to answer for this state. Throws OWNER_BUSY while another process does: with its `pid`, or `silent` if it does not respond.
 */
export async function listen(options: ListenOptions, system: Pick<Platform, 'pipe'> = platform): Promise<Listening> {
  const address = addressOf(options.runtimeDir, options.stateDir, system);
  // Read before the probe: a token that is there belongs to a socket that was placed earlier. Read afterwards, it may be that of a starter
  // who took the place of a dead socket meanwhile, and who would be taken for ended.
  const deaf = await deafMark(address);
  const found = await probe(options.runtimeDir, options.stateDir, options.clock, system);
  if (found.state === 'alive') {
    throw failure('OWNER_BUSY', `process ${found.pid} works on this workspace`, { details: { pid: found.pid } });
  }
  // A pipe cannot be replaced.
  if (found.state === 'silent' && (options.replaceSilent !== true || address.isPipe)) {
    throw failure('OWNER_BUSY', 'another process holds this workspace and does not answer', {
      hint: address.isPipe
        ? 'End that process: close its window, or end it in the Task Manager.'
        : 'End that process; in VS Code, Take Over does so.',
      details: { silent: true },
    });
  }
  await options.former?.(found.state === 'absent' && found.refused ? deaf : null);
  const owner = new Owner(options, address, system);
  // The claim decides whose socket clients find, but a pipe is exclusive.
  if (address.isPipe) await owner.place();
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
  readonly #address: Address;
  readonly #system: Pick<Platform, 'pipe'>;
  readonly #token = randomBytes(32).toString('hex');
  readonly #files: OwnerFiles;
  readonly #sockets = new Set<Socket>();
  readonly #clients = new Map<Socket, Client>();
  #server: Server | null = null;
  #cancelLook: (() => void) | null = null;
  #looking: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(options: ListenOptions, address: Address, system: Pick<Platform, 'pipe'>) {
    this.#options = options;
    this.#address = address;
    this.#system = system;
    this.#files = new OwnerFiles(address, this.#token);
  }

  async open(standing: Standing): Promise<void> {
    if (!this.#address.isPipe) await this.place();
    this.#lookLater(standing);
  }

  /** Listens before the token is replaced: the token of a living owner stays if this process cannot listen. */
  async place(): Promise<void> {
    await makeRuntimeDir(this.#options.runtimeDir);
    try {
      await this.#files.placeSocket((path) => this.#bind(path));
      await this.#files.placeToken();
    } catch (thrown) {
      await this.close();
      if (!this.#address.isPipe || errnoOf(thrown) !== TAKEN) throw thrown;
      throw failure('OWNER_BUSY', 'another process has started to work on this workspace', {
        hint: 'Try again in a moment.',
        details: { silent: true },
        cause: thrown,
      });
    }
  }

  async #bind(path: string): Promise<void> {
    const server = createServer((socket) => this.#greet(socket));
    server.maxConnections = MAX_CLIENTS;
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(path, () => {
        server.off('error', reject);
        resolve();
      });
    });
    // One whose name was removed accepts no more clients, and keeps those that it has.
    this.#server?.close();
    this.#server = server;
  }

  #lookLater(standing: Standing): void {
    this.#cancelLook = this.#options.clock.timer(LOOK_MS, () => {
      this.#looking = this.#look(standing);
    });
  }

  async #look(standing: Standing): Promise<void> {
    try {
      if (!(await this.#restore(standing))) return;
    } catch (thrown) {
      standing.problem(
        `clients may not find this process, because its socket cannot be restored: ${messageOf(thrown)}`,
      );
    }
    if (!this.#isClosed) this.#lookLater(standing);
  }

  /** Returns false if another process owns the state. */
  async #restore({ isOwner }: Standing): Promise<boolean> {
    const files = this.#files;
    const hasSocket = await files.hasSocket();
    if (hasSocket && (await files.hasToken())) return true;
    if (!(await isOwner())) return false;
    await makeRuntimeDir(this.#options.runtimeDir);
    if (!hasSocket) {
      const { runtimeDir, stateDir, clock } = this.#options;
      // A process of an older version listens before its claim is refused.
      if ((await probe(runtimeDir, stateDir, clock, this.#system)).state !== 'absent') return true;
      await files.placeSocket((path) => this.#bind(path));
    }
    await files.placeToken();
    if (await isOwner()) return true;
    await files.remove();
    return false;
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
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#cancelLook?.();
    await this.#looking;
    await this.#files.remove();
    const closed = new Promise<void>((resolve) => {
      if (this.#server === null) resolve();
      else this.#server.close(() => resolve());
    });
    for (const socket of this.#sockets) socket.end();
    for (const socket of this.#sockets) socket.destroySoon();
    await closed;
  }
}
