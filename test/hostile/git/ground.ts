/** A user's repository, a job's clone beside it, and programs that leave a file behind when any git runs them. */
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type GitFixture, gitFixture, plainGit } from '../../support/git/gitFixture.ts';

export class GitGround {
  readonly fixture: GitFixture = gitFixture();
  readonly home = join(this.fixture.folder, 'home');
  readonly elsewhere = join(this.fixture.folder, 'elsewhere');
  /** Beside the PATH and HOME: what the user's environment is. */
  readonly environment: Record<string, string | undefined> = { ...process.env, HOME: this.home };
  readonly #nest = join(this.fixture.folder, 'canaries');
  readonly #scripts = join(this.fixture.folder, 'scripts');

  constructor() {
    for (const folder of [this.#nest, this.#scripts, this.home, this.elsewhere]) mkdirSync(folder);
  }

  get repo(): string {
    return this.fixture.repo;
  }

  /** `.git` of the user. */
  get userGit(): string {
    return join(this.repo, '.git');
  }

  get workTree(): string {
    return this.fixture.tree.workTree;
  }

  /** Names of what ran. */
  fired(): string[] {
    return readdirSync(this.#nest).sort();
  }

  /** A program that leaves `name` behind and passes its input on. */
  program(name: string, at = join(this.#scripts, name.replaceAll(/[^\w.]+/g, '-'))): string {
    this.put(at, `#!/bin/sh\n: > '${join(this.#nest, name)}'\ncat 2>/dev/null\nexit 0\n`);
    chmodSync(at, 0o755);
    return at;
  }

  put(path: string, text: string): void {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }

  append(path: string, text: string): void {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text, { flag: 'a' });
  }

  /** A repository in a folder, with one file and a commit of it or none. */
  repository(folder: string, { committed = true, bare = false } = {}): void {
    if (existsSync(join(folder, '.git'))) return;
    mkdirSync(folder, { recursive: true });
    plainGit(folder, ['init', '-q', ...(bare ? ['--bare'] : []), '.']);
    if (bare) return;
    writeFileSync(join(folder, 'inside.txt'), 'inside\n');
    if (!committed) return;
    plainGit(folder, ['add', 'inside.txt']);
    plainGit(folder, ['commit', '-q', '-m', 'inside']);
  }

  /** What of the user's repository must be there, byte for byte, whatever we do; and no lock of ours. */
  kept(): Record<string, string> {
    const kept: Record<string, string> = {};
    const walk = (folder: string, name: string): void => {
      for (const entry of readdirSync(folder, { withFileTypes: true })) {
        const path = name === '' ? entry.name : `${name}/${entry.name}`;
        if (entry.isDirectory()) walk(join(folder, entry.name), path);
        else if (path.endsWith('.lock')) kept[path] = 'a lock';
        else if (entry.isFile() && !OURS_TO_CHANGE.test(path))
          kept[path] = readFileSync(join(folder, entry.name), 'base64');
      }
    };
    walk(this.userGit, '');
    for (const file of WRITTEN_ELSEWHERE) if (existsSync(join(this.elsewhere, file))) kept[file] = 'written';
    return kept;
  }

  remove(): void {
    this.fixture.remove();
  }
}

/** By a git that listens to what its environment or a configuration says. */
const WRITTEN_ELSEWHERE = ['trace', 'trace2', 'trace2-env', 'stderr', 'index', 'objects'];

/** By an approved merge: the branch, what it brought, and the index of the checkout. */
const OURS_TO_CHANGE = /^(?:refs\/heads\/(?:main|autonomous\/.*|again)|logs\/.*|index|objects\/info\/alternates)$/;
