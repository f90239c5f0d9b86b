/** Writes the result as one patch for `git apply`: a note, then the exact output of git. */
import { mkdir, open, readFile } from 'node:fs/promises';
import { dirname, isAbsolute } from 'node:path';
import type { MergeRequest } from '../../../../engine/job/gitPorts.ts';
import { failure } from '../../../../shared/errors.ts';
import { rm } from '../../../platform/heldFiles.ts';
import { objectId } from '../../names.ts';
import type { UserSide } from '../../user/sides.ts';
import { openUserRepository } from '../../user/userRepository.ts';
import { isAncestor, tipOfBase } from '../baseMerge.ts';
import { requireCommits } from '../jobTree.ts';
import { BASELINE, fetchBase } from '../transfer.ts';
import { WHOLE_PATCH } from './change.ts';

/**
 * Writes the difference between the user's files and the approved commit to `file`. The user's files are the baseline
 * (a snapshot of the dirty tree included), or the later base that was merged in.
 */
export async function makePatch(user: UserSide, request: MergeRequest, file: string): Promise<void> {
  const { git } = user;
  if (!isAbsolute(file)) throw failure('INVALID_INPUT', `the path of a patch must be absolute: ${file}`);
  const commit = objectId(request.commit);
  const place = await requireCommits(request.tree);
  const baseline = (await git.ok(place, ['rev-parse', '--verify', BASELINE])).trim();
  const repository = await openUserRepository(user, request.tree.projectDir);
  const tip = await tipOfBase(git, repository, request.baseBranch);
  await fetchBase(git, repository, request.tree, tip);
  const common = await git.run(place, ['merge-base', tip, commit]);
  const meeting = common.code === 0 ? common.stdout.trim() : baseline;
  const from = (await isAncestor(git, place, meeting, baseline)) ? baseline : meeting;
  await mkdir(dirname(file), { recursive: true });
  await rm(file, { force: true });
  await git.ok(place, ['diff-tree', '-r', ...WHOLE_PATCH, `--output=${file}`, objectId(from), commit, '--']);
  const written = await open(file, 'r+');
  try {
    if (request.patchNote !== '') {
      const files = await readFile(file);
      await written.writeFile(Buffer.concat([Buffer.from(request.patchNote), files]));
    }
    await written.sync();
  } finally {
    await written.close();
  }
}
