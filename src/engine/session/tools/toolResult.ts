/** Turns an answer of the engine into the result of a tool. */
import { ToolError } from '@anthropic-ai/sdk/lib/tools/ToolError';
import type { ToolResult } from '../ports.ts';

/** An answer of the desk; a refusal is an error result. */
export function acceptedText(answer: ToolResult): string {
  if (!answer.ok) throw new ToolError(answer.text);
  return answer.text;
}
