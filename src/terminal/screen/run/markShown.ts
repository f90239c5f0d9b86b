/** Marks messages that a person saw at the terminal as read. */
import { projectMessages } from '../../../core/state/rows.ts';
import type { MessageRow } from '../../../shared/project/projects.ts';
import type { Connection } from './connection.ts';

/** Marks replies as read unless an earlier message that was not shown would be marked with them. */
export async function markShown({ state, engine }: Connection, said: readonly MessageRow[]): Promise<void> {
  const last = said.at(-1);
  if (last === undefined) return;
  const project = last.project_id;
  const isHidden = (row: MessageRow): boolean => row.direction === 'out' && row.read_at === null && !said.includes(row);
  const hidden = projectMessages(state, project).find((row) => row.id < last.id && isHidden(row));
  const upTo = hidden === undefined ? last.id : said.findLast(({ id }) => id < hidden.id)?.id;
  if (upTo !== undefined) await engine.request('markRead', { project, upTo });
}
