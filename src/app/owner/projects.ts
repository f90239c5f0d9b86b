/** Assembles the followers of the projects while an owner works. */
import type { RelayMode } from '../../core/project/relay.ts';
import { followHeartbeats } from '../../engine/project/heartbeat.ts';
import { suspendIdle } from '../../engine/project/idle.ts';
import { followEndedJobs } from '../../engine/project/memory/episodes.ts';
import { startRelay } from '../../engine/project/relay.ts';
import type { Store } from '../../engine/state/store.ts';
import type { WorkspacePaths } from '../../engine/state/workspacePaths.ts';
import type { ThreadPool } from '../../engine/workspace/threads/threadPool.ts';
import type { Clock } from '../../shared/clock.ts';
import { asFailure } from '../../shared/errors.ts';
import { projectMemory } from '../open/memories.ts';
import { filesOfEpoch } from '../open/stateFiles.ts';

export interface Followed {
  readonly store: Store;
  readonly clock: Clock;
  readonly places: WorkspacePaths;
  readonly threadPool: ThreadPool;
  /** Minutes of idle time after which a project without such a setting is suspended; 0 for never. */
  readonly idleMinutes: number;
  readonly relay: RelayMode;
  /** Logs a problem that no caller is waiting for. `text` is one sentence. */
  problem(text: string): void;
}

export interface Following {
  /** Projects with an ended job or a message that is not relayed yet: a turn may follow. */
  readonly passing: readonly string[];
  close(): Promise<void>;
}

/** Starts every follower of the projects while an owner works; called once. */
export function followProjects({ store, clock, places, idleMinutes, relay, problem }: Followed): Following {
  const failed = (thrown: unknown): void => {
    // Ignore: another writer won the race, or the owner is shutting down.
    const { code, message } = asFailure(thrown);
    if (code !== 'ILLEGAL_TRANSITION' && code !== 'ABORTED') problem(message);
  };
  const stops = [
    suspendIdle({ store, clock, minutes: idleMinutes, failed }),
    followHeartbeats({ store, clock, failed }),
  ];
  const ops = filesOfEpoch(places.stateDir, store.epoch);
  const memoryOf = (id: string) => projectMemory(places.stateDir, id, ops);
  const episodes = followEndedJobs({ store, memoryOf, failed });
  const relaying = startRelay({ store, clock, mode: () => relay, failed });
  return {
    get passing() {
      return [...episodes.passing, ...relaying.passing];
    },
    close: async () => {
      for (const stop of stops) stop();
      await relaying.close();
      await episodes.close();
    },
  };
}
