/**
 * Computes the briefing of a conversation before its next turn: the time, and for the main agent the state of everything. Runs in
 * the owner.
 */

import { awaiting } from '../../core/project/projectAfter.ts';
import { otherProjects } from '../../core/project/relay.ts';
import { unheardByMain } from '../../core/project/replies.ts';
import { type Clock, minuteText } from '../../shared/clock.ts';
import { MAIN_PROJECT, type MessageRow } from '../../shared/project/projects.ts';
import type { Briefing } from '../project/threadPorts.ts';
import { visibleText } from '../session/text.ts';
import type { Store } from '../state/store.ts';
import { NOTICES_AT_ONCE, standingText } from './standing.ts';

export interface BriefingPorts {
  readonly store: Store;
  readonly clock: Clock;
  /** Name and branch of the repository that a project works on, without a path. Does not reject. */
  repositoryOf(projectId: string): Promise<string>;
  /** Ids of the jobs whose loop runs in this process. */
  working(): readonly string[];
}

/** Before the main agent's turn the notices of the turn before are marked as read by it: its conversation holds them. */
export async function briefing(
  { store, clock, repositoryOf, working }: BriefingPorts,
  projectId: string,
  heldUpTo: number,
): Promise<Briefing> {
  const { state } = store;
  if (projectId !== MAIN_PROJECT) {
    const repository = visibleText(await repositoryOf(projectId));
    const waiting = awaiting(state, projectId).map(({ id }) => id);
    return { now: nowText(clock), others: otherProjects(state, projectId), waiting, repository };
  }
  await markHeld(store, heldUpTo);
  const now = `# Now\n${nowText(clock)}\n${visibleText(standingText(state, clock, working()))}`;
  return { now, others: [], waiting: [], repository: '' };
}

async function markHeld(store: Store, heldUpTo: number): Promise<void> {
  const given = unheardByMain(store.state)
    .filter(({ id }) => id <= heldUpTo)
    .slice(0, NOTICES_AT_ONCE);
  for (const [project_id, rows] of Map.groupBy(given, (row: MessageRow) => row.project_id)) {
    const up_to = Math.max(...rows.map(({ id }) => id));
    await store.commit({ type: 'messages_read', project_id, direction: 'out', up_to, by: 'main' });
  }
}

/** e.g. `It is Tuesday, 2026-11-24 10:41 in Europe/Berlin, which is 2026-11-24 09:41 in UTC. All other times are in UTC.` */
function nowText(clock: Clock, timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone): string {
  const at = new Date(clock.now());
  const day = new Intl.DateTimeFormat('en-GB', { weekday: 'long', timeZone }).format(at);
  const utc = minuteText(at.toISOString());
  const zoned = { dateStyle: 'short', timeStyle: 'short', timeZone } as const;
  // Sweden writes a date as ISO 8601 does.
  const here = new Intl.DateTimeFormat('sv-SE', zoned).format(at);
  const inUtc = timeZone === 'UTC' ? '' : `, which is ${utc} in UTC`;
  return `It is ${day}, ${here} in ${timeZone}${inUtc}. All other times are in UTC.`;
}
