/** The tool calls that the demo's workers make, by the names and inputs of the real tools. */
import type { Call } from '../../scenario.ts';

export function read(file_path: string): Call {
  return { tool: 'read', input: { file_path } };
}

export function write(file_path: string, content: string): Call {
  return { tool: 'write', input: { file_path, content } };
}

/** The calls of one turn run side by side: never two edits of one file in a turn. */
export function edit(file_path: string, old_string: string, new_string: string): Call {
  return { tool: 'edit', input: { file_path, edits: [{ old_string, new_string }] } };
}

export function bash(command: string): Call {
  return { tool: 'bash', input: { command } };
}

export function note(
  scope: 'feature' | 'category' | 'global',
  content: string,
  place: { file?: string; line?: number } = {},
): Call {
  return { tool: 'note', input: { scope, content, ...place } };
}

export function report(summary: string): Call {
  return { tool: 'report', input: { outcome: 'done', summary, question: '' } };
}

export function stuck(summary: string, question: string): Call {
  return { tool: 'report', input: { outcome: 'stuck', summary, question } };
}
