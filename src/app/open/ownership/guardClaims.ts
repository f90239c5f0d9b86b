/** Keeps two owners of a workspace's state apart. */
import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { nodeFiles } from '../../../adapters/files/files.ts';
import { isPipeOpen } from '../../../adapters/ipc/probe.ts';
import { askHighest, isReleased } from '../../../adapters/log/epoch.ts';
import { loadKey } from '../../../adapters/log/key.ts';
import { lineSeal } from '../../../adapters/log/seal.ts';
import { platform } from '../../../adapters/platform/platform.ts';
import { endProcess, isGoneWithin, ownMark, whereabouts } from '../../../adapters/shell/process/otherProcess.ts';
import type { WorkspacePaths } from '../../../engine/state/workspacePaths.ts';
import { type ClaimPorts, type OwnerLock, ownerLock } from '../../../engine/workspace/ownerLock.ts';
import type { Clock } from '../../../shared/clock.ts';

interface Claiming extends Pick<ClaimPorts, 'takeOver'> {
  readonly places: WorkspacePaths;
  readonly clock: Clock;
  /** The key of the installation. If it is missing here and on the disk, a new one is created. */
  readonly key?: Uint8Array;
}

export async function guardClaims({ places, clock, takeOver, key }: Claiming): Promise<OwnerLock> {
  const { stateDir, configDir, jobsDir } = places;
  return ownerLock({
    stateDir,
    folder: String((await stat(dirname(stateDir), { bigint: true })).ino),
    seal: lineSeal(key ?? (await loadKey(configDir, nodeFiles)), 'claim'),
    epochs: {
      askHighest: (gone) => askHighest(join(stateDir, 'epoch'), nodeFiles, { gone }),
      isReleased,
    },
    others: {
      own: ownMark,
      whereabouts,
      isGoneWithin: (one, ms) => isGoneWithin(one, ms, clock),
      end: (one) => endProcess(one, [jobsDir], clock),
    },
    isPipeOpen: platform.pipe === null ? null : (state) => isPipeOpen(state, clock),
    takeOver,
  });
}
