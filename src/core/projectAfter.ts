/** A project that comes after another one: nothing of it runs until that one is completed. Only the first turn waits. */
import type { ProjectRow } from '../shared/projects.ts';
import type { State } from '../shared/state.ts';

const WAITS = 'waits until project ';

const isOver = ({ status }: ProjectRow): boolean => status === 'completed' || status === 'archived';

/** Whether a project is parked because of the one that it comes after. */
export const isAwaiting = (parked: string | null): boolean => parked?.startsWith(WAITS) === true;

/** Why a project that had no turn yet is parked; null if nothing is in its way. A project that is not there is waited for by none. */
export function awaits(
  state: State,
  { id, status, after }: Pick<ProjectRow, 'id' | 'status' | 'after'>,
): string | null {
  const before = after === null ? undefined : state.projects.get(after);
  if (status !== 'active' || before === undefined || isOver(before)) return null;
  for (const row of state.sessions.values()) if (row.project_id === id && row.role === 'project') return null;
  return `${WAITS}${before.id} is completed`;
}

/** Projects that start when this one is completed. */
export const awaiting = ({ projects }: State, completed: string): ProjectRow[] =>
  [...projects.values()].filter(({ after, parked }) => after === completed && isAwaiting(parked));

/** Whether a project would wait for itself, over any others. */
export function isCircle({ projects }: State, id: string, after: string): boolean {
  const seen = new Set([id]);
  for (let at: string | null = after; at !== null; at = projects.get(at)?.after ?? null) {
    if (seen.has(at)) return true;
    seen.add(at);
  }
  return false;
}
