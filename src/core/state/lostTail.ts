/** Compares the database with a log that lost its end, and returns the missing changes of rows. */
import { type Change, type State, TABLE_NAMES, type TableName, type Tables } from '../../shared/workspace/state.ts';

/** The end of the log, and the last event that another part of the state knows. */
export interface LostTail {
  readonly found: number;
  readonly known: number;
}

export function lostTailText({ found, known }: LostTail): string {
  return found === 0
    ? `the event log is missing, but the database knows ${known} events`
    : `the event log ends at event ${found}, though ${known} events were committed`;
}

export const LOST_TAIL_HINT =
  'Put the files of .autonomous/events back from a full backup, or run `autonomous doctor --restore` (in VS Code: Restore Lost State) to take over what the database holds.';

/** Turns `state` into `saved`. */
export function changesTo(state: State, saved: State): readonly Change[] {
  const changes: Change[] = [];
  for (const table of TABLE_NAMES) {
    const before = state[table] as ReadonlyMap<string | number, Tables[TableName]>;
    const after = saved[table] as ReadonlyMap<string | number, Tables[TableName]>;
    for (const [id, row] of after) {
      const known = before.get(id);
      if (known === undefined || !isSame(known, row)) changes.push({ table, put: row } as Change);
    }
    for (const id of before.keys()) if (!after.has(id)) changes.push({ table, drop: id } as Change);
  }
  return [...changes, { table: 'meta', put: saved.meta }];
}

/** Compares by value, ignoring the order of fields. */
function isSame(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return one === other;
  const [fields, others] = [one as Record<string, unknown>, other as Record<string, unknown>];
  const names = Object.keys(fields);
  return names.length === Object.keys(others).length && names.every((name) => isSame(fields[name], others[name]));
}
