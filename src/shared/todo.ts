/** A worker's own to-do list: what it says that it will do, for people and for the next attempt. Never evidence. */
export const TODO_STATES = ['pending', 'in_progress', 'done'] as const;
export type TodoState = (typeof TODO_STATES)[number];

export interface TodoItem {
  readonly text: string;
  readonly state: TodoState;
}

/** Of one list. */
export const MAX_TODO_ITEMS = 30;
/** Characters of one item. */
export const MAX_TODO_TEXT = 200;

export interface TodoProgress {
  readonly done: number;
  readonly total: number;
  /** Text of the first item in progress; null: none is. */
  readonly current: string | null;
}
