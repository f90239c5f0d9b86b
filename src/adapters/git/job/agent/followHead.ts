/**
 * Moves the agent's `.git` to the accepted commits. It is replaced by a new one, because the agent may have changed the
 * old one: its settings, hooks, locks and links have no effect.
 */
import { chmod, copyFile, lstat, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { GitPort, JobTree } from '../../../../engine/job/gitPorts.ts';
import { diskFailure } from '../../../../engine/state/filePorts.ts';
import { errnoOf } from '../../../../shared/errors.ts';
import { rename, rm } from '../../../platform/heldFiles.ts';
import { objectId } from '../../names.ts';
import type { RunGit } from '../../runGit.ts';
import type { UserSide } from '../../user/sides.ts';
import { originOf } from '../change/change.ts';
import { openUp } from '../change/stage.ts';
import { hasClone, ownFile, requireCommits } from '../jobTree.ts';
import { markedHead, markHead, writeAgentGit } from './agentGit.ts';
import { carryOver, keptOf } from './agentKept.ts';
import { agentRepository } from './agentRepository.ts';

const GONE = { recursive: true, force: true, maxRetries: 3 } as const;

/** See GitPort.followHead. */
export async function followHead(
  user: UserSide,
  tree: JobTree,
  { head, baseline, baseBranch, snapshot, anew, signal }: Parameters<GitPort['followHead']>[1],
): Promise<void> {
  const { git } = user;
  objectId(head);
  const isWhole = !anew && (await markedHead(tree)) === head;
  if (isWhole || !(await hasClone(tree))) return;
  const origin = await originOf(git, tree, baseline, snapshot);
  const repository = await agentRepository(user, tree, origin, signal);
  const index = await indexAt(git, tree, head);
  try {
    await markHead(tree, null);
    const old = await setAside(tree);
    const kept = await keptOf(old);
    const made = ownFile(tree, 'agent-next');
    await rm(made, GONE);
    await mkdir(made);
    await writeAgentGit({ ...tree, workTree: made }, repository, index, {
      head,
      origin,
      baseBranch,
      own: kept.refs,
    });
    await carryOver(kept, old, join(made, '.git'));
    await rename(join(made, '.git'), join(tree.workTree, '.git'));
    await markHead(tree, head);
    for (const folder of [old, made, index]) await rm(folder, GONE);
  } catch (thrown) {
    throw diskFailure(thrown, tree.workTree);
  }
}

/**
 * An index of the commit. It keeps the file data of the previous index, so that the agent's git does not read the files
 * again.
 */
async function indexAt(git: RunGit, tree: JobTree, head: string): Promise<string> {
  const indexFile = ownFile(tree, 'agent-index');
  const place = { ...(await requireCommits(tree)), indexFile };
  const read = ['read-tree', '--reset', head];
  for (const file of [indexFile, `${indexFile}.lock`]) await rm(file, { force: true });
  await copyFile(ownFile(tree, 'index'), indexFile).catch((thrown: unknown) => {
    if (errnoOf(thrown) !== 'ENOENT') throw diskFailure(thrown, indexFile);
  });
  const answer = await git.run(place, read);
  if (answer.code === 0) return indexFile;
  // A killed command may have left half an index.
  await rm(indexFile, { force: true });
  await git.ok(place, read);
  return indexFile;
}

/**
 * Moves `.git` out of the agent's reach, and returns its new path. If an earlier process was killed in between, the
 * `.git` of that time is already at that path.
 */
async function setAside(tree: JobTree): Promise<string> {
  const [from, aside] = [join(tree.workTree, '.git'), ownFile(tree, 'agent-old')];
  const { mode } = await lstat(tree.workTree);
  if ((mode & 0o700) !== 0o700) await chmod(tree.workTree, (mode & 0o7777) | 0o700);
  const found = await lstat(from).catch(() => null);
  if (found === null) return aside;
  await rm(aside, GONE);
  await rename(from, aside);
  if (found.isDirectory()) await openUp(aside);
  return aside;
}
