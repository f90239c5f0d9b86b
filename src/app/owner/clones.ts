/** Cleans up clones on the real disk. */
import { lstat } from 'node:fs/promises';
import { nodeFiles } from '../../adapters/files/files.ts';
import { keptAttempts } from '../../adapters/files/keptWork.ts';
import { journalOf } from '../../adapters/git/job/transfer.ts';
import { rm } from '../../adapters/platform/heldFiles.ts';
import { folderBytes } from '../../adapters/tree/folderBytes.ts';
import type { CleanUp } from '../../core/job/cloneCleanUp.ts';
import {
  CLONES_BYTES,
  type Cleaning,
  type JobFolders,
  keepClonesUnder,
  wouldClean,
} from '../../engine/job/tree/clones.ts';
import type { Store } from '../../engine/state/store.ts';
import type { ReadOnlyWorkspace } from '../open/readOnlyWorkspace.ts';
import { filesOfEpoch } from '../open/stateFiles.ts';
import { lookAtState } from '../open/store.ts';
import type { OwnerOptions } from './ownerOptions.ts';

export const jobFolders: JobFolders = {
  isFolder: async (folder) => (await lstat(folder).catch(() => null))?.isDirectory() === true,
  bytes: folderBytes,
  isMoving: async (gitDir) => (await lstat(journalOf({ gitDir })).catch(() => null)) !== null,
  remove: (folder) => rm(folder, { recursive: true, force: true, maxRetries: 3 }),
};

/** Clones that a cleanup would remove. */
export async function previewCleanUp(readOnly: ReadOnlyWorkspace, maxBytes?: number): Promise<CleanUp> {
  const store = await lookAtState(readOnly);
  await store.close();
  const { stateDir, jobsDir } = readOnly.places;
  return wouldClean({ folders: jobFolders, kept: keptAttempts(stateDir, nodeFiles), jobsDir }, store.state, maxBytes);
}

interface Parts extends Pick<Cleaning, 'git' | 'inHand'> {
  readonly store: Store;
  problem(text: string): void;
}

/** Keeps the clones of this workspace under their bound. */
export function ownClones(options: OwnerOptions, { store, git, problem, inHand }: Parts) {
  const { places, clock } = options;
  return keepClonesUnder(options.clonesBytes ?? CLONES_BYTES, {
    store,
    folders: jobFolders,
    kept: keptAttempts(places.stateDir, filesOfEpoch(places.stateDir, store.epoch)),
    projectDir: places.projectDir,
    jobsDir: places.jobsDir,
    clock,
    git,
    problem,
    inHand,
  });
}
