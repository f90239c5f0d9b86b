/** A tree with every kind of link and odd file in it, beside what nobody who is kept in the tree may touch. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';

/** Stands in files that must not be shown. */
export const MARKS = {
  outside: 'SENTINEL-OUTSIDE',
  state: 'STATE-OF-OURS',
  git: 'GIT-ITS-OWN',
  env: 'KEY-OF-THE-USER',
} as const;

/** Also as a template, a project and a skill would be named. */
const SECRETS = ['secret.txt', 'secret.txt.txt', 'config', 'PROJECT.md', 'SKILL.md'];
const SPARSE_BYTES = 10 * 1024 ** 3;

export class LinkedTree {
  /** The real path. */
  readonly root: string;
  readonly tree: string;
  readonly outside: string;
  /** The tree by its path, by a link to it, and below a folder that is a link. */
  readonly names: readonly string[];
  #server: Server | null = null;

  /** `below`: a folder that is there, and has a short path: a socket's may have some 100 bytes. */
  constructor(below: string) {
    this.root = realpathSync(mkdtempSync(join(below, 'p-')));
    this.tree = join(this.root, 'real', 'tree');
    this.outside = join(this.root, 'real', 'outside');
    symlinkSync(this.tree, join(this.root, 'linked'));
    symlinkSync(join(this.root, 'real'), join(this.root, 'around'));
    this.names = [this.tree, join(this.root, 'linked'), join(this.root, 'around', 'tree')];
    mkdirSync(join(this.outside, 'deep'), { recursive: true });
    mkdirSync(join(this.outside, 'shut'), { mode: 0o500 });
    for (const path of [...SECRETS, ...SECRETS.map((name) => `deep/${name}`), 'shut/secret.txt']) {
      writeFileSync(join(this.outside, path), `${MARKS.outside}\n`);
    }
    // A hard link is the file itself: it may be read, and is not to be changed.
    writeFileSync(join(this.outside, 'shared.txt'), 'shared\n');
    execFileSync('/bin/sh', ['-c', 'mkfifo "$0"', join(this.root, 'pipe')]);
    this.grow();
  }

  /** The tree as it was at first. */
  grow(): void {
    rmSync(this.tree, { recursive: true, force: true });
    const at = (path: string): string => join(this.tree, path);
    for (const folder of ['dir/sub', 'sub', 'good', '.git/hooks', '.autonomous'])
      mkdirSync(at(folder), { recursive: true });
    const files = {
      ...{
        'file.txt': 'old\ntext\n',
        'dir/a.txt': 'old\n',
        'sub/a.txt': 'old\n',
        'AGENTS.md': 'old\n',
        'a.md': 'old\n',
      },
      'good/SKILL.md': '---\nname: good\ndescription: What it is for.\n---\n\nDo this.\n',
      ...{ '.git/config': `${MARKS.git}\n`, '.autonomous/events.jsonl': `${MARKS.state}\n`, '.env': `${MARKS.env}\n` },
    };
    for (const [path, text] of Object.entries(files)) writeFileSync(at(path), text);
    const links = {
      ...{
        'in-link': 'file.txt',
        'in-dir': 'dir',
        'out-link': '../outside/secret.txt',
        'out-dir': '../outside',
        'out-up': '..',
      },
      ...{
        dangling: '../outside/later.txt',
        'dangling-dir': '../outside/later',
        loop: 'loop',
        hop: 'in-dir/../out-link',
      },
      ...{
        device: '/dev/zero',
        'to-git': '.git',
        'to-state': '.autonomous',
        'sub/out-dir': this.outside,
        back: '../tree',
      },
      proc: '/proc/self/cwd',
    };
    for (const [path, target] of Object.entries(links)) symlinkSync(target, at(path));
    linkSync(join(this.outside, 'shared.txt'), at('hard'));
    // The one pipe, by another name: it needs no program to be made.
    linkSync(join(this.root, 'pipe'), at('fifo'));
    writeFileSync(at('sparse'), '');
    truncateSync(at('sparse'), SPARSE_BYTES);
  }

  /** Leaves a socket in the tree until the end. */
  async listen(): Promise<void> {
    this.#server?.close();
    rmSync(join(this.tree, 'socket'), { force: true });
    const server = createServer();
    this.#server = server;
    await new Promise<void>((resolve) => server.listen(join(this.tree, 'socket'), resolve));
  }

  /** All that lies around the tree, and what in it is not for whoever works there. */
  sentinel(): string {
    return this.#told([this.root, join(this.tree, '.git'), join(this.tree, '.autonomous')]);
  }

  /** Of what lies around the tree, when the tree itself is to go. */
  surroundings(): string {
    return this.#told([this.root]);
  }

  #told(places: readonly string[]): string {
    const told: string[] = [];
    const walk = (path: string): void => {
      const stat = lstatSync(path);
      const what = stat.isSymbolicLink() ? readlinkSync(path) : stat.isFile() ? digest(path) : '';
      told.push(`${path} ${stat.mode.toString(8)} ${stat.ino} ${what}`);
      if (!stat.isDirectory()) return;
      for (const name of readdirSync(path).sort()) if (join(path, name) !== this.tree) walk(join(path, name));
    };
    for (const place of places) walk(place);
    return told.join('\n');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await new Promise<void>((resolve) => (this.#server === null ? resolve() : this.#server.close(() => resolve())));
    rmSync(this.root, { recursive: true, force: true, maxRetries: 3 });
  }
}

const digest = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex');
