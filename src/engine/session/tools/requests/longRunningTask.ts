import { TASK_TOOL, TASK_TOOL_DESCRIPTION, TASK_TOOL_INPUT } from '../../../../shared/task/taskTool.ts';
import { projectOf } from '../projectOf.ts';
import { defineTool } from '../tool.ts';
import { acceptedText } from '../toolResult.ts';

export const longRunningTask = defineTool({
  name: TASK_TOOL,
  description: TASK_TOOL_DESCRIPTION,
  input: TASK_TOOL_INPUT,
  live: ({ action }) => `${TASK_TOOL} ${action}`,
  run: async (input, context) => acceptedText(await projectOf(context).taskTool(input)),
});
