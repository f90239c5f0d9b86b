/**
 * Keeps each PROJECT.md saying what the events say, and makes questions of a person's edits: nothing of an edit counts
 * before the steward took it over. Runs in the owner alone.
 */
import type { Parked } from '../../../core/project/parked.ts';
import { findFailure, messageOf } from '../../../shared/errors.ts';
import { MAIN_PROJECT } from '../../../shared/project/projects.ts';
import type { Event } from '../../../shared/workspace/events.ts';
import type { Store } from '../../state/store.ts';
import { settleParking } from './parking.ts';
import { type DefinitionPorts, isLive, type Occasion, settleFile } from './settleDefinition.ts';

/** Editors save in several steps. */
const DEBOUNCE_MS = 300;

export interface DefinitionsOptions extends DefinitionPorts {
  /** Reason why an accepted workdir cannot be used now. Fast. */
  workdirFault(path: string): Promise<Parked | null>;
  problem(text: string): void;
}

export interface Definitions {
  /** Checks the file of this project. Resolves when its content has been handled. Never rejects. */
  look(project: string): Promise<void>;
  /** Resolves when everything that was noticed is dealt with. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

export function followDefinitions(options: DefinitionsOptions): Definitions {
  const { store, clock, files } = options;
  const queues = new Map<string, Promise<void>>();
  const timers = new Map<string, () => void>();
  let closed = false;

  const watching = files.watch(later, (thrown) =>
    options.problem(
      `an edit of PROJECT.md is only noticed with the next command for its project: watching failed: ${messageOf(thrown)}`,
    ),
  );

  function later(project: string): void {
    if (closed || timers.has(project)) return;
    const go = (): void => {
      timers.delete(project);
      void look(project, 'other');
    };
    timers.set(project, clock.timer(DEBOUNCE_MS, go));
  }

  function follow(project: string): void {
    const row = store.state.projects.get(project);
    if (!closed && row !== undefined && isLive(row)) watching.follow(project);
  }

  /** Checks of one project run one after the other. */
  function look(project: string, occasion: Occasion): Promise<void> {
    const mine = (queues.get(project) ?? Promise.resolve()).then(async () => {
      // Before, so that no edit is missed; after, for a folder that was made.
      follow(project);
      await settle(options, project, occasion);
      follow(project);
    });
    queues.set(project, mine);
    void mine.then(() => {
      if (queues.get(project) === mine) queues.delete(project);
    });
    return mine;
  }

  const unsubscribe = store.subscribe((event) => {
    const found = occasionOf(event, store);
    if (found === null) return;
    const row = store.state.projects.get(found.project);
    if (row !== undefined && !isLive(row)) watching.unfollow(found.project);
    void look(found.project, found.occasion);
  });
  for (const id of store.state.projects.keys()) void look(id, 'other');

  const settled = async (): Promise<void> => {
    while (queues.size > 0) await Promise.all(queues.values());
  };
  return {
    look: (project) => look(project, 'other'),
    settled,
    close: async () => {
      unsubscribe();
      closed = true;
      watching.close();
      for (const cancel of timers.values()) cancel();
      // Committed changes are written before the end.
      await settled();
    },
  };
}

async function settle(options: DefinitionsOptions, project: string, occasion: Occasion): Promise<void> {
  const { store } = options;
  const row = store.state.projects.get(project);
  if (row === undefined || project === MAIN_PROJECT) return;
  try {
    const hold = (await settleFile(options, row, occasion)) ?? (await workdirHold(options, project));
    await settleParking(store, project, hold, occasion === 'unparked');
  } catch (thrown) {
    const code = findFailure(thrown)?.code;
    // The event that made the draft illegal causes another check.
    if (code === 'ILLEGAL_TRANSITION' || code === 'OWNER_LOST' || code === 'ABORTED') return;
    options.problem(`PROJECT.md of ${project}: ${messageOf(thrown)}`);
  }
}

async function workdirHold({ store, workdirFault }: DefinitionsOptions, project: string): Promise<Parked | null> {
  const row = store.state.projects.get(project);
  return row?.status !== 'active' || row.workdir === null ? null : workdirFault(row.workdir);
}

function occasionOf(event: Event, { state }: Store): { readonly project: string; readonly occasion: Occasion } | null {
  switch (event.type) {
    case 'project_created':
      return { project: event.project.id, occasion: 'made' };
    case 'project_unparked':
      return { project: event.project_id, occasion: 'unparked' };
    case 'project_defined':
    case 'project_suspended':
    case 'project_resumed':
    case 'project_completed':
    case 'project_archived':
      return { project: event.project_id, occasion: 'other' };
    case 'approval_decided': {
      const row = state.approvals.get(event.id);
      const isOurs = row?.kind === 'definition' || row?.kind === 'workdir';
      return isOurs ? { project: row.project_id, occasion: 'other' } : null;
    }
    default:
      return null;
  }
}
