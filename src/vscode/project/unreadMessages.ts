/** What projects said and nobody saw, oldest first. The main agent's words are the person's own conversation with it. */
import { MAIN_PROJECT, type MessageRow } from '../../shared/project/projects.ts';
import type { State } from '../../shared/workspace/state.ts';

export function unreadMessages({ messages }: State): readonly MessageRow[] {
  return [...messages.values()].filter(
    ({ direction, read_at, project_id }) => direction === 'out' && read_at === null && project_id !== MAIN_PROJECT,
  );
}
