/** A user's repository, a model's server and an owner process that can be killed and started again: all of one test. */
import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { copyAssets, nodeBundle } from '../../esbuild.mjs';
import { systemClock } from '../../src/adapters/clock.ts';
import type { Places } from '../../src/compose/places.ts';
import { lookAtState } from '../../src/compose/storage.ts';
import type { Event } from '../../src/shared/events.ts';
import type { State } from '../../src/shared/state.ts';
import { type CrashPoint, crashEnv } from './crashPoint.ts';
import { crashScenario } from './crashScenario.ts';
import { plainGit, writeFiles } from './gitFixture.ts';
import { type MessagesServer, startMessagesServer } from './messagesServer.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const CHILD_LIMIT_MS = 45_000;

export interface CrashPrograms {
  readonly folder: string;
  remove(): void;
}

/** Bundles programs of this folder, by their names without ending. */
export async function buildPrograms(...names: readonly string[]): Promise<CrashPrograms> {
  // Inside node_modules, so that packages resolve as they do for src/ and no tool looks at it.
  const cache = join(ROOT, 'node_modules', '.cache');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'crash-'));
  await copyAssets(folder);
  await build(
    nodeBundle(
      names.map((name) => join(ROOT, 'test', 'support', `${name}.ts`)),
      folder,
    ),
  );
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

export interface Exit {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stderr: string;
}

export interface CrashWorld extends AsyncDisposable {
  readonly places: Places;
  readonly server: MessagesServer;
  readonly env: Readonly<Record<string, string>>;
  /** Runs the owner to its end, or to the point where it kills itself. */
  run(point: CrashPoint | null): Promise<Exit>;
  state(): Promise<State>;
  /** Everything in the segments, in the order of the files. */
  events(): Event[];
  /** Ids of the replies in the sessions' journals. */
  journaledReplies(): Set<string>;
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

export async function crashWorld(programs: CrashPrograms): Promise<CrashWorld> {
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
  const server = await startMessagesServer({ scenario: crashScenario });
  const env = {
    PATH: makeBin(folder),
    HOME: join(folder, 'home'),
    TMPDIR: folder,
    PLACES: JSON.stringify(places),
    ANTHROPIC_API_KEY: server.apiKey,
    ANTHROPIC_BASE_URL: server.url,
  };
  mkdirSync(env.HOME);
  return {
    places,
    server,
    env,
    run: (point) => runProgram(join(programs.folder, 'crashOwner.js'), { ...env, ...crashEnv(point) }),
    state: async () => {
      const wasmFile = join(programs.folder, 'sql-wasm.wasm');
      const store = await lookAtState({ places, clock: systemClock(), wasmFile });
      await store.close();
      return store.state;
    },
    events: () => linesBelow(join(places.stateDir, 'events')).filter((line): line is Event => 'type' in line),
    journaledReplies: () => repliesIn(linesBelow(join(places.stateDir, 'sessions'))),
    git,
    [Symbol.asyncDispose]: async () => {
      await server.close();
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

/** Ends it after a while, so that no test hangs. */
export async function runProgram(file: string, env: Readonly<Record<string, string>>): Promise<Exit> {
  const child = spawn(process.execPath, [file], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  let stderr = '';
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
  return { code, signal, stderr };
}

/** Whole lines only: the last one of a killed process may be torn. */
function linesBelow(folder: string): object[] {
  if (!existsSync(folder)) return [];
  const byNumbers = (a: string, b: string): number => a.localeCompare(b, 'en', { numeric: true });
  return readdirSync(folder)
    .toSorted(byNumbers)
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n'))
    .flatMap((line) => {
      try {
        return [JSON.parse(line) as object];
      } catch {
        return []; // torn, or the empty end
      }
    });
}

function repliesIn(lines: readonly object[]): Set<string> {
  const entries = lines.map((line) =>
    'entry' in line ? (line.entry as { kind: string; message?: { id?: string } }) : null,
  );
  return new Set(entries.flatMap((entry) => (entry?.kind === 'reply' ? [entry.message?.id ?? ''] : [])));
}
