/** Writes the trees of an eval's tasks: a repository for the agent, and checkouts in which the hidden tests run. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { gradedChanges, gradedManifest, type TreeEntry } from '../../../core/eval/gradedTree.ts';
import type { EvalTask, GradedCode, TaskTrees } from '../../../engine/eval/ports.ts';
import { type ObjectFormat, writeGitDirectory } from '../gitDirectory.ts';
import type { RunGit } from '../runGit.ts';
import { type ScratchTrees, withScratchTrees } from './scratchTrees.ts';

/** The trees of one task: ids of commits or trees. */
export interface TaskPair {
  readonly before: string;
  /** With the hidden tests, and with the solution if there is one. */
  readonly own: string;
  /** Paths of the hidden tests. Null for those that the names of tests show. */
  readonly tests: ReadonlySet<string> | null;
}

export interface TaskTreeOptions {
  readonly git: RunGit;
  /** Folder for scratch git directories. Agents cannot read it. */
  readonly root: string;
  readonly objectFormat: ObjectFormat;
  /** Object folder that contains the trees of all tasks. */
  readonly objects: string;
}

/** The only commit that an agent sees. It states nothing about the task. */
const FIRST_MESSAGE = 'Start';

export function writesTaskTrees(
  options: TaskTreeOptions,
  pairs: ReadonlyMap<string, TaskPair>,
): Pick<TaskTrees, 'startRepository' | 'writeGraded'> {
  const { git, objectFormat } = options;
  const pairOf = ({ id }: EvalTask): TaskPair => {
    const pair = pairs.get(id);
    if (pair === undefined) throw new Error(`no such task: ${id}`);
    return pair;
  };
  return {
    startRepository: async (task, folder) => {
      await mkdir(folder, { recursive: true });
      await withScratchTrees({ ...options, objects: [options.objects] }, async (trees) => {
        await trees.begin(pairOf(task).before);
        await trees.checkOut(folder);
      });
      const gitDir = join(folder, '.git');
      const place = { cwd: folder, gitDir, workTree: folder };
      await writeGitDirectory(gitDir, { objectFormat, head: 'ref: refs/heads/main' });
      await git.ok(place, ['add', '--all', '--force', '.']);
      await git.ok(place, ['commit', '--quiet', '--allow-empty', '--no-verify', '-m', FIRST_MESSAGE]);
    },
    writeGraded: async (task, code, folder) => {
      const pair = pairOf(task);
      const result = typeof code === 'string' ? null : await tipIn(git, code);
      const objects = [options.objects, ...(result === null ? [] : [result.objects])];
      await withScratchTrees({ ...options, objects }, async (trees) => {
        await composeGraded(trees, result?.commit ?? (code === 'before' ? pair.before : pair.own), pair);
        await trees.checkOut(folder);
      });
    },
  };
}

async function tipIn(
  git: RunGit,
  { repository }: Exclude<GradedCode, string>,
): Promise<{ commit: string; objects: string }> {
  const gitDir = join(repository, '.git');
  const place = { cwd: repository, gitDir, workTree: repository };
  const commit = (
    await git.ok(place, ['rev-parse', '--verify', '--end-of-options', 'refs/heads/main^{commit}'])
  ).trim();
  return { commit, objects: join(gitDir, 'objects') };
}

async function composeGraded(trees: ScratchTrees, code: string, { own, tests }: TaskPair): Promise<void> {
  const [result, hidden] = [await trees.entries(code), await trees.entries(own)];
  const { remove, put, manifests } = gradedChanges(result, hidden, tests);
  await trees.begin(code);
  await trees.remove(remove);
  await trees.put(put);
  const idOf = (entries: readonly TreeEntry[], path: string): TreeEntry | undefined =>
    entries.find((entry) => entry.path === path);
  for (const path of manifests) {
    const [mine, theirs] = [idOf(result, path), idOf(hidden, path)];
    if (mine === undefined || theirs === undefined || mine.id === theirs.id) continue;
    const text = gradedManifest(await trees.text(mine.id), await trees.text(theirs.id));
    if (text !== null) await trees.put([{ mode: theirs.mode, path, id: await trees.store(text) }]);
  }
}

/** The text of the package.json at the top of a tree. Null if the tree has no such plain file. `ask` runs git in a repository that holds the tree. */
export async function manifestOf(
  ask: (args: readonly string[]) => Promise<string>,
  tree: string,
): Promise<string | null> {
  const listed = await ask(['ls-tree', '-z', '--end-of-options', tree, 'package.json']);
  const id = /^100\d+ blob ([0-9a-f]+)\t/.exec(listed)?.[1];
  return id === undefined ? null : ask(['cat-file', 'blob', id]);
}
