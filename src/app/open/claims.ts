/** Makes this process the owner of a workspace's state, and keeps two owners apart. */
import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { nodeFiles } from '../../adapters/files/files.ts';
import { isPipeOpen } from '../../adapters/ipc/probe.ts';
import { type Listening, type ListenOptions, listen } from '../../adapters/ipc/server.ts';
import { askHighest, isReleased } from '../../adapters/log/epoch.ts';
import { loadKey } from '../../adapters/log/key.ts';
import { lineSeal } from '../../adapters/log/seal.ts';
import { platform } from '../../adapters/platform/platform.ts';
import { endProcess, isGoneWithin, ownMark, whereabouts } from '../../adapters/shell/process/otherProcess.ts';
import type { Store } from '../../engine/state/store.ts';
import type { WorkspacePaths } from '../../engine/state/workspacePaths.ts';
import { type ClaimPorts, type OwnerLock, ownerLock } from '../../engine/workspace/ownerLock.ts';
import type { Clock } from '../../shared/clock.ts';
import { failure } from '../../shared/errors.ts';
import { ownState } from './store.ts';

type StateOptions = Omit<Parameters<typeof ownState>[0], 'claimant'>;

interface ClaimOptions extends StateOptions, Pick<ListenOptions, 'functions'> {
  readonly takeOver?: boolean;
  readonly problem: NonNullable<StateOptions['problem']>;
}

export interface OwnedState {
  readonly listening: Listening;
  readonly store: Store;
}

/**
 * Clients find this process once it has claimed the state. Throws OWNER_BUSY, NOT_PERMITTED, STATE_NEWER, STATE_FOREIGN and what
 * `ownState` throws.
 */
export async function claimState(options: ClaimOptions): Promise<OwnedState> {
  const { places, clock, functions, takeOver = false } = options;
  const guard = await guardClaims({ places, clock, takeOver });
  const { runtimeDir, stateDir } = places;
  const listening = await listen({
    runtimeDir,
    stateDir,
    functions,
    clock,
    replaceSilent: takeOver,
    // macOS also refuses a connection to a living process that has too many waiting ones.
    former: (deaf) => guard.free(platform.name === 'macos' ? null : deaf),
  });
  const problem = (what: string): void => options.problem({ file: runtimeDir, line: null, what });
  try {
    const claimant = guard.claimant(listening.mark, (isOwner) => listening.open({ isOwner, problem }));
    const store = await ownState({ ...options, claimant });
    if (store.epoch > 0) return { listening, store };
    await store.close();
    throw notOwn(store);
  } catch (thrown) {
    await listening.close();
    throw thrown;
  }
}

function notOwn({ origin }: Store): Error {
  if (origin === 'newer') {
    return failure('STATE_NEWER', 'the state in .autonomous was written by a newer version of Autonomous', {
      hint: 'It can be looked at with `autonomous board`. To continue it, update Autonomous.',
    });
  }
  return failure('STATE_FOREIGN', 'the state in .autonomous was not written by this installation', {
    hint: 'It can be looked at with `autonomous board`. To work here, move the folder .autonomous away.',
  });
}

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
