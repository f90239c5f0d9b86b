/** Opens the store over real files, to own it or to read it. */
import { nodeFiles } from '../../adapters/files/files.ts';
import { openEventLog } from '../../adapters/log/eventLog.ts';
import { findKey, loadKey } from '../../adapters/log/key.ts';
import { lineSeal } from '../../adapters/log/seal.ts';
import { checkProjectDirs } from '../../adapters/log/stateDir.ts';
import { openOldState } from '../../adapters/sqlite/oldState.ts';
import { openProjection } from '../../adapters/sqlite/projection.ts';
import { draftWithoutSecrets } from '../../core/guard/eventSecrets.ts';
import { type WithoutSecrets, withoutSecrets } from '../../core/guard/secrets.ts';
import { EVENT_TYPES, reduce } from '../../core/workspace/reduce.ts';
import type { Claimant } from '../../engine/state/claimPorts.ts';
import { openStore } from '../../engine/state/openStore.ts';
import type { Store } from '../../engine/state/store.ts';
import type { Problem } from '../../engine/state/storePorts.ts';
import type { WorkspacePaths } from '../../engine/state/workspacePaths.ts';
import type { Clock } from '../../shared/clock.ts';
import { DEFAULT_PROJECT, MAIN_PROJECT } from '../../shared/project/projects.ts';
import type { Event } from '../../shared/workspace/events.ts';
import type { State } from '../../shared/workspace/state.ts';

interface StorageOptions {
  readonly places: WorkspacePaths;
  readonly clock: Clock;
  readonly wasmFile: string;
}

/** Throws STATE_SYMLINK if a folder of a known project is a link. */
const projectsChecked =
  ({ stateDir }: WorkspacePaths) =>
  ({ projects }: Pick<State, 'projects'>): Promise<void> =>
    checkProjectDirs(stateDir, new Set([DEFAULT_PROJECT, MAIN_PROJECT, ...projects.keys()]), nodeFiles);

export async function ownState(
  options: StorageOptions & {
    readonly version: string;
    readonly isShipped: () => Promise<boolean>;
    /** Without it, no secrets are known. */
    readonly clean?: WithoutSecrets;
    readonly problem?: (problem: Problem) => void;
    /** Without it, no other process can be at work on the state. */
    readonly claimant?: Claimant;
    /** Whether a person wants to restore the events that the database contains beyond a log that lost its end. */
    readonly restores?: boolean;
  },
): Promise<Store> {
  const { places, clock, wasmFile, version, isShipped, claimant, restores = false, clean = withoutSecrets() } = options;
  const told = options.problem === undefined ? {} : { problem: options.problem };
  const key = await loadKey(places.configDir, nodeFiles);
  return openStore({
    log: await openEventLog({
      stateDir: places.stateDir,
      ops: nodeFiles,
      seal: lineSeal(key, 'events'),
      ...(claimant === undefined ? {} : { claimant }),
    }),
    projection: openProjection({
      stateDir: places.stateDir,
      ops: nodeFiles,
      seal: lineSeal(key, 'database'),
      clock,
      wasmFile,
      ...told,
    }),
    old: openOldState({ stateDir: places.stateDir, ops: nodeFiles, wasmFile, isShipped }),
    ...told,
    reduce,
    eventTypes: EVENT_TYPES,
    kept: (draft) => draftWithoutSecrets(draft, clean),
    clock,
    checked: projectsChecked(places),
    restores,
    owner: { pid: process.pid, version },
  });
}

interface Committed {
  /**
   * For a follower of a living owner: the last event that the owner has committed. Without it, all events in the files
   * count.
   */
  readonly committed?: number;
}

interface Looked extends StorageOptions, Committed {
  /** Without it, the data of another tool is not shown, because no owner has imported it. */
  readonly isShipped?: () => Promise<boolean>;
}

/** Writes nothing and claims nothing. */
export async function lookAtState(options: Looked): Promise<Store> {
  const { places, clock, wasmFile, committed = null, isShipped } = options;
  const key = await findKey(places.configDir, nodeFiles);
  const projection =
    key === null
      ? null
      : openProjection({ stateDir: places.stateDir, ops: nodeFiles, seal: lineSeal(key, 'database'), clock, wasmFile });
  return openStore({
    log: await openEventLog({
      stateDir: places.stateDir,
      ops: nodeFiles,
      seal: key === null ? null : lineSeal(key, 'events'),
      committed,
    }),
    projection,
    ...(isShipped === undefined
      ? {}
      : { old: openOldState({ stateDir: places.stateDir, ops: nodeFiles, wasmFile, isShipped }) }),
    reduce,
    eventTypes: EVENT_TYPES,
    clock,
    checked: projectsChecked(places),
    follows: committed !== null,
    owner: null,
  });
}

/** Every event that counts, in order. Writes nothing and claims nothing. */
export async function readEvents(options: Pick<StorageOptions, 'places'> & Committed): Promise<readonly Event[]> {
  const { places, committed = null } = options;
  const key = await findKey(places.configDir, nodeFiles);
  const seal = key === null ? null : lineSeal(key, 'events');
  const log = await openEventLog({ stateDir: places.stateDir, ops: nodeFiles, seal, committed });
  try {
    return (await log.read(null)).events;
  } finally {
    await log.close();
  }
}
