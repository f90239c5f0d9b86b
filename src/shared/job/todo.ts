/** A worker's own to-do list: its plan of work, shown to people and to the next attempt. It is never evidence. */
export const TODO_STATES = ['pending', 'in_progress', 'done'] as const;
export type TodoState = (typeof TODO_STATES)[number];

export interface TodoItem {
  readonly text: string;
  readonly state: TodoState;
}

/** Limit of one list. */
export const MAX_TODO_ITEMS = 30;
/** Characters of one item. */
export const MAX_TODO_TEXT = 200;

export interface TodoProgress {
  readonly done: number;
  readonly total: number;
  /** Text of the first item in progress. Null if no item is in progress. */
  readonly current: string | null;
}

/** Returns null if the list is empty. */
export function todoProgress(items: readonly TodoItem[]): TodoProgress | null {
  if (items.length === 0) return null;
  return {
    done: items.filter(({ state }) => state === 'done').length,
    total: items.length,
    current: items.find(({ state }) => state === 'in_progress')?.text ?? null,
  };
}
