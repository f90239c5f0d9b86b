/** What is kept of attempts, looked at and made again, without their clones and without owning the workspace. */
import { nodeFiles } from '../../adapters/files/files.ts';
import { keptAttempts } from '../../adapters/files/keptWork.ts';
import { writeNew } from '../../adapters/files/namedFile.ts';
import { makeAgain } from '../../adapters/git/job/makeAgain.ts';
import { createRunGit } from '../../adapters/git/runGit.ts';
import { restore } from '../../engine/job/tree/restore.ts';
import type { KeptList, RestoreAs, Restored } from '../../shared/job/keptWork.ts';
import { lookAtOwnState, type Viewer } from '../open/viewer.ts';

export async function keptList(viewer: Viewer): Promise<KeptList> {
  return keptAttempts(viewer.places.stateDir, nodeFiles).list();
}

/** As `restore`. */
export async function restoreAttempt(viewer: Viewer, attemptId: number, as: RestoreAs): Promise<Restored> {
  const state = await lookAtOwnState(viewer);
  const { projectDir, stateDir } = viewer.places;
  const user = { git: createRunGit(viewer), env: viewer.env, clock: viewer.clock };
  const kept = keptAttempts(stateDir, nodeFiles);
  return restore(
    { state, projectDir, kept, makeAgain: (request) => makeAgain(user, request), writeNew },
    attemptId,
    as,
  );
}
