/** Reads and restores the kept work of attempts, without their clones and without owning the workspace. */
import { nodeFiles } from '../../adapters/files/files.ts';
import { keptAttempts } from '../../adapters/files/keptWork.ts';
import { writeNew } from '../../adapters/files/namedFile.ts';
import { restoreKeptWork } from '../../adapters/git/job/restoreKeptWork.ts';
import { createRunGit } from '../../adapters/git/runGit.ts';
import { restore } from '../../engine/job/tree/restore.ts';
import type { KeptList, RestoreAs, Restored } from '../../shared/job/keptWork.ts';
import { lookAtOwnState, type ReadOnlyWorkspace } from '../open/readOnlyWorkspace.ts';

export async function keptList(readOnly: ReadOnlyWorkspace): Promise<KeptList> {
  return keptAttempts(readOnly.places.stateDir, nodeFiles).list();
}

/** See `restore`. */
export async function restoreAttempt(readOnly: ReadOnlyWorkspace, attemptId: number, as: RestoreAs): Promise<Restored> {
  const state = await lookAtOwnState(readOnly);
  const { projectDir, stateDir } = readOnly.places;
  const user = { git: createRunGit(readOnly), env: readOnly.env, clock: readOnly.clock };
  const kept = keptAttempts(stateDir, nodeFiles);
  return restore(
    { state, projectDir, kept, restoreKeptWork: (request) => restoreKeptWork(user, request), writeNew },
    attemptId,
    as,
  );
}
