/** Checks whether a workspace has an owner now, or had another one since. */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { nodeFiles } from '../../../adapters/files/files.ts';
import { probe } from '../../../adapters/ipc/probe.ts';
import { findKey } from '../../../adapters/log/key.ts';
import type { WorkspacePaths } from '../../../engine/state/workspacePaths.ts';
import type { Clock } from '../../../shared/clock.ts';
import { type AutonomousError, errnoOf, findFailure } from '../../../shared/errors.ts';

const MISSING = ['ENOENT', 'ENOTDIR'];

export interface Looking {
  readonly places: WorkspacePaths;
  readonly clock: Clock;
}

export async function isOwned({ places, clock }: Looking): Promise<boolean> {
  return (await probe(places.runtimeDir, places.stateDir, clock)).state === 'alive';
}

/** An owner creates a file in the folder of events once it can be reached. Returns the folder's time; null without a folder. */
export async function ownerMark({ stateDir }: Pick<WorkspacePaths, 'stateDir'>): Promise<number | null> {
  try {
    return (await stat(join(stateDir, 'events'))).mtimeMs;
  } catch (thrown) {
    if (MISSING.includes(String(errnoOf(thrown)))) return null;
    throw thrown;
  }
}

/**
 * The OWNER_BUSY of a process that claimed the state and lives, or may live on another machine. Null if there is none. Takes two seconds if
 * it lives.
 */
export async function silentOwner({ places, clock }: Looking): Promise<AutonomousError | null> {
  const key = await findKey(places.configDir, nodeFiles);
  // Without one, no owner of this installation has claimed anything.
  if (key === null) return null;
  const { guardClaims } = await import('./guardClaims.ts');
  try {
    await (await guardClaims({ places, clock, key, takeOver: false })).free(null);
    return null;
  } catch (thrown) {
    const found = findFailure(thrown);
    if (found?.code !== 'OWNER_BUSY') throw thrown;
    return found;
  }
}
