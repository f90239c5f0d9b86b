/** The input by which a project ends its turn with a tool call. It saves a request that would have nothing to do. */
import { z } from 'zod';
import { isFields } from '../../core/json.ts';
import type { AgentRole } from '../../shared/domain.ts';

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
