/** Checks whether a workspace has an owner now. */
import { nodeFiles } from '../../adapters/files/files.ts';
import { probe } from '../../adapters/ipc/probe.ts';
import { findKey } from '../../adapters/log/key.ts';
import type { WorkspacePaths } from '../../engine/state/workspacePaths.ts';
import type { Clock } from '../../shared/clock.ts';
import { type AutonomousError, findFailure } from '../../shared/errors.ts';

interface Looking {
  readonly places: WorkspacePaths;
  readonly clock: Clock;
}

export async function isOwned({ places, clock }: Looking): Promise<boolean> {
  return (await probe(places.runtimeDir, places.stateDir, clock)).state === 'alive';
}

/** The refusal that an owner would cause which lives and does not answer. Null if there is none. Takes two seconds if there is one. */
export async function silentOwner({ places, clock }: Looking): Promise<AutonomousError | null> {
  // Without a key, no owner of this installation has claimed anything.
  if ((await findKey(places.configDir, nodeFiles)) === null) return null;
  const { guardClaims } = await import('./claims.ts');
  try {
    await (await guardClaims({ places, clock, takeOver: false })).free(null);
    return null;
  } catch (thrown) {
    const found = findFailure(thrown);
    if (found?.code !== 'OWNER_BUSY') throw thrown;
    return found;
  }
}
