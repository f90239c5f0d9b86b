/** Rolls back a merge: one commit on top of it with the previous tree, if nothing was built on the merge. */
import type { GitPort } from '../../../../engine/job/gitPorts.ts';
import { commitTree, treeIdOf } from '../../job/change/tree.ts';
import { journalOf, storePlace } from '../../job/transfer.ts';
import { branchRef, objectId } from '../../names.ts';
import { withScratchRepository } from '../scratchRepository.ts';
import type { UserRepository, UserSide } from '../sides.ts';
import { openUserRepository, tipOf } from '../userRepository.ts';
import { fastForward } from './fastForward.ts';
import { recoverFastForward } from './recoverFastForward.ts';

const refused = (reason: string) => ({ outcome: 'refused', reason }) as const;

/**
 * Whether this commit is the result of this rollback: finds one whose process was killed before it reported the commit.
 */
async function takesBack(
  { git }: UserSide,
  { place }: UserRepository,
  tip: string,
  merge: { readonly commit: string; readonly previous: string },
): Promise<boolean> {
  const [, ...parents] = (await git.ok(place, ['rev-list', '--parents', '--max-count=1', tip])).trim().split(' ');
  if (parents.length !== 1 || parents[0] !== merge.commit) return false;
  return (await treeIdOf(git, place, tip)) === (await treeIdOf(git, place, merge.previous));
}

/** See GitPort.rollBack. Needs no clone: everything is in the user's repository. */
export async function rollBack(
  user: UserSide,
  ...[tree, merge, message]: Parameters<GitPort['rollBack']>
): ReturnType<GitPort['rollBack']> {
  const { git } = user;
  if (merge.mode !== 'merge' || merge.commit === null || merge.previous === null) {
    return refused(
      merge.mode === 'branch'
        ? `nothing was merged: delete the branch ${merge.target} instead`
        : 'this job has no merge commit to revert',
    );
  }
  const [commit, previous] = [objectId(merge.commit), objectId(merge.previous)];
  const settled = await recoverFastForward(user, journalOf(tree));
  if (settled.outcome === 'pending') return refused(settled.reason);
  const repository = await openUserRepository(user, tree.projectDir);
  const ref = branchRef(merge.target);
  const tip = await tipOf(git, repository, ref);
  if (tip === null) return refused(`the branch ${merge.target} does not exist any more`);
  if (await takesBack(user, repository, tip, { commit, previous })) return { outcome: 'done', commit: tip };
  if (tip !== commit)
    return refused(`${merge.target} has moved on since the merge: revert ${commit.slice(0, 12)} yourself`);
  return withScratchRepository(repository, tip, async (scratch) => {
    const place = storePlace(scratch);
    const before = await treeIdOf(git, place, previous);
    const to = await commitTree(git, place, { tree: before, parents: [commit], message });
    const reason = 'autonomous: roll back';
    const moved = await fastForward(user, repository, {
      ref,
      from: tip,
      to,
      also: [],
      reason,
      journal: journalOf(tree),
    });
    if (moved.outcome === 'moved') return { outcome: 'done', commit: to } as const;
    return moved.outcome === 'raced' ? refused(`${merge.target} has moved on just now`) : moved;
  });
}
