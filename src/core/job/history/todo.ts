/** Computes the progress of a worker's to-do list. Pure. */
import type { AttemptRow } from '../../../shared/job/rows.ts';
import {
  MAX_TODO_ITEMS,
  MAX_TODO_TEXT,
  type TodoItem,
  type TodoProgress,
  type TodoState,
} from '../../../shared/job/todo.ts';

/** e.g. `2/5: Write the parser` */
export function todoText({ done, total, current }: TodoProgress): string {
  return `${done}/${total}${current === null ? '' : `: ${current}`}`;
}

const MARKS: Readonly<Record<TodoState, string>> = { pending: '[ ]', in_progress: '[>]', done: '[x]' };

/** One line per item, marked as in Markdown; `[>]` is in progress. */
export const todoLines = (items: readonly TodoItem[]): readonly string[] =>
  items.map(({ text, state }) => `${MARKS[state]} ${text}`);

/** The list of an open attempt; otherwise an empty list. */
export function openTodo(attempt: AttemptRow | null | undefined): readonly TodoItem[] {
  const isOpen = attempt?.status === 'running' || attempt?.status === 'interrupted';
  return isOpen ? attempt.todo : NONE;
}

const NONE: readonly TodoItem[] = [];

export function isSameTodo(a: readonly TodoItem[], b: readonly TodoItem[]): boolean {
  return a.length === b.length && a.every(({ text, state }, at) => text === b[at]?.text && state === b[at]?.state);
}

/** The list within the limits of one, for a list that no schema judged. */
export function boundedTodo(items: readonly TodoItem[]): readonly TodoItem[] {
  return items
    .map(({ text, state }) => ({ text: cut(text.trim()), state }))
    .filter(({ text }) => text !== '')
    .slice(0, MAX_TODO_ITEMS);
}

const cut = (text: string): string => (text.length <= MAX_TODO_TEXT ? text : `${text.slice(0, MAX_TODO_TEXT - 1)}…`);
