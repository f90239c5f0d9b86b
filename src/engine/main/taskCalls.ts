/** The task tool for callers that speak for the person. Works on any project. */
import type { MainToolInput } from '../../shared/workspace/mainTools.ts';
import { callTaskTool, type TaskCaller } from '../task/ask/taskTool.ts';
import type { MainAgentTools } from './mainAgentTools.ts';

/** This caller has no known turns: a repeated request for an ended task is a new request. */
const CALLER: TaskCaller = { by: 'main', project: null, since: null };

export const taskCalls = {
  long_running_task: async ({ state, request, clock }: MainAgentTools, input: MainToolInput<'long_running_task'>) =>
    callTaskTool({ state, request, now: () => clock.now() }, CALLER, input),
};
