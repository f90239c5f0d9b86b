/** What every scenario is given: a server of VS Code, a browser, the extension as built, and folders to work in. */
import { randomBytes } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { type ensureVsCode, serverEnv, startServer } from '../../../scripts/vscode.mjs';
import { makeRepository } from '../../../src/compose/demo.ts';
import { TreeGuard } from '../../support/treeGuard.ts';

/** Long enough for two busy cores. */
const PATIENCE_MS = 120_000;

/** Settings of this machine, as a person would have them in the remote settings. */
const SETTINGS = {
  'autonomous.provider': 'simulated',
  'autonomous.simulated.delayMs': 60,
  'autonomous.allowedCommands': [['ls', 'simulated-notes']],
};

type Editor = Awaited<ReturnType<typeof ensureVsCode>>;

export interface World {
  readonly editor: Editor;
  readonly browser: Browser;
  readonly url: string;
  /** Everything lies below it; removed in the end. */
  readonly folder: string;
  /** A copy of the built extension: another build meanwhile does no harm. */
  readonly extension: string;
  /** The bundled agent and suite. */
  readonly agent: string;
  readonly suite: string;
  /** Folder for pictures of windows in which something failed. */
  readonly pictures: string | null;
  /** Aborted when all is to end. */
  readonly stop: AbortSignal;
  /** As the extension hosts have it; terminals of a test get the same. */
  readonly env: Readonly<Record<string, string>>;
}

export interface Scenario {
  readonly name: string;
  readonly body: (world: World) => Promise<void>;
}

export function copyExtension(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const part of ['package.json', 'dist', 'media', 'l10n']) {
    if (existsSync(join(from, part))) cpSync(join(from, part), join(to, part), { recursive: true });
  }
}

type Server = Awaited<ReturnType<typeof startServer>> & { readonly env: Record<string, string> };

const servers = new Set<Server>();

/** Those of scenarios that were stopped in their midst, too. */
export async function stopServers(): Promise<void> {
  await Promise.all([...servers].map((server) => server.stop()));
}

/** A server of its own, with the settings of this machine. */
export async function serve(
  editor: Editor,
  folder: string,
  options: {
    readonly workspaceTrust?: boolean;
    readonly env?: Record<string, string>;
    readonly settings?: object;
  } = {},
): Promise<Server> {
  const { workspaceTrust = false, env = {}, settings = {} } = options;
  const machine = join(folder, 'user', 'Machine');
  mkdirSync(machine, { recursive: true });
  writeFileSync(join(machine, 'settings.json'), JSON.stringify({ ...SETTINGS, ...settings }));
  const { url, stop } = await startServer(editor, { folder, workspaceTrust, env });
  const server: Server = {
    url,
    env: { ...serverEnv(join(folder, 'home')), ...env },
    stop: async () => {
      servers.delete(server);
      await stop();
    },
  };
  servers.add(server);
  return server;
}

/** An empty folder with a name of its own. */
export function newFolder({ folder }: World, name: string): string {
  const made = join(folder, 'work', randomBytes(3).toString('hex'), name);
  mkdirSync(made, { recursive: true });
  return made;
}

/** For a window of several folders. */
export function workspaceFile(world: World, folders: readonly object[]): string {
  const file = join(newFolder(world, 'several'), 'several.code-workspace');
  writeFileSync(file, JSON.stringify({ folders }));
  return file;
}

const guarded: TreeGuard[] = [];

/** A repository with the demo's sample in it. What lies in it is the person's. */
export async function newProject(world: World, name = 'sheet'): Promise<string> {
  const made = newFolder(world, name);
  await makeRepository(made);
  guarded.push(new TreeGuard(made));
  return made;
}

/** Rejects, too, when more of the repositories made meanwhile was changed than a merge may. */
export async function guardingTrees(body: () => Promise<void>): Promise<void> {
  guarded.length = 0;
  await body();
  for (const guard of guarded) guard.check();
}

/** Waits for a state, and says what it waited for. `what` may be asked in the end, for what was seen last. */
export async function until<T>(
  what: string | (() => string),
  look: () => Promise<T | null | undefined | false> | T | null | undefined | false,
  patienceMs: number = PATIENCE_MS,
): Promise<T> {
  const end = performance.now() + patienceMs;
  for (;;) {
    const seen = await look();
    if (seen !== null && seen !== undefined && seen !== false) return seen;
    if (performance.now() > end) {
      throw new Error(`waited ${patienceMs / 1000} s in vain: ${typeof what === 'string' ? what : what()}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
