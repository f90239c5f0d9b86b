/**
 * Remembers which tree the index of a clone contains, so that one listing of git finds everything that differs from a
 * checkpoint.
 */
import { lstat } from 'node:fs/promises';
import type { JobTree } from '../../../../engine/job/gitPorts.ts';
import { splitZ } from '../../names.ts';
import type { RunGit } from '../../runGit.ts';
import { ownFile, requireClone } from '../jobTree.ts';
import { PATIENCE_MS } from './stage.ts';

const LIST = ['ls-files', '-z', '-t', '--others', '--modified', '--deleted', '--exclude-standard'];

interface Known {
  /** The tree in the index, except at the paths `behind`. */
  readonly tree: string;
  readonly behind: ReadonlySet<string>;
  /** Identity of the index file: another writer replaces it. */
  readonly file: string;
}

export interface Differing {
  readonly paths: readonly string[];
  /** Those of them that are new to the index and not ignored. */
  readonly added: ReadonlySet<string>;
}

export class IndexStates {
  readonly #git: RunGit;
  readonly #known = new Map<string, Known>();

  constructor(git: RunGit) {
    this.#git = git;
  }

  /** Records that the index contains exactly this tree. Null if its content is unknown. */
  async synced(job: JobTree, tree: string | null): Promise<void> {
    const file = tree === null ? null : await fileOf(job);
    if (tree === null || file === null) this.#known.delete(job.workTree);
    else this.#known.set(job.workTree, { tree, behind: new Set(), file });
  }

  /** A checkpoint was created beside the index: from the tree `before` to `tree`, by these paths. */
  moved(job: JobTree, before: string, tree: string, paths: readonly string[]): void {
    const known = this.#known.get(job.workTree);
    if (known?.tree !== before) this.#known.delete(job.workTree);
    else this.#known.set(job.workTree, { ...known, tree, behind: new Set([...known.behind, ...paths]) });
  }

  /** All paths at which the clone may differ from the tree. Null if a listing cannot determine them. */
  async differing(job: JobTree, tree: string): Promise<Differing | null> {
    const known = this.#known.get(job.workTree);
    if (known?.tree !== tree || known.file !== (await fileOf(job))) return null;
    const answer = await this.#git.run(await requireClone(job), LIST, { patienceMs: PATIENCE_MS });
    if (answer.code !== 0 || answer.stderr !== '') return null;
    const lines = splitZ(answer.stdout);
    const added = lines.filter((line) => line.startsWith('? ')).map((line) => line.slice(2));
    return {
      paths: [...new Set([...lines.map((line) => line.slice(2)), ...known.behind])],
      added: new Set(added),
    };
  }
}

async function fileOf(tree: JobTree): Promise<string | null> {
  const stat = await lstat(ownFile(tree, 'index'), { bigint: true }).catch(() => null);
  return stat === null ? null : `${stat.ino} ${stat.size} ${stat.mtimeNs}`;
}
