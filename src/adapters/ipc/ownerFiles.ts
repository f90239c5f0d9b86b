/** The socket and the token by which clients find an owner: puts them in place, and removes no other owner's. */
import { randomBytes } from 'node:crypto';
import { lstat, readFile, writeFile } from 'node:fs/promises';
import { errnoOf } from '../../shared/errors.ts';
import { rename, rm } from '../platform/heldFiles.ts';
import type { Address } from './address.ts';

/** The result, or null if there is no such file. */
async function ifThere<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (thrown) {
    if (errnoOf(thrown) === 'ENOENT') return null;
    throw thrown;
  }
}

export const tokenIn = ({ tokenFile }: Address): Promise<string | null> => ifThere(readFile(tokenFile, 'utf8'));

export class OwnerFiles {
  readonly #address: Address;
  readonly #token: string;
  #inode: bigint | null = null;

  constructor(address: Address, token: string) {
    this.#address = address;
    this.#token = token;
  }

  /** Whether the owner's socket is where clients look for it. A pipe stays where it is. */
  async hasSocket(): Promise<boolean> {
    const { socket, isPipe } = this.#address;
    return isPipe || (await ifThere(lstat(socket, { bigint: true })))?.ino === this.#inode;
  }

  async hasToken(): Promise<boolean> {
    return (await tokenIn(this.#address)) === this.#token;
  }

  /**
   * `bind` listens at a name. A socket is bound under a temporary name and then moved into place: no client finds a name that does not
   * answer, a stale file is replaced in one step, and closing (which unlinks the bound name) never removes a successor's socket.
   */
  async placeSocket(bind: (path: string) => Promise<void>): Promise<void> {
    const { socket, isPipe } = this.#address;
    if (isPipe) return bind(socket);
    const bound = `${socket}.${randomBytes(4).toString('hex')}`;
    await bind(bound);
    this.#inode = (await lstat(bound, { bigint: true })).ino;
    await rename(bound, socket);
  }

  /** Call after `placeSocket`: beside a socket at which no process listens, a token identifies the process that has ended. */
  async placeToken(): Promise<void> {
    const { tokenFile } = this.#address;
    const draft = `${tokenFile}.${randomBytes(4).toString('hex')}`;
    try {
      await writeFile(draft, this.#token, { mode: 0o600, flag: 'wx' });
      await rename(draft, tokenFile);
    } catch (thrown) {
      await rm(draft, { force: true });
      throw thrown;
    }
  }

  async remove(): Promise<void> {
    const { socket, tokenFile, isPipe } = this.#address;
    if (!isPipe && (await this.hasSocket())) await rm(socket, { force: true });
    if (await this.hasToken()) await rm(tokenFile, { force: true });
  }
}
