/** The way into the extension host of a window: through the second extension, test/host/hand. */
import { readdirSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import type { Answer, DoorAddress, Errand } from '../host/hand/errand.ts';
import type { Result } from '../support/suite/suiteReport.ts';
import { until } from './patience.ts';

/** Extension hosts that have opened a door so far. */
export const knownDoors = (folder: string): ReadonlySet<string> =>
  new Set(readdirSync(folder).filter((name) => name.endsWith('.json')));

/** Without a limit: what is asked for may take as long as a test. */
function post(url: string, body: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      response.once('end', () => resolve(text));
      response.once('error', reject);
    });
    sent.once('error', reject);
    sent.end(body);
  });
}

export class Door {
  readonly #address: DoorAddress;

  private constructor(address: DoorAddress) {
    this.#address = address;
  }

  /** Waits for an extension host that is not among those known. */
  static async next(folder: string, known: ReadonlySet<string>): Promise<Door> {
    const file = await until('the extension host of the window', () =>
      [...knownDoors(folder)].find((name) => !known.has(name)),
    );
    return new Door(JSON.parse(readFileSync(join(folder, file), 'utf8')));
  }

  /** The process that runs extensions for the window. */
  get hostPid(): number {
    return this.#address.pid;
  }

  /** Rejects with what the command throws. */
  command(id: string, ...args: readonly unknown[]): Promise<unknown> {
    return this.#ask({ kind: 'command', id, args });
  }

  /** Opens a link of the extension. */
  async link(path: string): Promise<void> {
    await this.#ask({ kind: 'link', path });
  }

  async activate(): Promise<boolean> {
    return (await this.#ask({ kind: 'activate' })) === true;
  }

  async isActive(): Promise<boolean> {
    return (await this.#ask({ kind: 'isActive' })) === true;
  }

  async folders(): Promise<number> {
    return (await this.#ask({ kind: 'folders' })) as number;
  }

  /** Runs a test of test/host/suite in the extension host. Rejects when it fails. */
  async test(name: string): Promise<void> {
    const { error } = (await this.#ask({ kind: 'test', name })) as Result;
    if (error !== null) throw new Error(error);
  }

  async #ask(errand: Errand): Promise<unknown> {
    const answer: Answer = JSON.parse(await post(this.#address.url, JSON.stringify(errand)));
    if ('error' in answer) throw new Error(answer.error);
    return answer.value;
  }
}
