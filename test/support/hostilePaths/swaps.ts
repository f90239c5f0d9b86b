/** What becomes a link while somebody works with it, and who may be at work: the ground of the races. */
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { OpenTree } from '../../../src/engine/session/ports.ts';
import { type PathTaker, takersOfTree } from './takers.ts';

export const MARK = 'SENTINEL-OUTSIDE';

export interface Swap {
  readonly name: string;
  /** In the tree. */
  readonly entry: string;
  /** From the folder of the entry. */
  readonly target: string;
}

export const SWAPS: readonly Swap[] = [
  { name: 'the file', entry: 'dir/deep/a.txt', target: '../../../outside/deep/a.txt' },
  { name: 'its folder', entry: 'dir/deep', target: '../../outside/deep' },
  { name: 'the folder above', entry: 'dir', target: '../outside' },
  { name: "the folder above, for git's own", entry: 'dir', target: '.git' },
  { name: 'the file, for one that is not there', entry: 'dir/deep/a.txt', target: '../../../outside/later.txt' },
];

/** Paths that the workers are given; the second is not there yet. */
export const ASKED: readonly string[] = ['dir/deep/a.txt', 'dir/deep/made/below/b.txt'];

export class SwapGround {
  readonly root: string;
  readonly tree: string;

  constructor(below: string) {
    this.root = realpathSync(mkdtempSync(join(below, 's-')));
    this.tree = join(this.root, 'tree');
    this.grow();
  }

  grow(): void {
    for (const name of readdirSync(this.root))
      rmSync(join(this.root, name), { recursive: true, force: true, maxRetries: 3 });
    for (const [folder, text] of [
      ['tree/dir/deep', 'old'],
      ['outside/deep', MARK],
      ['tree/.git/deep', 'may be read'],
    ] as const) {
      mkdirSync(join(this.root, folder), { recursive: true });
      writeFileSync(join(this.root, folder, 'a.txt'), text);
    }
  }

  swap({ entry, target }: Swap): void {
    renameSync(join(this.tree, entry), join(this.root, 'aside'));
    symlinkSync(target, join(this.tree, entry));
  }

  /** Unless it was replaced meanwhile. */
  swapBack({ entry }: Swap): void {
    rmSync(join(this.tree, entry), { recursive: true, force: true });
    renameSync(join(this.root, 'aside'), join(this.tree, entry));
  }

  /** What nobody may have changed. */
  sentinel(): string {
    const told: string[] = [];
    for (const folder of ['outside', 'tree/.git']) {
      for (const path of readdirSync(join(this.root, folder), { recursive: true, encoding: 'utf8' }).sort()) {
        const at = join(this.root, folder, path);
        told.push(`${folder}/${path} ${path.endsWith('.txt') ? readFileSync(at, 'utf8') : ''}`);
      }
    }
    return told.join('\n');
  }

  /** Who is at work in the tree. */
  workers(open: OpenTree): readonly PathTaker[] {
    // A permission opens nothing: where a path led when it was asked about says nothing of later.
    return takersOfTree(this.tree, open).filter(({ name }) => name !== 'ACP permission');
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}
