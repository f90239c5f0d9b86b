/** The tool of tasks, for whoever speaks for the person: any project. */
import type { MainToolInput } from '../../shared/workspace/mainTools.ts';
import { callTaskTool, type TaskCaller } from '../task/ask/taskTool.ts';
import type { MainAgentTools } from './mainAgentTools.ts';

/** Nobody knows its turns here: what is over and asked for again is meant anew. */
const CALLER: TaskCaller = { by: 'main', project: null, since: null };

export const taskCalls = {
  long_running_task: async ({ state, request, clock }: MainAgentTools, input: MainToolInput<'long_running_task'>) =>
    callTaskTool({ state, request, now: () => clock.now() }, CALLER, input),
};
