/** The shipped program as a process of its own, and what it stands on: a repository with a person's work in it, and few programs. */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, realpathSync, symlinkSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { WorkspacePaths } from '../../../src/engine/state/workspacePaths.ts';
import { plainGit, writeFiles } from '../git/gitFixture.ts';
import type { MessagesServer } from '../provider/messagesServer.ts';

/** What a person has in the work tree. `dirty` also changes and stages: the result goes to a branch then. */
export type Tree = 'clean' | 'dirty';

interface Exit {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface KillProcess {
  /** False: it ended before it said anything. */
  readonly up: Promise<boolean>;
  readonly exit: Promise<Exit>;
  /** undefined: it could not be started. */
  readonly pid: number | undefined;
  kill(signal: NodeJS.Signals): void;
}

/** For a process that lives for a second: optimizing the database's WebAssembly in the background costs more than it saves. */
const SHORT_LIVED = ['--liftoff-only'];

export function killProcess(
  words: readonly string[],
  env: Readonly<Record<string, string>>,
  flags: readonly string[] = SHORT_LIVED,
): KillProcess {
  const child = spawn(process.execPath, [...flags, ...words], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const end = (): void => void child.kill('SIGKILL');
  // A test that ran out of time leaves none behind.
  process.once('exit', end);
  let [stdout, stderr] = ['', ''];
  const up = Promise.withResolvers<boolean>();
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    if (stdout.includes('\n')) up.resolve(true);
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const exit = new Promise<Exit>((resolve, reject) =>
    child.on('error', reject).on('close', (code, signal) => {
      process.off('exit', end);
      up.resolve(false);
      resolve({ code, signal, stdout, stderr });
    }),
  );
  return { up: up.promise, exit, pid: child.pid, kill: (signal) => void child.kill(signal) };
}

export function makeRepository(repo: string, tree: Tree): void {
  mkdirSync(repo);
  const git = (...args: string[]): string => plainGit(repo, args);
  git('init', '--quiet', '--initial-branch=main');
  writeFiles(repo, { 'README.md': 'Files\n', 'edited.txt': 'one\n', 'staged.txt': 'one\n', '.gitignore': '*.log\n' });
  git('add', '--all');
  git('commit', '--quiet', '--message', 'Begin');
  writeFiles(repo, { 'mine.log': 'ignored\n' });
  if (tree === 'clean') return;
  writeFiles(repo, { 'edited.txt': 'two\n', 'staged.txt': 'two\n', 'untracked.txt': 'mine\n' });
  git('add', 'staged.txt');
  writeFiles(repo, { 'staged.txt': 'three\n' });
}

/** A folder's own home, places and few programs, and a server of ours for the provider. */
export function ownerEnv(folder: string, places: WorkspacePaths, server: MessagesServer): Record<string, string> {
  return {
    PATH: binOf(folder),
    HOME: join(folder, 'home'),
    AUTONOMOUS_CONFIG_DIR: places.configDir,
    AUTONOMOUS_RUNTIME_DIR: places.runtimeDir,
    AUTONOMOUS_JOBS_DIR: join(folder, 'jobs'),
    ANTHROPIC_API_KEY: server.apiKey,
    ANTHROPIC_BASE_URL: server.url,
  };
}

/** git and ls, and no sandbox: so the run is the same on every machine. */
function binOf(folder: string): string {
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  for (const name of ['git', 'ls', 'sleep', 'true']) {
    const found = (process.env['PATH'] ?? '')
      .split(delimiter)
      .map((dir) => join(dir, name))
      .find(existsSync);
    if (found !== undefined) symlinkSync(realpathSync(found), join(bin, name));
  }
  return bin;
}
