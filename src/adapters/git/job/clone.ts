/**
 * Creates a job's clone: the private git directory, the work tree, and in it an ordinary `.git` for the agent. The
 * agent's `.git` reads the private objects and cannot write them; the engine's commands treat it as a folder that is
 * never committed.
 */
import { mkdir, readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { GitPort, JobTree, TooLarge } from '../../../engine/job/gitPorts.ts';
import { failure } from '../../../shared/errors.ts';
import { rename, rm } from '../../platform/heldFiles.ts';
import { writeGitDirectory } from '../gitDirectory.ts';
import { jobBranchRef, objectId } from '../names.ts';
import { freeOnDisk } from '../user/merge/diskSpace.ts';
import { recoverFastForward } from '../user/merge/recoverFastForward.ts';
import { SCRATCH_BASE, withScratchRepository } from '../user/scratchRepository.ts';
import type { ScratchRepository, UserRepository, UserSide } from '../user/sides.ts';
import { authored, checkedOutBranch, openUserRepository, tipOf, unsupported } from '../user/userRepository.ts';
import { markHead, writeAgentGit } from './agent/agentGit.ts';
import { agentRepository, storeAgentRepository } from './agent/agentRepository.ts';
import { originOf } from './change/change.ts';
import { stage } from './change/stage.ts';
import { commitTree } from './change/tree.ts';
import { hasClone, locationOf, ownFile, requireCommits, SETUP_FILE } from './jobTree.ts';
import { withoutState } from './stateNames.ts';
import { fetchBaseline, journalOf } from './transfer.ts';

/** Drivers and conversions that would run a program or hide a change from a reviewer are off; line ends stay as configured. */
const PRIVATE_ATTRIBUTES = '* !filter !diff !merge !ident !working-tree-encoding\n';
/** Below this, no clone is started: the state's files need space too. */
const LEAST_FREE_BYTES = 200_000_000;
/** HEAD of the private directory: this branch is never created, so every branch may be fetched into. */
const NO_BRANCH = 'ref: refs/heads/none';

/** Called with the files of the user's tree that are too large for a snapshot. */
type LeaveOut = (files: readonly TooLarge[]) => void;

/** A commit of the user's tree on top of `head`, in the scratch repository; `head` itself if nothing differs. */
async function snapshot(user: UserSide, scratch: ScratchRepository, head: string, leave: LeaveOut): Promise<string> {
  const { git } = user;
  const { tooLarge } = await stage(git, scratch.place, 'leave', user.sizeLimits);
  if (tooLarge.length > 0) leave(tooLarge);
  const staged = (await git.ok(scratch.place, ['write-tree'])).trim();
  const before = (await git.ok(scratch.place, ['rev-parse', '--verify', `${head}^{tree}`])).trim();
  const { tree } = await withoutState(git, scratch.place, before, staged);
  if (tree === before) return head;
  const message = 'Uncommitted work at the start of the job';
  const commit = await commitTree(git, scratch.place, { tree, parents: [head], message });
  await git.ok(scratch.place, ['update-ref', SCRATCH_BASE, commit]);
  return commit;
}

/** Clones of attempts that were killed: in a job's folder, `work` beside `git`, there is one clone. */
async function leftBehind({ gitDir, workTree }: JobTree): Promise<string[]> {
  const works = dirname(workTree);
  if (basename(works) !== 'work' || join(dirname(works), 'git') !== gitDir) return [];
  const names = await readdir(works).catch((thrown: NodeJS.ErrnoException) => {
    if (thrown.code === 'ENOENT') return [];
    throw thrown;
  });
  return names.map((name) => join(works, name));
}

/** Removes the remains of an earlier attempt, and creates the private directory. */
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
    serve: true,
  });
}

/** No clone is started that the disk cannot hold. */
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
  leave: LeaveOut,
): Promise<{ readonly baseline: string; readonly head: string }> {
  const { git } = user;
  const { signal } = options;
  if (signal.aborted) throw failure('ABORTED', 'the clone was not started');
  await needRoom(tree, user);
  jobBranchRef(tree.branch);
  // The journal of a move is in the folder that is replaced.
  const settled = await recoverFastForward(user, journalOf(tree));
  if (settled.outcome === 'pending') throw failure('GIT_FAILED', settled.reason);
  const repository = authored(await openUserRepository(user, tree.projectDir), options.author);
  const head = await tipOf(git, repository, 'HEAD');
  if (head === null) throw unsupported('this repository has no commit yet', 'Make one first.');
  const base = await checkedOutBranch(git, repository);
  await startAfresh(tree, repository);
  const place = locationOf(tree);
  const baseline = await withScratchRepository(repository, head, async (scratch) => {
    const commit = options.snapshot ? await snapshot(user, scratch, head, leave) : head;
    await fetchBaseline(git, scratch, tree, signal);
    return commit;
  });
  await git.ok(place, ['read-tree', '--reset', '-u', baseline], { signal });
  const stored = await storeAgentRepository(user, tree, repository, head, signal);
  await writeAgentGit(tree, stored, ownFile(tree, 'index'), { head: baseline, origin: head, baseBranch: base });
  await markHead(tree, baseline);
  return { baseline, head: baseline };
}

/** See GitPort.remakeClone. The clone appears at its path as a whole, so that a killed attempt has no effect. */
export async function remakeClone(
  user: UserSide,
  tree: JobTree,
  { head, baseline, baseBranch, snapshot, signal }: Parameters<GitPort['remakeClone']>[1],
): Promise<boolean> {
  if (await hasClone(tree)) return false;
  const { git } = user;
  await requireCommits(tree);
  await needRoom(tree, user);
  const origin = await originOf(git, tree, baseline, snapshot);
  const repository = await agentRepository(user, tree, origin, signal);
  const half: JobTree = { ...tree, workTree: `${tree.workTree}.half` };
  await rm(half.workTree, { recursive: true, force: true, maxRetries: 3 });
  await mkdir(half.workTree, { recursive: true, mode: 0o700 });
  // Removes the index of the folder that was replaced.
  await mkdir(dirname(ownFile(tree, 'index')), { recursive: true, mode: 0o700 });
  for (const name of ['index', 'index.lock', SETUP_FILE]) await rm(ownFile(tree, name), { force: true });
  await git.ok(locationOf(half), ['read-tree', '--reset', '-u', objectId(head)], { signal });
  await writeAgentGit(half, repository, ownFile(tree, 'index'), { head, origin, baseBranch });
  await rm(tree.workTree, { recursive: true, force: true, maxRetries: 3 });
  await rename(half.workTree, tree.workTree);
  await markHead(tree, head);
  return true;
}
