/** The input by which a project ends its turn with a tool call, and the reply of such a turn. It saves a request. */
import { z } from 'zod';
import { isFields } from '../../../core/text/json.ts';
import { TOLD_LATER } from '../../../shared/job/jobTool.ts';
import type { AgentRole } from '../../../shared/session.ts';
import { resultText } from '../transcript/messages.ts';

/** Tools whose result is the result of the turn. A notice is a reply by itself. */
const REPLIES = ['submit_brief', 'steer_job'];

type Results = readonly Parameters<typeof resultText>[0][];

export const endsTurn = z.boolean().optional().describe('True if nothing is left to do: your turn ends with this call');

/** Whether a round ended the turn: a call asked for it, and no call of the round failed. */
export function turnEnds(
  role: AgentRole,
  calls: readonly { readonly input: unknown }[],
  results: readonly { readonly is_error?: boolean | undefined }[],
): boolean {
  if (role !== 'project' || results.some(({ is_error }) => is_error === true)) return false;
  return calls.some(({ input }) => isFields(input) && input['ends_turn'] === true);
}

/** The reply of a turn that ended with calls: the text beside them, and what they filed or steered. */
export function endedTurnText(
  text: string,
  calls: readonly { readonly id: string; readonly name: string }[],
  results: Results,
): string {
  const replying = new Set(calls.filter(({ name }) => REPLIES.includes(name)).map(({ id }) => id));
  const came = results.filter(({ tool_use_id }) => replying.has(tool_use_id));
  return [text, ...came.map((result) => resultText(result).replace(TOLD_LATER, ''))]
    .filter((part) => part !== '')
    .join('\n');
}
