/**
 * Installs and starts a real VS Code, only from the npm registry: the server inside the package `code-server`, opened in the machine's own Chromium.
 * Installed once into `.vscode-test/` (about 600 MB); a stamp records its source.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { installOnDebian, node24, onPath, root, run } from './setup.mjs';

const cache = join(root, '.vscode-test');
const pinned = join(root, 'test', 'vscode');
const home = join(cache, 'node_modules', 'code-server', 'lib', 'vscode');
const stamp = join(cache, 'stamp');
const INSTALL = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
/** Native parts without which the server does not start; the rest is for features that no test touches. */
const NATIVE = ['@vscode/spdlog', '@vscode/native-watchdog'];
/** Tools that build the native parts. */
const BUILD_TOOLS = [
  { command: 'python3', debian: 'python3' },
  { command: 'make', debian: 'make' },
  { command: 'g++', debian: 'g++' },
];
/** Headers of the Node that runs the server. They are part of the package, so that nothing else is downloaded. */
const NODE_HEADERS = join(root, 'node_modules', 'node', 'node_modules', `node-${process.platform}-${process.arch}`);
/** Built-in extensions to keep: those that the tests or the extension use. Each of the others costs time in every window. */
const BUILT_IN = [
  'configuration-editing',
  'diff',
  'git',
  'git-base',
  'javascript',
  'json',
  'markdown-basics',
  'markdown-language-features',
  'merge-conflict',
  'theme-defaults',
  'theme-modern-icons',
  'theme-seti',
  'yaml',
];
/** Draws no windows: the tests of the page take two thirds of the processor time of a whole browser. */
const WITHOUT_WINDOWS = 'chromium-headless-shell';
const BROWSERS = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'microsoft-edge'];
const BROWSER_FILES = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
];
const READY_MS = 60_000;
const STOP_MS = 5_000;

/** Flags for a Chromium that has nothing to ask of the internet. */
export const BROWSER_FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

function fingerprint() {
  const hash = createHash('sha256');
  for (const file of ['package.json', 'package-lock.json']) hash.update(readFileSync(join(pinned, file)));
  return hash.update([...INSTALL, ...NATIVE, ...BUILT_IN].join(' ')).digest('hex');
}

async function npm(args, cwd) {
  const path = `${dirname(node24)}${delimiter}${process.env.PATH ?? ''}`;
  const headers = existsSync(join(NODE_HEADERS, 'include', 'node')) ? { npm_config_nodedir: NODE_HEADERS } : {};
  const env = { ...process.env, PATH: path, ...headers };
  const code = await run('npm', args, { cwd, env, stdio: ['ignore', 'ignore', 'inherit'] });
  if (code !== 0) throw new Error(`npm ${args.join(' ')} ended with ${code} while installing VS Code: see above.`);
}

async function ensureBuildTools() {
  if (process.platform === 'win32') return;
  const missing = () => BUILD_TOOLS.filter(({ command }) => !onPath(command));
  if (missing().length === 0) return;
  const names = missing().map(({ debian }) => debian);
  await installOnDebian(names);
  if (missing().length > 0) throw new Error(`Missing to build VS Code's native parts: ${names.join(', ')}.`);
}

function removeOtherExtensions() {
  const folder = join(home, 'extensions');
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory() && !BUILT_IN.includes(entry.name)) rmSync(join(folder, entry.name), { recursive: true });
  }
}

async function install() {
  await ensureBuildTools();
  console.log('Installing the VS Code that tests run in (code-server from the npm registry; some minutes, once)');
  rmSync(stamp, { force: true });
  mkdirSync(cache, { recursive: true });
  for (const file of ['package.json', 'package-lock.json']) cpSync(join(pinned, file), join(cache, file));
  await npm(['ci', ...INSTALL], cache);
  await npm(['install', '--omit=dev', ...INSTALL], home);
  await npm(['rebuild', '--loglevel=error', ...NATIVE], home);
  removeOtherExtensions();
  writeFileSync(stamp, fingerprint());
}

/** The path of the browser that CHROME_PATH names, or of the first that is installed. @param {readonly string[]} names */
function findBrowser(names) {
  const named = process.env.CHROME_PATH;
  if (named) return named;
  for (const name of names) {
    const found = onPath(name);
    if (found) return found;
  }
  return BROWSER_FILES.find((file) => existsSync(file));
}

/** The path of a browser that opens windows. Returns undefined if there is none. */
export const windowBrowser = () => findBrowser(BROWSERS);

const testBrowser = () => findBrowser([WITHOUT_WINDOWS, ...BROWSERS]);

/** The path of the Chromium, Chrome or Edge that tests drive. Rejects with a sentence when there is none. */
export async function ensureBrowser() {
  const found = testBrowser();
  if (found) return found;
  // Ubuntu has only the second one.
  for (const name of [WITHOUT_WINDOWS, 'chromium']) {
    await installOnDebian([name]);
    const installed = testBrowser();
    if (installed) return installed;
  }
  throw new Error(
    'No Chromium, Chrome or Edge is here, and the suites of the page and in a real VS Code need one (Debian: apt-get install chromium). CHROME_PATH may name it.',
  );
}

/** Installs what is missing. Rejects with a sentence on what could not be had. */
export async function ensureVsCode() {
  const browser = await ensureBrowser();
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== fingerprint()) await install();
  return { browser, server: join(home, 'out', 'server-main.js') };
}

/** An environment without the user's own settings, with the given `HOME`. */
export function serverEnv(homeDir) {
  const { PATH = '', LANG = 'C.UTF-8' } = process.env;
  return {
    PATH: [dirname(node24), PATH].join(delimiter),
    LANG,
    HOME: homeDir,
    XDG_RUNTIME_DIR: homeDir,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
  };
}

function firstPort(child) {
  return new Promise((resolve, reject) => {
    let output = '';
    const timer = setTimeout(() => reject(new Error(`VS Code did not start within 60 s:\n${output}`)), READY_MS);
    const read = (chunk) => {
      output += chunk;
      const port = /agent listening on (\d+)/.exec(output)?.[1];
      if (!port) return;
      clearTimeout(timer);
      resolve(Number(port));
    };
    child.stdout.setEncoding('utf8').on('data', read);
    child.stderr.setEncoding('utf8').on('data', read);
    child.once('exit', (code) => {
      clearTimeout(timer);
      reject(new Error(`VS Code ended with ${code} before it listened:\n${output}`));
    });
  });
}

/** The whole group: the server's extension hosts are its children. */
function signal(child, name) {
  try {
    if (process.platform === 'win32') child.kill(name);
    else process.kill(-child.pid, name);
  } catch (error) {
    if (error.code !== 'ESRCH') throw error; // it has already ended
  }
}

function stopper(child) {
  const ended = new Promise((resolve) => child.once('exit', resolve));
  return async () => {
    signal(child, 'SIGTERM');
    const patience = new Promise((resolve) => setTimeout(resolve, STOP_MS).unref());
    await Promise.race([ended, patience]);
    signal(child, 'SIGKILL');
    await ended;
  };
}

/**
 * Starts the server on a free port of 127.0.0.1. `folder` holds everything it writes, `HOME` included; without
 * `extensionsDir` there are only the built-in extensions. After `graceSeconds` the extension host of a window that lost its
 * connection ends; by default VS Code keeps it for hours, in case the window comes back. `env` is added to what extension hosts see.
 * @param {{ server: string }} editor
 * @param {{ folder: string, extensionsDir?: string, workspaceTrust?: boolean, graceSeconds?: number, env?: Record<string, string> }} options
 */
export async function startServer(
  { server },
  { folder, extensionsDir, workspaceTrust = false, graceSeconds, env = {} },
) {
  const homeDir = join(folder, 'home');
  mkdirSync(homeDir, { recursive: true, mode: 0o700 });
  const args = [
    server,
    ...['--host', '127.0.0.1', '--port', '0', '--without-connection-token', '--accept-server-license-terms'],
    '--disable-telemetry',
    ...(graceSeconds === undefined ? [] : [`--reconnection-grace-time=${graceSeconds}`]),
    ...(workspaceTrust ? [] : ['--disable-workspace-trust']),
    ...['--user-data-dir', join(folder, 'user'), '--server-data-dir', join(folder, 'server')],
    ...['--extensions-dir', extensionsDir ?? join(folder, 'extensions')],
  ];
  const child = spawn(node24, args, {
    env: { ...serverEnv(homeDir), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: process.platform !== 'win32',
  });
  const stop = stopper(child);
  try {
    const port = await firstPort(child);
    return { url: `http://127.0.0.1:${port}`, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Installs a packaged extension into a folder that `startServer` then uses. */
export async function installExtension({ server }, { folder, extensionsDir, vsix }) {
  const homeDir = join(folder, 'home');
  mkdirSync(homeDir, { recursive: true });
  const args = [server, '--install-extension', vsix, '--extensions-dir', extensionsDir, '--force'];
  const dirs = ['--user-data-dir', join(folder, 'user'), '--server-data-dir', join(folder, 'server')];
  const options = { env: serverEnv(homeDir), stdio: ['ignore', 'ignore', 'inherit'] };
  const code = await run(node24, [...args, ...dirs, '--accept-server-license-terms'], options);
  if (code !== 0) throw new Error(`VS Code refused to install the extension (exit code ${code}): see above.`);
}

/**
 * Opens a folder or a `.code-workspace` file of this machine in the workbench, or an empty window. `payload` are pairs that
 * VS Code knows by name, for instance `extensionDevelopmentPath`; paths in them are made `vscode-remote` here.
 * @param {string} url
 * @param {string | null} target
 * @param {Record<string, string>} payload
 */
export function workbenchUrl(url, target, payload = {}) {
  const remote = (path) => `vscode-remote://remote${encodeURI(path)}`;
  const pairs = Object.entries(payload).map(([name, value]) => [name, name.endsWith('Path') ? remote(value) : value]);
  const kind = target?.endsWith('.code-workspace') ? 'workspace' : 'folder';
  const opened = target === null ? { ew: 'true' } : { [kind]: target };
  const query = new URLSearchParams({ ...opened, payload: JSON.stringify([...pairs, ['skipWelcome', 'true']]) });
  return `${url}/?${query}`;
}

/** A playwright browser of the machine's own Chromium. The caller closes it, after a signal too: playwright would end the process. */
export async function openBrowser({ browser }) {
  const { chromium } = await import('playwright-core');
  const signals = { handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false };
  return chromium.launch({ executablePath: browser, args: BROWSER_FLAGS, ...signals });
}
