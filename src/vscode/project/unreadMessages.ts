/** The unread messages of projects, oldest first. Excludes the main agent: its messages belong to the user's own conversation. */
import { MAIN_PROJECT, type MessageRow } from '../../shared/project/projects.ts';
import type { State } from '../../shared/workspace/state.ts';

export function unreadMessages({ messages }: State): readonly MessageRow[] {
  return [...messages.values()].filter(
    ({ direction, read_at, project_id }) => direction === 'out' && read_at === null && project_id !== MAIN_PROJECT,
  );
}
