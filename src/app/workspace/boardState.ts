/** Builds the state for the board in a process without ownership, including data that an owner would import. */
import { basename } from 'node:path';
import type { Store } from '../../engine/state/store.ts';
import { findFailure } from '../../shared/errors.ts';
import type { ReadOnlyWorkspace } from '../open/readOnlyWorkspace.ts';
import { lookAtState } from '../open/store.ts';

export async function lookAtBoard(readOnly: ReadOnlyWorkspace): Promise<Store> {
  const store = await lookAtState({ ...readOnly, isShipped: () => isShipped(readOnly) });
  await store.close();
  return store;
}

/** Whether the state folder came with the repository. Also true if git fails, so that an unknown folder is not shown. */
async function isShipped({ places, clock, env }: ReadOnlyWorkspace): Promise<boolean> {
  // Loaded here: only a workspace with files of another tool needs git for its board.
  const { createGit } = await import('../../adapters/git/gitPort.ts');
  try {
    return await createGit({ clock, env }).isCommitted(places.projectDir, basename(places.stateDir));
  } catch (thrown) {
    if (findFailure(thrown) !== undefined) return true;
    throw thrown;
  }
}
