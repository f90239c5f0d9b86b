/** Converts messages and calls of an external agent to transcript entries: messages of the Messages API, without usage. */
import type { BetaToolResultBlockParam, BetaToolUseBlock } from '@anthropic-ai/sdk/resources/beta/messages/messages';
import type { TranscriptEntry } from '../../session/ports.ts';
import { headOnly } from '../../session/text.ts';
import { textBlock } from '../../session/transcript/messages.ts';
import type { Observed, ObservedCall } from './updateAssembler.ts';

/** Characters that a session's transcript holds in full. */
const MAX_SIZE = 8 * 1024 * 1024;
/** Upper limit including shortened text, far above the output of a day's work. */
export const MOST_SIZE = 2 * MAX_SIZE;
const SHORT = 200;
const SHORTENED = '[left out: this session produced more text than is stored]';

export function callBlock(id: string, name: string, input: unknown): BetaToolUseBlock {
  return { type: 'tool_use', id, name, input } as BetaToolUseBlock;
}

export function replyEntry(text: string, calls: readonly BetaToolUseBlock[]): TranscriptEntry {
  const content = [...(text === '' ? [] : [textBlock(text)]), ...calls];
  return {
    kind: 'reply',
    message: { role: 'assistant', content, stop_reason: calls.length > 0 ? 'tool_use' : 'end_turn' },
  };
}

export function resultsEntry(results: readonly BetaToolResultBlockParam[], checkpoint: string | null): TranscriptEntry {
  return { kind: 'results', message: { role: 'user', content: results }, checkpoint };
}

export function resultBlock(id: string, { output, failed }: ObservedCall): BetaToolResultBlockParam {
  return { type: 'tool_result', tool_use_id: id, content: output, ...(failed ? { is_error: true } : {}) };
}

/** Unchanged while there is room in the transcript, then shortened to one line. */
export function fitted(heard: Observed, size: number): Observed {
  if (size < MAX_SIZE) return heard;
  const { text, call } = heard;
  if (call === null) return { text: headOnly(text, SHORT), call };
  const title = typeof call.input['title'] === 'string' ? call.input['title'] : call.name;
  return { text: headOnly(text, SHORT), call: { ...call, input: { title }, output: SHORTENED } };
}
