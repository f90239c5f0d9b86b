/**
 * Prepares everything that a script needs before it can start: npm packages, Node 24 first in the path, system packages. Imports nothing that must be
 * installed.
 */
import { spawn } from 'node:child_process';
import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
const modules = join(root, 'node_modules');
const bin = join(modules, '.bin');
/** The Node that all steps use, independent of the machine's own. */
export const node24 = join(modules, 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');

const SYSTEM = [
  { command: 'bwrap', debian: 'bubblewrap' },
  { command: 'socat', debian: 'socat' },
  { command: 'pdftoppm', debian: 'poppler-utils' },
  { command: 'ps', debian: 'procps' },
];
/** What the tests need on macOS, by the formula of Homebrew that contains it. */
const ON_MACOS = [
  { command: 'setsid', formula: 'util-linux' },
  { command: 'pdftoppm', formula: 'poppler' },
];

/** The environment of a step: no keys, no git settings, and node_modules/.bin first on PATH. Where agents for the tests are stays. */
export function cleanEnv() {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(GIT|ANTHROPIC|AUTONOMOUS)_(?!AGENTS_CACHE$)/i.test(name),
  );
  const env = Object.fromEntries(kept);
  const key = Object.keys(env).find((name) => name.toUpperCase() === 'PATH') ?? 'PATH';
  const rest = (env[key] ?? '').split(delimiter).filter((folder) => folder !== bin);
  return { bare: { ...env, [key]: rest.join(delimiter) }, tools: { ...env, [key]: [bin, ...rest].join(delimiter) } };
}

/** Runs a command with its output shown; resolves to its exit code. Ctrl-C reaches the command, and we wait for it to end. */
export function run(command, args, { env = cleanEnv().tools, stdio = 'inherit', cwd = root } = {}) {
  return new Promise((resolve, reject) => {
    const windowsScript = process.platform === 'win32' && !command.endsWith('.exe');
    const child = spawn(command, args, { cwd, env, stdio, shell: windowsScript });
    const wait = () => undefined;
    process.on('SIGINT', wait);
    const forward = () => child.kill('SIGTERM');
    process.on('SIGTERM', forward);
    const settle = (finish) => {
      process.off('SIGINT', wait);
      process.off('SIGTERM', forward);
      finish();
    };
    child.on('error', (error) => settle(() => reject(error)));
    child.on('close', (code, signal) => settle(() => resolve(signal ? 1 : (code ?? 1))));
  });
}

const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'));

/** Returns whether node_modules matches package-lock.json, by the record that npm keeps of its installation. */
function packagesMatch() {
  const record = join(modules, '.package-lock.json');
  if (!existsSync(record) || !existsSync(node24)) return false;
  const wanted = readJson(join(root, 'package-lock.json')).packages;
  const have = readJson(record).packages;
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === '') return true;
    const found = have[path];
    if (!found) return entry.optional === true || entry.devOptional === true;
    return found.version === entry.version && found.integrity === entry.integrity;
  });
}

export async function ensurePackages() {
  if (Number(process.versions.node.split('.')[0]) < 20) {
    throw new Error(`Node 20 or newer is needed to start (this is ${process.versions.node}).`);
  }
  if (packagesMatch()) return;
  console.log('Installing packages: npm ci');
  const args = ['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error'];
  const code = await run('npm', args, { env: cleanEnv().bare });
  if (code !== 0) throw new Error(`npm ci ended with ${code}: see above.`);
  if (!packagesMatch()) {
    throw new Error(
      'npm ci did not install Node 24. Are install scripts off (npm config ignore-scripts)? See allowScripts in package.json.',
    );
  }
}

/** The program's path, or undefined. */
export function onPath(command) {
  const files = (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, command));
  return files.find((file) => {
    try {
      accessSync(file, constants.X_OK);
      return true;
    } catch {
      return false; // not in this folder
    }
  });
}

const missingSystem = () => SYSTEM.filter(({ command }) => !onPath(command));

/**
 * Does nothing if only the user can install: without root, or on a system other than Debian. The caller checks afterwards whether the programs exist.
 */
export async function installOnDebian(names) {
  if (process.getuid?.() !== 0 || !existsSync('/etc/debian_version')) return;
  console.log(`Installing system packages: ${names.join(' ')}`);
  const env = { ...cleanEnv().bare, DEBIAN_FRONTEND: 'noninteractive' };
  const quiet = { env, stdio: ['ignore', 'ignore', 'inherit'] };
  if ((await run('apt-get', ['update', '-qq'], quiet)) !== 0) return;
  await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...names], quiet);
}

/** The sandbox on Linux is bubblewrap and socat; pdftoppm shows the pages of a PDF. Resolves to a sentence on what is missing, or undefined. */
export async function ensureSystem() {
  if (!onPath(process.platform === 'win32' ? 'git.exe' : 'git'))
    return 'git is missing: every integration test needs it.';
  if (process.platform === 'darwin') return missingOnMacos();
  if (process.platform !== 'linux' || missingSystem().length === 0) return undefined;
  await installOnDebian(missingSystem().map(({ debian }) => debian));
  const missing = missingSystem();
  if (missing.length === 0) return undefined;
  return [
    `missing: ${missing.map(({ command, debian }) => `${command} (package ${debian})`).join(', ')}.`,
    'The integration tests (test/integration/) run commands in a bubblewrap sandbox and read a PDF: they need this.',
    `On Debian or Ubuntu: sudo apt-get update && sudo apt-get install -y ${missing.map(({ debian }) => debian).join(' ')}`,
  ].join('\n');
}

function missingOnMacos() {
  const formulas = ON_MACOS.filter(({ command }) => !onPath(command)).map(({ formula }) => formula);
  if (formulas.length === 0) return undefined;
  return `missing for the tests: brew install ${formulas.join(' ')}; put "$(brew --prefix util-linux)/bin" on the PATH.`;
}

/** Runs a script's main function: prints the failure as one sentence, never a stack. */
export async function main(body) {
  try {
    process.exitCode = await body();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
