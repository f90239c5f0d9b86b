/** Decides whether a project must wait for another one: its first turn does not run until that project is completed. */
import type { ProjectRow } from '../../shared/project/projects.ts';
import type { State } from '../../shared/workspace/state.ts';
import { parkedOf, parkedText } from './parked.ts';

const isOver = ({ status }: ProjectRow): boolean => status === 'completed' || status === 'archived';

/** Whether a project is parked until another one is completed. */
export const isAwaiting = (parked: string | null): boolean => parkedOf(parked)?.for === 'project';

/** The reason why a project without a turn is parked. Null if it may run. A project that does not exist blocks no other project. */
export function awaits(
  state: State,
  { id, status, after }: Pick<ProjectRow, 'id' | 'status' | 'after'>,
): string | null {
  const before = after === null ? undefined : state.projects.get(after);
  if (status !== 'active' || before === undefined || isOver(before)) return null;
  for (const row of state.sessions.values()) if (row.project_id === id && row.role === 'project') return null;
  return parkedText({ for: 'project', project: before.id });
}

/** Projects that start when this one is completed. */
export const awaiting = ({ projects }: State, completed: string): ProjectRow[] =>
  [...projects.values()].filter(({ after, parked }) => after === completed && isAwaiting(parked));

/** Whether a project would wait for itself, directly or through other projects. */
export function isCircle({ projects }: State, id: string, after: string): boolean {
  const seen = new Set([id]);
  for (let at: string | null = after; at !== null; at = projects.get(at)?.after ?? null) {
    if (seen.has(at)) return true;
    seen.add(at);
  }
  return false;
}
