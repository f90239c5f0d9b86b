/** Decides from the state alone which conversations have open work, so that a thread without work need not be loaded. */

import type { SpendRow } from '../../shared/money.ts';
import type { MessageRow } from '../../shared/project/projects.ts';
import type { SessionRow } from '../../shared/session.ts';
import type { State } from '../../shared/workspace/state.ts';
import { projectMessages } from '../state/rows.ts';

const isTalk = (row: SessionRow): boolean => row.job_id === null && (row.role === 'project' || row.role === 'main');

/** Whether a message starts a turn of its conversation. Information (level `info`) is read with the next turn. */
export const wakesTurn = ({
  direction,
  level,
}: Pick<MessageRow, 'direction'> & Partial<Pick<MessageRow, 'level'>>): boolean =>
  direction === 'in' && level !== 'info';

/** Projects whose conversation ever had a session: a session that ended with its project may have left an incomplete answer. */
export function everConversed(state: State): ReadonlySet<string> {
  return new Set([...state.sessions.values()].filter(isTalk).map(({ project_id }) => project_id));
}

/**
 * Projects with messages that start a turn and that no conversation holds, or whose conversation was interrupted during an answer. A project in doubt
 * is included: a reader of the journal then finds that nothing is left to do. A stopped turn has ended. After a kill the journal may lack an answer
 * that was paid for, or the end of a stopped turn; only the journal can show that.
 */
export function unfinishedConversations(state: State): ReadonlySet<string> {
  const unfinished = new Set<string>();
  const heardAt = new Map<string, string>();
  const askedAt = new Map<string, string>();
  const saidAt = new Map<string, string>();
  /** The highest id of a message in each project's conversation. */
  const newestIn = new Map<string, number>();
  for (const row of state.messages.values()) {
    const { id, project_id, direction, sender, read_at, at } = row;
    if (direction === 'in' && read_at === null) {
      if (wakesTurn(row)) unfinished.add(project_id);
    } else if (direction === 'in') {
      newestIn.set(project_id, Math.max(id, newestIn.get(project_id) ?? 0));
      heardAt.set(project_id, later(heardAt.get(project_id), read_at ?? at));
      if (sender === 'steward' || sender === 'main')
        askedAt.set(project_id, later(askedAt.get(project_id), read_at ?? at));
    } else if (sender !== 'task') saidAt.set(project_id, later(saidAt.get(project_id), at));
  }
  const newest = newestCalls(state);
  for (const session of state.sessions.values()) {
    if (session.status !== 'running' || !isTalk(session)) continue;
    const { project_id, role } = session;
    if ((state.projects.get(project_id)?.ended_turn ?? 0) >= (newestIn.get(project_id) ?? 1)) continue;
    const call = newest.get(session.id);
    const heard = heardAt.get(project_id) ?? '';
    const said = saidAt.get(project_id) ?? '';
    // The answer to a turn that was asked is a message: the main agent's last one, or any of a project.
    const isAsked = askedAt.has(project_id) && askedAt.get(project_id) === heard;
    const isDelivered = role === 'main' ? said >= (call?.settled_at ?? '') : !isAsked || said >= heard;
    const isAnswered = call?.status === 'settled' && call.tool_calls === 0 && heard <= call.at && isDelivered;
    if (!isAnswered) unfinished.add(project_id);
  }
  return unfinished;
}

/**
 * Whether completing the project now would lose a turn: one that is running or waiting, or a message that starts one. A stopped turn is not counted.
 */
export function hasOpenTurn(state: State, projectId: string): boolean {
  const project = state.projects.get(projectId);
  if (project?.status !== 'active' || project.parked !== null) return false;
  const { ended_turn } = project;
  const isOpen = (row: MessageRow): boolean => wakesTurn(row) && row.id > (ended_turn ?? 0);
  return unfinishedConversations(state).has(projectId) && projectMessages(state, projectId).some(isOpen);
}

/** When a project's running turn took its messages: no other message is taken before the turn ends. */
export function turnBegan(state: State, projectId: string): string {
  let began = '';
  for (const { project_id, direction, read_at } of state.messages.values()) {
    if (project_id === projectId && direction === 'in' && read_at !== null) began = later(began, read_at);
  }
  return began;
}

function newestCalls(state: State): ReadonlyMap<number, SpendRow> {
  const newest = new Map<number, SpendRow>();
  for (const row of state.spends.values()) {
    if (row.id > (newest.get(row.session_id)?.id ?? 0)) newest.set(row.session_id, row);
  }
  return newest;
}

const later = (a: string | undefined, b: string): string => (a === undefined || b > a ? b : a);
