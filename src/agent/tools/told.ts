import { ToolError } from '@anthropic-ai/sdk/lib/tools/ToolError';

/** An answer of the desk; a refusal is an error result. */
export function told(answer: { readonly ok: boolean; readonly text: string }): string {
  if (!answer.ok) throw new ToolError(answer.text);
  return answer.text;
}
