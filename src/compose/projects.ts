/** What the owner grants wishes about projects with, and who follows their life. */
import { realpath } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import type { RelayMode } from '../core/relay.ts';
import type { GitPort } from '../engine/ports.ts';
import type { Store } from '../engine/store.ts';
import { followHeartbeats } from '../projects/heartbeat.ts';
import { suspendIdle } from '../projects/idle.ts';
import { checkProjectName } from '../projects/names.ts';
import { startRelay } from '../projects/relay.ts';
import type { Roster } from '../projects/roster.ts';
import type { ProjectWishPorts } from '../projects/wishes.ts';
import type { Clock } from '../shared/clock.ts';
import { asFailure, failure } from '../shared/errors.ts';
import type { ProjectDefinition } from '../shared/projects.ts';
import type { Places } from './places.ts';

export function projectWishPorts(store: Store, git: GitPort, defaults: ProjectDefinition): ProjectWishPorts {
  return {
    store,
    defaults,
    checkName: checkProjectName,
    bodyOf: async ({ body, goal = '', background = '', constraints = '' }) => {
      if (body !== undefined) return body;
      const parts = { Goal: goal, Background: background, Constraints: constraints };
      return Object.entries(parts)
        .filter(([, text]) => text.trim() !== '')
        .map(([title, text]) => `## ${title}\n\n${text.trim()}`)
        .join('\n\n');
    },
    checkWorkdir: async (path) => {
      if (!isAbsolute(path))
        throw failure('INVALID_INPUT', 'the workdir is not an absolute path', { details: { path } });
      const { root } = await git.inspect(await realpath(path));
      return root;
    },
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
export function followProjects({ store, clock, idleMinutes, relay, problem }: Followed): { close(): Promise<void> } {
  const failed = (thrown: unknown): void => {
    // It was done by somebody else a moment ago, or the owner stops.
    const { code, message } = asFailure(thrown);
    if (code !== 'ILLEGAL_TRANSITION' && code !== 'ABORTED') problem(message);
  };
  const stops = [
    suspendIdle({ store, clock, minutes: idleMinutes, failed }),
    followHeartbeats({ store, clock, failed }),
  ];
  const relaying = startRelay({ store, clock, mode: () => relay, failed });
  return {
    close: async () => {
      for (const stop of stops) stop();
      await relaying.close();
    },
  };
}
