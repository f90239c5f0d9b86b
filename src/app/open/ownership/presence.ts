/** Checks whether a workspace has an owner now, and whether another one started. */
import { join } from 'node:path';
import { nodeFiles } from '../../../adapters/files/files.ts';
import { isOwnerAlive } from '../../../adapters/ipc/probe.ts';
import { findKey } from '../../../adapters/log/key.ts';
import { segmentNames } from '../../../adapters/log/segment.ts';
import type { WorkspacePaths } from '../../../engine/state/workspacePaths.ts';
import type { Clock } from '../../../shared/clock.ts';
import { type AutonomousError, findFailure } from '../../../shared/errors.ts';

export interface Looking {
  readonly places: WorkspacePaths;
  readonly clock: Clock;
}

interface Probing {
  readonly places: Pick<WorkspacePaths, 'runtimeDir' | 'stateDir'>;
  readonly clock: Clock;
}

export async function isOwned({ places, clock }: Probing): Promise<boolean> {
  return isOwnerAlive(places.runtimeDir, places.stateDir, clock);
}

/** The newest file of events. Follows no link. Throws DISK. */
export async function newestEvents(stateDir: string): Promise<string | null> {
  const events = join(stateDir, 'events');
  for (const folder of [stateDir, events]) if ((await nodeFiles.stat(folder))?.kind !== 'folder') return null;
  return segmentNames(await nodeFiles.list(events)).at(-1)?.file ?? null;
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
