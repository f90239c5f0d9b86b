/**
 * Restores an attempt's work from its patches, as a branch of the user's repository. Nothing is checked out, and no
 * other ref moves.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AgainRequest, AgainStep } from '../../../engine/job/gitPorts.ts';
import { failure } from '../../../shared/errors.ts';
import { branchRef, objectId } from '../names.ts';
import { type GitAnswer, type GitLocation, gitFailure, type RunGit } from '../runGit.ts';
import { swapRefs } from '../user/refs.ts';
import { withScratchRepository } from '../user/scratchRepository.ts';
import type { UserSide } from '../user/sides.ts';
import { openUserRepository, tipOf } from '../user/userRepository.ts';
import { commitTree } from './change/tree.ts';
import { storePlace } from './transfer.ts';

const APPLY = ['apply', '--cached', '--whitespace=nowarn'];

async function applied(git: RunGit, place: GitLocation, file: string, { patch, tree }: AgainStep): Promise<void> {
  if (patch.length > 0) {
    await writeFile(file, patch);
    const answer = await git.run(place, [...APPLY, file]);
    if (answer.code !== 0) throw notApplied(answer);
  }
  const made = (await git.ok(place, ['write-tree'])).trim();
  if (made !== tree) throw damaged(`it comes to the tree ${made}, not to ${tree}`);
}

/** If the repository cannot be written to, the patch itself may still be good. */
export function notApplied(answer: GitAnswer): Error {
  const failed = gitFailure(APPLY, answer);
  if (failed.code === 'DISK') return failed;
  const [first = ''] = answer.stderr.split('\n');
  if (/permission/i.test(first)) return failure('DISK', `git could not write into the repository: ${first}`);
  return damaged(`a patch does not apply: ${first}`);
}

function damaged(what: string): Error {
  return failure('STATE_DAMAGED', `what is kept of this attempt is not whole: ${what}`, {
    hint: 'Take what there is as a patch file.',
  });
}

/**
 * Returns the branch's commit. Throws NOT_FOUND if the commit that the branch is based on is missing from the
 * repository.
 */
export async function restoreKeptWork(user: UserSide, request: AgainRequest): Promise<string> {
  const { git } = user;
  const ref = branchRef(request.branch);
  const origin = objectId(request.origin);
  const repository = await openUserRepository(user, request.projectDir);
  if ((await tipOf(git, repository, origin)) === null) {
    throw failure('NOT_FOUND', `the commit ${origin} is not in this repository any more`, {
      hint: 'Take the work as a patch file: it can be applied by hand.',
    });
  }
  const commit = await withScratchRepository(repository, origin, async (scratch) => {
    const place = { ...storePlace(scratch), indexFile: join(scratch.gitDir, 'again') };
    await git.ok(place, ['read-tree', origin]);
    let at = origin;
    for (const step of request.steps) {
      await applied(git, place, join(scratch.gitDir, 'again.patch'), step);
      if (step.message !== null)
        at = await commitTree(git, place, { tree: step.tree, parents: [at], message: step.message });
    }
    return at;
  });
  const moved = await swapRefs(git, repository, [{ ref, from: null, to: commit }], 'autonomous: restore an attempt');
  if (moved.outcome === 'moved') return commit;
  const reason = moved.outcome === 'refused' ? moved.reason : `there is a branch ${request.branch} already`;
  throw failure('NOT_PERMITTED', reason, { hint: 'Choose another name.' });
}
