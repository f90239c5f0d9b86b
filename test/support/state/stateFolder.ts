/** A state folder of its own, and stores on it put together as `app/` does. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../../src/adapters/clock.ts';
import { nodeFiles } from '../../../src/adapters/files/files.ts';
import { openEventLog } from '../../../src/adapters/log/eventLog.ts';
import { lineSeal } from '../../../src/adapters/log/seal.ts';
import { openOldState } from '../../../src/adapters/sqlite/oldState.ts';
import { openProjection } from '../../../src/adapters/sqlite/projection.ts';
import { EVENT_TYPES, reduce } from '../../../src/core/workspace/reduce.ts';
import type { Claimant } from '../../../src/engine/state/claimPorts.ts';
import { openStore } from '../../../src/engine/state/openStore.ts';
import type { Store } from '../../../src/engine/state/store.ts';
import type { EventLog, FileOps, Projection } from '../../../src/engine/state/storePorts.ts';
import type { Clock } from '../../../src/shared/clock.ts';

export interface StateFolder extends Disposable {
  readonly root: string;
  readonly stateDir: string;
  readonly key: Uint8Array;
}

export function stateFolder(): StateFolder {
  const root = mkdtempSync(join(tmpdir(), 'autonomous-state-'));
  return {
    root,
    stateDir: join(root, '.autonomous'),
    key: randomBytes(32),
    [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true, maxRetries: 3 }),
  };
}

export interface OpenOptions {
  readonly ops?: FileOps;
  readonly mode?: 'write' | 'read';
  readonly database?: boolean;
  readonly segmentBytes?: number;
  /** Of a reader: where the log's owner is. */
  readonly committed?: number;
  readonly replayBytes?: number;
  readonly clock?: Clock;
  readonly key?: Uint8Array | null;
  /** Whether an old database came with the repository. */
  readonly shipped?: boolean;
  /** The owner says in its claim what it committed last. */
  readonly claims?: boolean;
  readonly restores?: boolean;
}

const CLAIMANT: Claimant = { claim: new Uint8Array(), gone: async () => undefined, claimed: async () => undefined };

export function openLog(folder: StateFolder, options: OpenOptions = {}): Promise<EventLog> {
  const key = options.key === undefined ? folder.key : options.key;
  return openEventLog({
    stateDir: folder.stateDir,
    ops: options.ops ?? nodeFiles,
    seal: key && lineSeal(key, 'events'),
    ...(options.segmentBytes === undefined ? {} : { segmentBytes: options.segmentBytes }),
    ...(options.committed === undefined ? {} : { committed: options.committed }),
    ...(options.claims === true ? { claimant: CLAIMANT } : {}),
  });
}

export function projectionOf(folder: StateFolder, options: OpenOptions = {}): Projection {
  return openProjection({
    stateDir: folder.stateDir,
    ops: options.ops ?? nodeFiles,
    seal: lineSeal(options.key ?? folder.key, 'database'),
    clock: options.clock ?? systemClock(),
  });
}

export async function open(folder: StateFolder, options: OpenOptions = {}): Promise<Store> {
  return openStore({
    log: await openLog(folder, options),
    projection: options.database === true ? projectionOf(folder, options) : null,
    ...(options.database === true
      ? {
          old: openOldState({
            stateDir: folder.stateDir,
            ops: options.ops ?? nodeFiles,
            isShipped: async () => options.shipped ?? false,
          }),
        }
      : {}),
    reduce,
    eventTypes: EVENT_TYPES,
    clock: options.clock ?? systemClock(),
    owner: options.mode === 'read' ? null : { pid: process.pid, version: '0.0.0-test' },
    follows: options.committed !== undefined,
    restores: options.restores ?? false,
    ...(options.replayBytes === undefined ? {} : { replayBytes: options.replayBytes }),
  });
}
