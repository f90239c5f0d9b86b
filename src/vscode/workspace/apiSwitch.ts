/** The HTTP API of this window's folder, for as long as the settings want it and work is permitted there. */
import * as vscode from 'vscode';
import type { ServedApi, Workspaces } from '../../engine/workspace/workspace.ts';
import { failure } from '../../shared/errors.ts';
import { setting } from '../settings/read.ts';
import type { WorkspaceEngine } from '../window/handle.ts';
import { logThrown, report } from '../window/report.ts';

/** The API of one folder and port. */
interface Served {
  readonly key: string;
  /** null if the API could not be opened, which was shown. */
  readonly api: ServedApi | null;
}

export class ApiSwitch {
  readonly #handle: WorkspaceEngine;
  readonly #load: () => Promise<Workspaces>;
  readonly #log: vscode.LogOutputChannel;
  #served: Served | null = null;
  #turn: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(handle: WorkspaceEngine, load: () => Promise<Workspaces>, log: vscode.LogOutputChannel) {
    this.#handle = handle;
    this.#load = load;
    this.#log = log;
  }

  /** After anything that may change what is wanted. One change after the other. */
  heed(): Promise<void> {
    this.#turn = this.#turn.then(() => this.#settle()).catch((thrown: unknown) => report(this.#log, thrown));
    return this.#turn;
  }

  async copyToken(): Promise<void> {
    const { token } = await (await this.#load()).at(this.#handle.place()).api.token();
    await copy(token);
    vscode.window.setStatusBarMessage(
      vscode.l10n.t('The API token is copied. Anyone who has it can use the API.'),
      5_000,
    );
  }

  async copyAddress(): Promise<void> {
    await this.heed();
    const url = this.#served?.api?.url;
    if (url === undefined) {
      throw failure('NOT_PERMITTED', vscode.l10n.t('The API is not open.'), {
        hint: vscode.l10n.t('Switch it on in the settings, in a trusted folder.'),
      });
    }
    await copy(url);
    vscode.window.setStatusBarMessage(vscode.l10n.t('Copied: {0}', url), 5_000);
  }

  close(): Promise<void> {
    this.#closed = true;
    return this.heed();
  }

  async #settle(): Promise<void> {
    const { enabled, port } = setting.api();
    const wanted = enabled && !this.#closed && this.#handle.blocker === null;
    const key = wanted ? `${this.#handle.place().folder} ${port}` : null;
    if (key === (this.#served?.key ?? null)) return;
    const before = this.#served?.api ?? null;
    this.#served = null;
    if (before !== null) {
      await before.close();
      this.#log.info(`the API on ${before.url} is closed`);
    }
    if (key !== null) this.#served = { key, api: await this.#open(port) };
  }

  async #open(port: number): Promise<ServedApi | null> {
    try {
      const workspaces = await this.#load();
      const api = await workspaces.at(this.#handle.place()).api.serve({
        port,
        origins: [],
        keeps: false,
        reach: () => this.#handle.open(),
        failed: (thrown) => logThrown(this.#log, thrown),
      });
      this.#log.info(`the API listens on ${api.url}, on this machine alone`);
      return api;
    } catch (thrown) {
      report(this.#log, thrown);
      return null;
    }
  }
}

async function copy(text: string): Promise<void> {
  await vscode.env.clipboard.writeText(text);
}
