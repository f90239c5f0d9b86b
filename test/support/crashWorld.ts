/** A user's repository, a model's server and an owner process that can be killed and started again: all of one test. */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { copyAssets, nodeBundle } from '../../esbuild.mjs';
import { systemClock } from '../../src/adapters/clock.ts';
import type { OwnerOptions } from '../../src/compose/owner.ts';
import type { Places } from '../../src/compose/places.ts';
import { lookAtState } from '../../src/compose/storage.ts';
import type { State } from '../../src/shared/state.ts';
import { type CrashPoint, crashEnv } from './crashPoint.ts';
import { crashScenario } from './crashScenario.ts';
import { plainGit, writeFiles } from './gitFixture.ts';
import { type MessagesServer, startMessagesServer } from './messagesServer.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const CHILD_LIMIT_MS = 100_000;
/** Each process lives for a second: optimizing the database's WebAssembly in the background costs more than it saves. */
const NODE_FLAGS = ['--liftoff-only'];

export interface CrashPrograms {
  readonly folder: string;
  remove(): void;
}

/** Bundles the programs that get killed: `crashOwner.js`, `crashWorker.js`, and the real ones beside them. */
export async function buildPrograms(): Promise<CrashPrograms> {
  // Inside node_modules, so that packages resolve as they do for src/ and no tool looks at it.
  const cache = join(ROOT, 'node_modules', '.cache');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'crash-'));
  const programs = [
    new URL('./crashOwner.ts', import.meta.url),
    new URL('./crashWorker.ts', import.meta.url),
    new URL('../../src/cli.ts', import.meta.url),
    new URL('../../src/worker.ts', import.meta.url),
  ];
  const options = nodeBundle(
    programs.map((url) => fileURLToPath(url)),
    folder,
  );
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  try {
    await copyAssets(folder);
    await build({ ...options, entryNames: '[name]' });
  } catch (thrown) {
    remove();
    throw thrown;
  }
  return { folder, remove };
}

interface Exit {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface Running {
  readonly pid: number;
  kill(signal: NodeJS.Signals): void;
  readonly exit: Promise<Exit>;
}

export interface CrashWorld extends AsyncDisposable {
  readonly places: Places;
  readonly server: MessagesServer;
  /** Waiting time of the model before each answer. */
  delayMs: number;
  readonly env: Readonly<Record<string, string>>;
  /** Runs the owner to its end, or to the point where it kills itself. */
  run(point: CrashPoint | null): Promise<Exit>;
  /** Starts an owner; `steward` false: it leaves every question to others. */
  start(steward: boolean): Running;
  /** A shell script in a mount namespace of its own, with the tools of this machine. */
  script(text: string, env: Readonly<Record<string, string>>): Promise<Exit>;
  /** The real program of the terminal. */
  cli(...args: string[]): Running;
  /** Becomes the owner, or a client, in this process. */
  readonly options: OwnerOptions;
  state(): Promise<State>;
  git(...args: string[]): string;
}

/** git and ls, and no sandbox: so the run is the same on every machine. */
function makeBin(folder: string): string {
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  for (const name of ['git', 'ls', 'true']) {
    const found = (process.env['PATH'] ?? '')
      .split(delimiter)
      .map((dir) => join(dir, name))
      .find(existsSync);
    if (found !== undefined) symlinkSync(realpathSync(found), join(bin, name));
  }
  return bin;
}

export async function crashWorld(programs: CrashPrograms, delayMs = 0): Promise<CrashWorld> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'autonomous-crash-')));
  const projectDir = join(folder, 'repo');
  const places: Places = {
    projectDir,
    stateDir: join(projectDir, '.autonomous'),
    jobsDir: join(folder, 'jobs'),
    configDir: join(folder, 'config'),
    runtimeDir: join(folder, 'run'),
  };
  mkdirSync(projectDir);
  const git = (...args: string[]): string => plainGit(projectDir, args);
  git('init', '--quiet', '--initial-branch=main');
  writeFiles(projectDir, { 'README.md': 'Files\n', '.gitignore': '*.log\n' });
  git('add', '--all');
  git('commit', '--quiet', '--message', 'Begin');
  writeFileSync(join(projectDir, 'mine.log'), 'of the user\n');
  const server = await startMessagesServer({
    scenario: crashScenario,
    faults: () => (world.delayMs === 0 ? null : { kind: 'delay', ms: world.delayMs }),
  });
  const env = {
    PATH: makeBin(folder),
    HOME: join(folder, 'home'),
    TMPDIR: folder,
    PLACES: JSON.stringify(places),
    ANTHROPIC_API_KEY: server.apiKey,
    ANTHROPIC_BASE_URL: server.url,
  };
  mkdirSync(env.HOME);
  const world: CrashWorld = {
    places,
    server,
    delayMs,
    env,
    run: (point) => start([join(programs.folder, 'crashOwner.js')], { ...env, ...crashEnv(point) }).exit,
    start: (steward) => start([join(programs.folder, 'crashOwner.js')], { ...env, STEWARD: String(steward) }),
    script: (text, more) =>
      spawned('unshare', ['-m', 'sh', '-c', text], { ...more, PATH: process.env['PATH'] ?? '' }).exit,
    cli: (...args) =>
      start([join(programs.folder, 'cli.js'), '--project-dir', projectDir, ...args], {
        ...env,
        AUTONOMOUS_CONFIG_DIR: places.configDir,
        AUTONOMOUS_RUNTIME_DIR: places.runtimeDir,
        AUTONOMOUS_JOBS_DIR: places.jobsDir,
      }),
    options: {
      places,
      clock: systemClock(),
      version: 'test',
      credentials: { key: () => server.apiKey, baseUrl: server.url },
      workerScript: pathToFileURL(join(programs.folder, 'crashWorker.js')),
      wasmFile: join(programs.folder, 'sql-wasm.wasm'),
      work: true,
      delayMs: 0,
      env,
    },
    state: async () => {
      const wasmFile = join(programs.folder, 'sql-wasm.wasm');
      const store = await lookAtState({ places, clock: systemClock(), wasmFile });
      await store.close();
      return store.state;
    },
    git,
    [Symbol.asyncDispose]: async () => {
      await server.close();
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    },
  };
  return world;
}

function start(args: readonly string[], env: Readonly<Record<string, string>>): Running {
  return spawned(process.execPath, [...NODE_FLAGS, ...args], env);
}

/** It is ended after a while, so that no test hangs. */
function spawned(file: string, args: readonly string[], env: Readonly<Record<string, string>>): Running {
  const child = spawn(file, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  return { pid: child.pid ?? 0, kill: (signal) => child.kill(signal), exit: exitOf(child) };
}

async function exitOf(child: ChildProcessByStdio<null, Readable, Readable>): Promise<Exit> {
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const late = setTimeout(() => {
    stderr += '(ended by the test: it took too long)';
    child.kill('SIGKILL');
  }, CHILD_LIMIT_MS);
  const [code, signal] = await new Promise<[number | null, string | null]>((resolve, reject) =>
    child.on('error', reject).on('close', (...exit) => resolve(exit)),
  );
  clearTimeout(late);
  return { code, signal, stdout, stderr };
}

/** Waits for what must come soon. */
export async function soon<T>(what: string, look: () => T | undefined | false | null, ms = 60_000): Promise<T> {
  for (const end = performance.now() + ms; performance.now() < end; ) {
    const found = look();
    if (found !== undefined && found !== false && found !== null) return found;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`${what} did not come within ${ms} ms`);
}
