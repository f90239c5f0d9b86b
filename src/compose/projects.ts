/** What the owner grants wishes about projects with, and who follows their life. */
import type { RelayMode } from '../core/relay.ts';
import type { GitPort } from '../engine/ports.ts';
import type { Store } from '../engine/store.ts';
import { followEndedJobs } from '../projects/episodes.ts';
import { followHeartbeats } from '../projects/heartbeat.ts';
import { suspendIdle } from '../projects/idle.ts';
import { checkProjectName } from '../projects/names.ts';
import { startRelay } from '../projects/relay.ts';
import type { Roster } from '../projects/roster.ts';
import { beginDefinition } from '../projects/templates.ts';
import type { ProjectWishPorts } from '../projects/wishes.ts';
import type { Clock } from '../shared/clock.ts';
import { asFailure, failure } from '../shared/errors.ts';
import type { ProjectDefinition } from '../shared/projects.ts';
import { projectMemory } from './memories.ts';
import type { Places } from './places.ts';

/** Without files: nothing is checked on the disk but the workdir. */
export function projectWishPorts(store: Store, git: GitPort, defaults: ProjectDefinition): ProjectWishPorts {
  return {
    store,
    defaults,
    checkName: checkProjectName,
    checkFree: async () => undefined,
    begin: (input) => beginDefinition({ names: async () => [], read: async () => null }, input),
    checkWorkdir: async (path) => (await git.inspect(path)).root,
    foundDefinition: async (name): Promise<ProjectDefinition> => {
      throw failure('NOT_FOUND', `there is no PROJECT.md of ${name}`);
    },
  };
}

export interface Followed {
  readonly store: Store;
  readonly clock: Clock;
  readonly places: Places;
  readonly roster: Roster;
  /** Minutes after which a project that says nothing of it is suspended when it has nothing to do; 0: never. */
  readonly idleMinutes: number;
  readonly relay: RelayMode;
  /** What nobody waits for and must be known, one sentence. */
  problem(text: string): void;
}

/** Begins everything that follows the projects while an owner works; called once. */
export function followProjects({ store, clock, places, idleMinutes, relay, problem }: Followed): {
  close(): Promise<void>;
} {
  const failed = (thrown: unknown): void => {
    // It was done by somebody else a moment ago, or the owner stops.
    const { code, message } = asFailure(thrown);
    if (code !== 'ILLEGAL_TRANSITION' && code !== 'ABORTED') problem(message);
  };
  const stops = [
    suspendIdle({ store, clock, minutes: idleMinutes, failed }),
    followHeartbeats({ store, clock, failed }),
  ];
  const episodes = followEndedJobs({ store, memoryOf: (id) => projectMemory(places.stateDir, id), failed });
  const relaying = startRelay({ store, clock, mode: () => relay, failed });
  return {
    close: async () => {
      for (const stop of stops) stop();
      await relaying.close();
      await episodes.close();
    },
  };
}
