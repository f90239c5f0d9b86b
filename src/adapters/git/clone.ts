/**
 * A job's clone: our private git directory, the work tree, and in it an ordinary `.git` for the agent. The agent's one
 * reads our objects and cannot write them; to us it is only a folder that is never committed.
 */
import { copyFile, mkdir, readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { GitPort, JobTree } from '../../engine/ports.ts';
import { failure } from '../../shared/errors.ts';
import { PLATFORM_CORE, writeGitDirectory } from './gitDirectory.ts';
import { placeOf } from './jobTree.ts';
import { branchRef, jobBranchRef } from './names.ts';
import { freeOnDisk } from './room.ts';
import { settleMove } from './settleMove.ts';
import { SHADOW_BASE, type Shadow, withShadow } from './shadow.ts';
import { stage } from './stage.ts';
import { withoutState } from './stateNames.ts';
import { tagsIn } from './tags.ts';
import { fetchBaseline, journalOf } from './transfer.ts';
import { commitTree } from './tree.ts';
import {
  checkedOutBranch,
  openUserRepository,
  tipOf,
  type UserRepository,
  type UserSide,
  unsupported,
} from './userRepository.ts';

/** Drivers and conversions that would need a program or hide a change from a reviewer are off; line ends stay as they are asked for. */
const PRIVATE_ATTRIBUTES = '* !filter !diff !merge !ident !working-tree-encoding\n';
/** Below it no clone is begun: the state's own files need room too. */
const LEAST_FREE_BYTES = 200_000_000;
/** HEAD of the private directory: never made, so every branch may be fetched into. */
const NO_BRANCH = 'ref: refs/heads/none';

/** A commit of the user's tree as it is, on top of `head`, in the shadow; `head` itself when nothing differs. */
async function snapshot(user: UserSide, shadow: Shadow, head: string): Promise<string> {
  const { git } = user;
  await stage(git, shadow.place, 'leave');
  const staged = (await git.ok(shadow.place, ['write-tree'])).trim();
  const before = (await git.ok(shadow.place, ['rev-parse', '--verify', `${head}^{tree}`])).trim();
  const { tree } = await withoutState(git, shadow.place, before, staged);
  if (tree === before) return head;
  const message = 'Uncommitted work at the start of the job';
  const commit = await commitTree(git, shadow.place, { tree, parents: [head], message });
  await git.ok(shadow.place, ['update-ref', SHADOW_BASE, commit]);
  return commit;
}

async function writeAgentGit(
  tree: JobTree,
  repository: UserRepository,
  baseline: string,
  head: string,
  base: string | null,
  tags: Readonly<Record<string, string>>,
) {
  const ours = jobBranchRef(tree.branch);
  const refs: Record<string, string> = { [ours]: baseline };
  // a branch `autonomous` would stand in the way of `autonomous/<job>`
  if (base !== null && base !== 'autonomous' && branchRef(base) !== ours) refs[branchRef(base)] = head;
  const agentGit = join(tree.workTree, '.git');
  await writeGitDirectory(agentGit, {
    objectFormat: repository.objectFormat,
    head: `ref: ${ours}`,
    refs,
    packed: tags,
    alternates: [join(tree.gitDir, 'objects')],
    shallow: repository.shallow,
    identity: repository.settings.identity,
    exclude: repository.exclude,
    core: PLATFORM_CORE,
  });
  await copyFile(join(tree.gitDir, 'index'), join(agentGit, 'index'));
}

/** Clones of tries that were killed: in a job's folder, `work` beside `git`, there is one clone. */
async function leftBehind({ gitDir, workTree }: JobTree): Promise<string[]> {
  const works = dirname(workTree);
  if (basename(works) !== 'work' || join(dirname(works), 'git') !== gitDir) return [];
  const names = await readdir(works).catch((thrown: NodeJS.ErrnoException) => {
    if (thrown.code === 'ENOENT') return [];
    throw thrown;
  });
  return names.map((name) => join(works, name));
}

/** Removes what an earlier try left, and makes the private directory. */
async function startAfresh(tree: JobTree, repository: UserRepository): Promise<void> {
  const old = [tree.gitDir, tree.workTree, ...(await leftBehind(tree))];
  for (const folder of old) await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  await mkdir(tree.workTree, { recursive: true, mode: 0o700 });
  await mkdir(tree.gitDir, { recursive: true, mode: 0o700 });
  await writeGitDirectory(tree.gitDir, {
    objectFormat: repository.objectFormat,
    head: NO_BRANCH,
    shallow: repository.shallow,
    identity: repository.settings.identity,
    exclude: repository.exclude,
    attributes: PRIVATE_ATTRIBUTES,
    core: PLATFORM_CORE,
    serve: true,
  });
}

/** Nothing is begun that the disk will not hold. */
async function needRoom(tree: JobTree, user: UserSide): Promise<void> {
  const folder = dirname(tree.gitDir);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const free = await (user.freeBytes ?? freeOnDisk)(folder);
  if (free >= LEAST_FREE_BYTES) return;
  throw failure('DISK', `only ${Math.floor(free / 1e6)} MB are free for ${tree.workTree}`, {
    hint: 'Make room, for example by `autonomous clean --all`; then resume the job.',
    details: { path: tree.workTree, free },
  });
}

/** See GitPort.makeClone. */
export async function makeClone(
  user: UserSide,
  tree: JobTree,
  options: Parameters<GitPort['makeClone']>[1],
): Promise<{ readonly baseline: string; readonly head: string }> {
  const { git } = user;
  const { signal } = options;
  if (signal.aborted) throw failure('ABORTED', 'the clone was not started');
  await needRoom(tree, user);
  jobBranchRef(tree.branch);
  // The journal of a move lies in the folder that is replaced.
  const settled = await settleMove(user, journalOf(tree));
  if (settled.outcome === 'pending') throw failure('GIT_FAILED', settled.reason);
  const repository = await openUserRepository(user, tree.projectDir);
  const head = await tipOf(git, repository, 'HEAD');
  if (head === null) throw unsupported('this repository has no commit yet', 'Make one first.');
  const base = await checkedOutBranch(git, repository);
  await startAfresh(tree, repository);
  const place = placeOf(tree);
  const baseline = await withShadow(repository, head, async (shadow) => {
    const commit = options.snapshot ? await snapshot(user, shadow, head) : head;
    await fetchBaseline(git, shadow, tree, signal);
    return commit;
  });
  await git.ok(place, ['read-tree', '--reset', '-u', baseline], { signal });
  const tags = await tagsIn(git, repository, head, signal);
  await writeAgentGit(tree, repository, baseline, head, base, tags);
  return { baseline, head: baseline };
}
