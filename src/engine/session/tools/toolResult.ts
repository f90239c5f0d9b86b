/** Turns an answer of the engine into the result of a tool. */
import { ToolError } from '@anthropic-ai/sdk/lib/tools/ToolError';
import type { ToolResult } from '../ports.ts';

/** Returns the text of an answer. Throws a refusal as an error result. */
export function acceptedText(answer: ToolResult): string {
  if (!answer.ok) throw new ToolError(answer.text);
  return answer.text;
}
