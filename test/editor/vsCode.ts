/** A VS Code to open windows in: the server of code-server with the packaged extension, and the second one that opens a door in each window. */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { serverEnv, startServer } from '../../scripts/vscode.mjs';
import { bundle } from '../host/bundle.ts';
import { CA_FILE } from '../support/provider/inspectingProxy.ts';

/** Of the machine: what a person would have in the remote settings. */
const MACHINE = {
  'autonomous.provider': 'simulated',
  // It answers as soon as a page can still be watched.
  'autonomous.simulated.delayMs': 60,
  'autonomous.allowedCommands': [['ls', 'simulated-notes']],
};
/** Of the user: nothing beside what is tested, which each window would pay for. */
const USER = {
  'chat.disableAIFeatures': true,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.enableExperiments': false,
  'workbench.startupEditor': 'none',
  'extensions.ignoreRecommendations': true,
  // On in a browser: it would save between two keys.
  'files.autoSave': 'off',
  'git.autofetch': false,
};

export interface VsCode {
  readonly url: string;
  /** Everything that it writes. */
  readonly folder: string;
  readonly home: string;
  /** Where windows leave the addresses of their doors. */
  readonly doors: string;
  /** What its extension hosts have; a terminal of the same person has the same. */
  readonly env: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/** Those that a window reads when it opens; `more` replaces or adds. */
export function writeMachineSettings(folder: string, more: object = {}): void {
  mkdirSync(join(folder, 'user', 'Machine'), { recursive: true });
  writeFileSync(join(folder, 'user', 'Machine', 'settings.json'), JSON.stringify({ ...MACHINE, ...more }));
}

export function writeUserSettings(folder: string, more: object = {}): void {
  mkdirSync(join(folder, 'user', 'User'), { recursive: true });
  writeFileSync(join(folder, 'user', 'User', 'settings.json'), JSON.stringify({ ...USER, ...more }));
}

/** If the goodbye of a window is lost, its extension host ends by itself. */
const GRACE_SECONDS = 10;

/** `folder` is short: sockets are made below it. */
export async function startVsCode(
  editor: { readonly server: string },
  folder: string,
  { extensionsDir, workspaceTrust = false }: { readonly extensionsDir: string; readonly workspaceTrust?: boolean },
): Promise<VsCode> {
  const doors = join(folder, 'doors');
  mkdirSync(doors, { recursive: true });
  writeMachineSettings(folder);
  writeUserSettings(folder);
  // Of a company's proxy that inspects TLS.
  const env = { AUTONOMOUS_TEST_DOORS: doors, NODE_EXTRA_CA_CERTS: CA_FILE };
  const graceSeconds = GRACE_SECONDS;
  const server = await startServer(editor, { folder, extensionsDir, workspaceTrust, graceSeconds, env });
  const home = join(folder, 'home');
  return { url: server.url, stop: server.stop, folder, home, doors, env: { ...serverEnv(home), ...env } };
}

const HAND = {
  name: 'hand',
  publisher: 'acme',
  version: '1.0.0',
  engines: { vscode: '^1.100.0' },
  main: './hand.js',
  // After all that a window opens by itself.
  activationEvents: ['onStartupFinished', 'onCommand:acme.hand.register'],
  extensionKind: ['workspace'],
  capabilities: { untrustedWorkspaces: { supported: true }, virtualWorkspaces: true },
  contributes: { commands: [{ command: 'acme.hand.register', title: 'Register' }] },
};

/** Installs the second extension as VS Code lists it. */
export async function installHand(extensionsDir: string): Promise<void> {
  const { publisher, name, version } = HAND;
  const relativeLocation = `${publisher}.${name}-${version}`;
  const path = join(extensionsDir, relativeLocation);
  mkdirSync(path, { recursive: true });
  writeFileSync(join(path, 'package.json'), JSON.stringify(HAND));
  await bundle('hand', path);
  const list = join(extensionsDir, 'extensions.json');
  const location = { $mid: 1, path, scheme: 'file' };
  const entry = { identifier: { id: `${publisher}.${name}` }, version, location, relativeLocation, metadata: {} };
  writeFileSync(list, JSON.stringify([...JSON.parse(readFileSync(list, 'utf8')), entry]));
}

/** A copy of the installed extensions that a test may change. */
export function copyExtensions(extensionsDir: string, to: string): string {
  cpSync(extensionsDir, to, { recursive: true });
  const list = join(to, 'extensions.json');
  writeFileSync(list, readFileSync(list, 'utf8').replaceAll(extensionsDir, to));
  return to;
}
