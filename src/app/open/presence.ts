/** Checks whether a workspace has an owner now. */
import { probe } from '../../adapters/ipc/probe.ts';
import type { WorkspacePaths } from '../../engine/state/workspacePaths.ts';
import type { Clock } from '../../shared/clock.ts';

export async function isOwned({
  places,
  clock,
}: {
  readonly places: WorkspacePaths;
  readonly clock: Clock;
}): Promise<boolean> {
  return (await probe(places.runtimeDir, places.stateDir, clock)).state === 'alive';
}
