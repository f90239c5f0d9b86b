/** Texts of the engine for a model that stopped without its answer. Their prefix marks them in a transcript. */
import type { AgentRole } from '../../shared/session.ts';
import { answerTool } from './answers.ts';

const PREFIX = 'Engine: ';

export function isNudge(text: string): boolean {
  return text.startsWith(PREFIX);
}

export function askForAnswer(role: AgentRole): string {
  const tool = answerTool(role);
  return tool === null
    ? `${PREFIX}your reply had no text. Write the answer as plain text.`
    : `${PREFIX}you stopped without calling ${tool}. Continue if work is left; else call ${tool} now.`;
}

export function truncatedNotice(role: AgentRole): string {
  const tool = answerTool(role);
  const end = tool === null ? '' : ` When the work is done, call ${tool}.`;
  return `${PREFIX}your reply was cut off, so no part of it counts and none of its calls ran. Continue in smaller steps and shorter replies.${end}`;
}

/** The result of a call in a reply that ended in a way that no call may be run from. */
export const NOT_RUN = 'not run: the reply was cut off';

/** The text by which changed instructions reach a conversation that has begun. */
export function changedInstructions(system: string): string {
  return `[engine] Your instructions changed. These hold now, in place of the earlier ones:\n\n${system}`;
}
