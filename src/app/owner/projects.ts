/** Assembles the followers of the projects and of all work while an owner works. */
import { keepAwake } from '../../adapters/shell/keepAwake.ts';
import type { RelayMode } from '../../core/project/relay.ts';
import { followHeartbeats } from '../../engine/project/heartbeat.ts';
import { suspendIdle } from '../../engine/project/idle.ts';
import { followEndedJobs } from '../../engine/project/memory/episodes.ts';
import { startRelay } from '../../engine/project/relay.ts';
import type { Store } from '../../engine/state/store.ts';
import { KeepAwake } from '../../engine/workspace/keepAwake.ts';
import type { ThreadPool } from '../../engine/workspace/threads/threadPool.ts';
import { asFailure } from '../../shared/errors.ts';
import type { AtWork } from '../../shared/workspace/atWork.ts';
import { projectMemory } from '../open/memories.ts';
import { filesOfEpoch } from '../open/stateFiles.ts';
import type { OwnerOptions } from './ownerOptions.ts';

export interface Followed extends Pick<OwnerOptions, 'clock' | 'places' | 'env' | 'keepAwake'> {
  readonly store: Store;
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
  readonly awake: AtWork['awake'];
  close(): Promise<void>;
}

/** Starts every follower of the projects while an owner works; called once. */
export function followProjects({
  store,
  clock,
  places,
  idleMinutes,
  relay,
  problem,
  ...followed
}: Followed): Following {
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
  const { threadPool, env, keepAwake: wanted = () => false } = followed;
  const keeping = new KeepAwake({
    store,
    clock,
    atWork: () => ({ works: true, jobs: threadPool.jobs, turns: threadPool.turns }),
    wanted,
    hold: (fault) => keepAwake({ environment: env, outside: [places.projectDir] }, fault),
    problem,
  });
  return {
    get passing() {
      return [...episodes.passing, ...relaying.passing];
    },
    get awake() {
      return keeping.awake;
    },
    close: async () => {
      keeping.close();
      for (const stop of stops) stop();
      await relaying.close();
      await episodes.close();
    },
  };
}
