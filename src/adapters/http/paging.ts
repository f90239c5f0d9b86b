/**
 * Divides tasks into pages, newest first. A cursor names the last task of a page by fields that never change, so that
 * no task is repeated or skipped.
 */
import type { TaskRow } from '../../shared/task/tasks.ts';

export interface Page {
  readonly tasks: readonly TaskRow[];
  readonly nextCursor: string | null;
}

type Key = readonly [createdAt: string, id: string];

const keyOf = (task: TaskRow): Key => [task.created_at, task.id];

function compare(a: Key, b: Key): number {
  const at = a[0] === b[0] ? 1 : 0;
  return (a[at] ?? '') < (b[at] ?? '') ? -1 : 1;
}

/** Returns null if the cursor is invalid. */
export function pageOf(tasks: readonly TaskRow[], limit: number, cursor: string | undefined): Page | null {
  const after = cursor === undefined ? undefined : readCursor(cursor);
  if (after === null) return null;
  const sorted = tasks.toSorted((a, b) => compare(keyOf(b), keyOf(a)));
  const rest =
    after === undefined ? sorted : sorted.filter((task) => compare(keyOf(task), after) < 0 && task.id !== after[1]);
  const shown = rest.slice(0, limit);
  const last = shown.at(-1);
  return { tasks: shown, nextCursor: last === undefined || rest.length <= limit ? null : written(keyOf(last)) };
}

const written = (key: Key): string => Buffer.from(key.join(' ')).toString('base64url');

function readCursor(cursor: string): Key | null {
  const [createdAt = '', id] = Buffer.from(cursor, 'base64url').toString().split(' ');
  return id === undefined || Number.isNaN(Date.parse(createdAt)) ? null : [createdAt, id];
}
