/** The tool `todo`: replaces the worker's to-do list. */
import { ToolError } from '@anthropic-ai/sdk/lib/tools/ToolError';
import { z } from 'zod';
import { todoText } from '../../../../core/job/history/todo.ts';
import { MAX_TODO_ITEMS, MAX_TODO_TEXT, TODO_STATES, todoProgress } from '../../../../shared/job/todo.ts';
import { defineTool } from '../tool.ts';
import { acceptedText } from '../toolResult.ts';

const item = z.object({
  text: z.string().trim().min(1).max(MAX_TODO_TEXT),
  state: z.enum(TODO_STATES),
});

export const todo = defineTool({
  name: 'todo',
  description:
    'Replace your to-do list with this one. The steward sees it live. For work of several steps: list them first, keep one in_progress, update it as you go.',
  input: z.object({ items: z.array(item).max(MAX_TODO_ITEMS) }),
  live: ({ items }) => {
    const progress = todoProgress(items);
    return progress === null ? 'todo' : `todo ${todoText(progress)}`;
  },
  async run({ items }, { sessionTools }) {
    if (sessionTools.setTodo === undefined) throw new ToolError('This session has no to-do list.');
    return acceptedText(await sessionTools.setTodo(items));
  },
});
