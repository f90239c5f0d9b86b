/** Tasks that a project's conversation makes and leads, in its own project alone. */

import { z } from 'zod';
import { turnBegan } from '../../../core/project/conversations.ts';
import { oneByOne } from '../../../core/session/oneByOne.ts';
import { failure } from '../../../shared/errors.ts';
import { TASK_TOOL, TASK_TOOL_INPUT } from '../../../shared/task/taskTool.ts';
import { callTaskTool, type TaskToolContext } from './taskTool.ts';

const later = (a: string, b: string): string => (a < b ? b : a);

/**
 * Calls of one round run one after the other, and an interrupted round is repeated: a task made since the turn started is the
 * requested one. Throws NOT_PERMITTED for another project's session.
 */
export function conversationTasks(context: TaskToolContext) {
  const inTurn = oneByOne();

  async function call(projectId: string, sessionId: number, given: unknown): Promise<string> {
    const session = context.state.sessions.get(sessionId);
    if (session?.project_id !== projectId || session.job_id !== null || session.role !== 'project') {
      throw failure('NOT_PERMITTED', 'a conversation can make tasks only in its own project');
    }
    const parsed = TASK_TOOL_INPUT.safeParse(given);
    if (!parsed.success)
      throw failure('INVALID_INPUT', `${TASK_TOOL}: ${z.prettifyError(parsed.error).slice(0, 2_000)}`);
    const since = later(session.started_at, turnBegan(context.state, projectId));
    return callTaskTool(context, { by: 'agent', project: projectId, since }, parsed.data);
  }

  return (projectId: string, sessionId: number, given: unknown): Promise<string> =>
    inTurn(() => call(projectId, sessionId, given));
}
