/**
 * Brings the approved commit into the user's repository: as a merge, a branch, or a patch file. The refs show the
 * outcome.
 */
import { readFile } from 'node:fs/promises';
import type { IntegrateResult, MergeRequest } from '../../../../engine/job/gitPorts.ts';
import type { MergeResult } from '../../../../shared/job/rows.ts';
import { rename, rm } from '../../../platform/heldFiles.ts';
import { isAncestor, tipOfBase } from '../../job/baseMerge.ts';
import { makePatch } from '../../job/change/patch.ts';
import { commitTree, treeIdOf } from '../../job/change/tree.ts';
import { requireClone, requireCommits } from '../../job/jobTree.ts';
import { stateIn } from '../../job/stateNames.ts';
import { deliver, journalOf, storePlace } from '../../job/transfer.ts';
import { branchRef, jobBranchRef, objectId } from '../../names.ts';
import type { RunGit } from '../../runGit.ts';
import { uncommitted } from '../inspect.ts';
import { checkoutsOf, swapRefs } from '../refs.ts';
import { withScratchRepository } from '../scratchRepository.ts';
import type { ScratchRepository, UserRepository, UserSide } from '../sides.ts';
import { authored, openUserRepository, tipOf } from '../userRepository.ts';
import { type BranchMove, fastForward, type MovePoints } from './fastForward.ts';
import { recoverFastForward } from './recoverFastForward.ts';

const MAX_FIRST_PARENTS = 1_000;
const REASON = 'autonomous: merge';

const done = (merge: Omit<MergeResult, 'rolledBack'>): IntegrateResult => ({
  outcome: 'done',
  merge: { ...merge, rolledBack: false },
});

const refused = (reason: string): IntegrateResult => ({ outcome: 'refused', reason });

/**
 * Changes that set the job's branch in the user's repository to `commit`. A string is the reason why that is
 * impossible.
 */
async function ownBranch(git: RunGit, repository: UserRepository, scratch: ScratchRepository, request: MergeRequest) {
  const ref = jobBranchRef(request.tree.branch);
  const from = await tipOf(git, repository, ref);
  if (from !== null && !(await isAncestor(git, scratch.place, from, request.commit))) {
    return `the branch ${request.tree.branch} already exists, with other commits: rename or delete it`;
  }
  return { ref, from, to: request.commit };
}

async function mergeIntoBase(user: UserSide, request: MergeRequest, points: MovePoints): Promise<IntegrateResult> {
  const { git } = user;
  const { tree, commit, baseBranch } = request;
  if (baseBranch === null)
    return refused('no branch was checked out (detached HEAD): take the result as a branch or a patch');
  const ref = branchRef(baseBranch);
  const place = await requireCommits(tree);
  const repository = authored(await openUserRepository(user, tree.projectDir), request.author);
  const tip = await tipOfBase(git, repository, baseBranch);
  const merged = await findMergeCommit(user, repository, request);
  if (merged !== null) return { outcome: 'done', merge: merged };
  if (!(await isAncestor(git, place, tip, commit))) return { outcome: 'moved', base: tip };
  return withScratchRepository(repository, tip, async (scratch): Promise<IntegrateResult> => {
    await deliver(git, scratch, tree, commit);
    const own = await ownBranch(git, repository, scratch, request);
    if (typeof own === 'string') return refused(own);
    const result = await treeIdOf(git, storePlace(scratch), commit);
    const parents = [tip, commit];
    const to = await commitTree(git, storePlace(scratch), { tree: result, parents, message: request.message });
    const move: BranchMove = { ref, from: tip, to, also: [own], reason: REASON, journal: journalOf(tree) };
    const moved = await fastForward(user, repository, move, points);
    if (moved.outcome === 'raced') return { outcome: 'moved', base: await tipOfBase(git, repository, baseBranch) };
    if (moved.outcome === 'refused') return moved;
    return done({
      mode: 'merge',
      target: baseBranch,
      commit: to,
      previous: tip,
      checkedOut: moved.checkedOut,
      note: null,
    });
  });
}

async function makeBranch(user: UserSide, request: MergeRequest): Promise<IntegrateResult> {
  const { git } = user;
  const repository = await openUserRepository(user, request.tree.projectDir);
  await requireClone(request.tree);
  const head = await tipOfBase(git, repository, null);
  return withScratchRepository(repository, head, async (scratch): Promise<IntegrateResult> => {
    await deliver(git, scratch, request.tree, request.commit);
    const own = await ownBranch(git, repository, scratch, request);
    if (typeof own === 'string') return refused(own);
    const { from, ref, to } = own;
    const result = { mode: 'branch', target: request.tree.branch, commit: to, previous: from, note: null } as const;
    if (from === to) return done({ ...result, checkedOut: false });
    const moved =
      from === null
        ? { ...(await swapRefs(git, repository, [own], REASON)), checkedOut: false }
        : await fastForward(user, repository, {
            ref,
            from,
            to,
            also: [],
            reason: REASON,
            journal: journalOf(request.tree),
          });
    if (moved.outcome === 'refused') return refused(moved.reason);
    if (moved.outcome === 'raced') return refused(`the branch ${request.tree.branch} changed just now: try again`);
    return done({ ...result, checkedOut: moved.checkedOut });
  });
}

async function writePatch(user: UserSide, request: MergeRequest): Promise<IntegrateResult> {
  const part = `${request.patchFile}.part`;
  await makePatch(user, request, part);
  await rename(part, request.patchFile);
  return done(patchResult(request));
}

const patchResult = (request: MergeRequest) =>
  ({ mode: 'patch', target: request.patchFile, commit: null, previous: null, checkedOut: false, note: null }) as const;

/** See GitPort.integrate. `points` are for tests. */
export async function integrate(
  user: UserSide,
  request: MergeRequest,
  points: MovePoints = {},
): Promise<IntegrateResult> {
  objectId(request.commit);
  jobBranchRef(request.tree.branch);
  const settled = await recoverFastForward(user, journalOf(request.tree));
  if (settled.outcome === 'pending') return refused(settled.reason);
  const state = await stateIn(user.git, request.tree, request.commit);
  if (state.length > 0) {
    const some = state.slice(0, 3).map((path) => JSON.stringify(path));
    return refused(
      `it changes state of Autonomous (${some.join(', ')}${state.length > 3 ? ', …' : ''}), which no job may: send it back to have that taken out`,
    );
  }
  if (request.mode === 'merge') return mergeIntoBase(user, request, points);
  return request.mode === 'branch' ? makeBranch(user, request) : writePatch(user, request);
}

/** Whether the base contains the approved commit, and through which merge. */
async function findMergeCommit(
  user: UserSide,
  repository: UserRepository,
  request: MergeRequest,
): Promise<MergeResult | null> {
  const { git } = user;
  const { baseBranch, commit } = request;
  if (baseBranch === null) return null;
  const ref = branchRef(baseBranch);
  const tip = await tipOf(git, repository, ref);
  if (tip === null) return null;
  return withScratchRepository(repository, tip, async (scratch) => {
    const args = [
      'rev-list',
      '--first-parent',
      '--parents',
      `--max-count=${MAX_FIRST_PARENTS}`,
      '--end-of-options',
      tip,
    ];
    const lines = (await git.ok(scratch.place, args)).split('\n').map((line) => line.split(' '));
    const found = lines.find((line) => line[2] === commit);
    const already = found === undefined && (await isAncestor(git, scratch.place, commit, tip));
    if (found === undefined && !already) return null;
    const [folder] = await checkoutsOf(git, repository, ref);
    const checkedOut =
      folder !== undefined && folder === repository.root && (await uncommitted(git, scratch, 'no')).dirty.length === 0;
    const [merge = commit, previous = null] = found ?? [];
    const note = already ? `${baseBranch} had these commits already` : null;
    return { mode: 'merge', target: baseBranch, commit: merge, previous, checkedOut, rolledBack: false, note };
  });
}

/** See GitPort.findMerge. */
export async function findMerge(user: UserSide, request: MergeRequest): Promise<MergeResult | null> {
  objectId(request.commit);
  const settled = await recoverFastForward(user, journalOf(request.tree));
  const note = settled.outcome === 'pending' ? settled.reason : settled.note;
  const repository = await openUserRepository(user, request.tree.projectDir);
  if (request.mode === 'merge') {
    const found = await findMergeCommit(user, repository, request);
    return found === null || note === null ? found : { ...found, note };
  }
  if (request.mode === 'branch') {
    const tip = await tipOf(user.git, repository, jobBranchRef(request.tree.branch));
    if (tip !== request.commit) return null;
    const base = {
      mode: 'branch',
      target: request.tree.branch,
      commit: tip,
      previous: null,
      checkedOut: false,
    } as const;
    return { ...base, rolledBack: false, note: null };
  }
  const written = await readFile(request.patchFile).catch(() => null);
  if (written === null) return null;
  const part = `${request.patchFile}.part`;
  await makePatch(user, request, part);
  const same = written.equals(await readFile(part));
  await rm(part, { force: true });
  return same ? { ...patchResult(request), rolledBack: false } : null;
}
