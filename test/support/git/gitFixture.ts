/** Real repositories in a temp folder, and a job's places beside them. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createGit, type GitAdapter, type GitOptions } from '../../../src/adapters/git/gitPort.ts';
import type { JobTree, MergeRequest } from '../../../src/engine/job/gitPorts.ts';
import type { Clock } from '../../../src/shared/clock.ts';
import { copyRepository } from './repoTemplate.ts';

const IDENTITY = {
  GIT_AUTHOR_NAME: 'User',
  GIT_AUTHOR_EMAIL: 'user@example.org',
  GIT_COMMITTER_NAME: 'User',
  GIT_COMMITTER_EMAIL: 'user@example.org',
};

/** Stands still, so that commits of a test have the same ids in every run. */
export const FIXED_CLOCK: Clock = {
  now: () => Date.UTC(2026, 0, 2, 3, 4, 5),
  monotonic: () => 0,
  sleep: () => Promise.resolve(),
  timer: () => () => undefined,
};

export interface GitFixture {
  readonly folder: string;
  /** The user's repository. */
  readonly repo: string;
  readonly tree: JobTree;
  readonly git: GitAdapter;
  /** git as the user would call it; stdout. */
  user(...args: string[]): string;
  /** Writes files under a folder; null removes. */
  write(folder: string, files: Readonly<Record<string, string | Uint8Array | null>>): void;
  commitAll(message: string): string;
  /** Makes the job's clone; the baseline. */
  cloned(snapshot?: boolean): Promise<string>;
  /** One feature: these files in the clone, committed on this parent. */
  feature(
    parent: string,
    files: Readonly<Record<string, string | Uint8Array | null>>,
    message?: string,
  ): Promise<string>;
  request(commit: string, change?: Partial<MergeRequest>): MergeRequest;
  /** Another adapter over the same places. */
  adapter(options?: Partial<GitOptions>): GitAdapter;
  remove(): void;
}

/** Runs git in a folder without any of our protections. */
export function plainGit(cwd: string, args: readonly string[]): string {
  return execFileSync('git', args, {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, ...IDENTITY },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

export function writeFiles(folder: string, files: Readonly<Record<string, string | Uint8Array | null>>): void {
  for (const [path, content] of Object.entries(files)) {
    const at = join(folder, path);
    if (content === null) rmSync(at, { recursive: true, force: true });
    else {
      mkdirSync(dirname(at), { recursive: true });
      writeFileSync(at, content);
    }
  }
}

/** A repository with these files in its only commit, on `main`, in an empty folder; the commit. */
export function startRepository(repo: string, files: Readonly<Record<string, string>>): string {
  const commit = copyRepository(repo, JSON.stringify(files), (folder) => {
    plainGit(folder, ['init', '-q', '-b', 'main', '--template=']);
    writeFiles(folder, files);
    plainGit(folder, ['add', '-A']);
    plainGit(folder, ['commit', '-q', '--allow-empty', '-m', 'Start']);
  });
  // The copies are other files to the index.
  plainGit(repo, ['update-index', '-q', '--refresh']);
  return commit;
}

/** A repository with one commit on `main`, and the places of job `j1`. A copy of it with another `git` or `tree` works with these. */
export function gitFixture(
  files: Readonly<Record<string, string>> = { 'a.txt': 'one\n', 'dir/b.txt': 'two\n' },
): GitFixture {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'autonomous-test-')));
  const repo = join(folder, 'repo');
  mkdirSync(repo);
  const user = (...args: string[]) => plainGit(repo, args);
  startRepository(repo, files);
  const commitAll = (message: string) => {
    user('add', '-A');
    user('commit', '-q', '--allow-empty', '-m', message);
    return user('rev-parse', 'HEAD').trim();
  };
  const tree: JobTree = {
    projectDir: repo,
    workTree: join(folder, 'job', 'work', 'w1'),
    gitDir: join(folder, 'job', 'git'),
    branch: 'autonomous/j1',
  };
  const adapter = (options: Partial<GitOptions> = {}) =>
    createGit({ clock: FIXED_CLOCK, env: process.env, ...options });
  return {
    folder,
    repo,
    tree,
    user,
    commitAll,
    adapter,
    git: adapter(),
    write: writeFiles,
    async cloned(snapshot = false) {
      const { baseline } = await this.git.makeClone(this.tree, { snapshot, signal: NEVER });
      return baseline;
    },
    async feature(parent, changes, message = 'Feature') {
      writeFiles(this.tree.workTree, changes);
      const commit = await this.git.commit(this.tree, { parent, message });
      if (commit === null) throw new Error('nothing to commit');
      return commit;
    },
    request: (commit, change = {}) => ({
      tree,
      mode: 'merge',
      commit,
      baseBranch: 'main',
      patchFile: join(folder, 'job', 'result.patch'),
      message: 'Merge job j1',
      patchNote: '',
      ...change,
    }),
    remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }),
  };
}

export const NEVER = new AbortController().signal;

/** Integrates the commit up to the state that a kill after the move of the ref leaves: its journal and its lock are there. */
export async function dieAfterSwap(f: GitFixture, head: string, meanwhile: () => void): Promise<void> {
  const journal = join(f.tree.gitDir, 'move.json');
  const lock = join(f.repo, '.git', 'index.lock');
  let kept: [string, string] = ['', ''];
  const dying = f.adapter({
    points: {
      afterSwap: () => {
        kept = [readFileSync(journal, 'utf8'), readFileSync(lock, 'utf8')];
        return Promise.reject(new Error('killed'));
      },
    },
  });
  await assert.rejects(dying.integrate(f.request(head)), /killed/);
  writeFileSync(journal, kept[0]);
  writeFileSync(lock, kept[1]);
  meanwhile();
}

/** Creates the folder with one empty commit on `main`. */
export function emptyRepository(folder: string): string {
  mkdirSync(folder);
  plainGit(folder, ['init', '-q', '-b', 'main']);
  plainGit(folder, ['commit', '-q', '--allow-empty', '-m', 'Start']);
  return folder;
}
