/** Checks out one commit in a separate folder, by the neutral git: no file of the worker's tree gets into it. */
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { GitPort, JobTree } from '../../../engine/job/gitPorts.ts';
import { failure } from '../../../shared/errors.ts';
import { rm } from '../../platform/heldFiles.ts';
import { objectId, splitZ } from '../names.ts';
import { gitFailure, type RunGit } from '../runGit.ts';
import type { UserSide } from '../user/sides.ts';
import { writeAgentGit } from './agent/agentGit.ts';
import { agentRepository } from './agent/agentRepository.ts';
import { originOf } from './change/change.ts';
import { ownFile, requireCommits, runUnlocked, type WorkTreeLocation } from './jobTree.ts';

const GONE = { recursive: true, force: true, maxRetries: 3 } as const;

/** A separate index: the one of the job's git directory belongs to the clone. */
const placeAt = (tree: JobTree, folder: string): WorkTreeLocation => ({
  cwd: folder,
  gitDir: tree.gitDir,
  workTree: folder,
  indexFile: ownFile(tree, 'fresh-index'),
});

/** See GitPort.freshCheckout. */
export async function freshCheckout(
  user: UserSide,
  tree: JobTree,
  { folder, commit, keepIgnored, baseline, baseBranch, snapshot, signal }: Parameters<GitPort['freshCheckout']>[1],
): Promise<void> {
  const { git } = user;
  await requireCommits(tree);
  const place = placeAt(tree, folder);
  const origin = await originOf(git, tree, baseline, snapshot);
  const repository = await agentRepository(user, tree, origin, signal);
  if (!keepIgnored) {
    await rm(folder, GONE);
    await rm(ownFile(tree, 'fresh-index'), { force: true });
  }
  for (const each of [folder, dirname(ownFile(tree, 'fresh-index'))])
    await mkdir(each, { recursive: true, mode: 0o700 });
  await rm(join(folder, '.git'), GONE);
  for (const args of [
    ['read-tree', '--reset', '-u', objectId(commit)],
    ['clean', '-ffdq'],
  ]) {
    const answer = await runUnlocked(git, place, args, { signal });
    if (answer.code !== 0) throw gitFailure(args, answer);
  }
  await writeAgentGit({ ...tree, workTree: folder }, repository, ownFile(tree, 'fresh-index'), {
    head: commit,
    origin,
    baseBranch,
  });
}

/** See GitPort.freshlyMade. */
export async function freshlyMade(git: RunGit, tree: JobTree, folder: string): Promise<readonly string[]> {
  await requireCommits(tree);
  const list = ['ls-files', '-z', '--others', '--ignored', '--exclude-standard', '--directory'];
  const answer = await git.run(placeAt(tree, folder), list);
  if (answer.code !== 0) throw failure('GIT_FAILED', 'the ignored files of a fresh checkout could not be listed');
  return splitZ(answer.stdout);
}
