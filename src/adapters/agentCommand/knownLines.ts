/**
 * Parses lines of JSON that agents write while they work, in known formats: Claude Code's `stream-json` and cline's
 * `--json`. Other lines are ignored.
 */

import { type Fields, isFields } from '../../core/text/json.ts';
import type { AgentUpdate } from '../../engine/agent/ports.ts';
import type { Usage } from '../../shared/money.ts';

const MAX_OUTPUT = 64 * 1024;

export function updatesOf(line: Fields): AgentUpdate[] {
  const event = line['event'];
  if (line['type'] === 'agent_event' && isFields(event)) return eventUpdates(event);
  const message = line['message'];
  if (!isFields(message) || !Array.isArray(message['content'])) return [];
  return message['content'].filter(isFields).flatMap((block) => blockUpdates(block, textOf(message['id'])));
}

/** A block of an Anthropic message. */
function blockUpdates(block: Fields, message: string | null): AgentUpdate[] {
  const [text, id] = [textOf(block['text']), textOf(block['id'])];
  if (block['type'] === 'text' && text !== null) return [{ kind: 'text', message, text }];
  const thought = textOf(block['thinking']);
  if (block['type'] === 'thinking' && thought !== null)
    return thought === '' ? [] : [{ kind: 'thought', text: thought }];
  if (block['type'] === 'tool_use' && id !== null) {
    const title = textOf(block['name']) ?? 'tool';
    return [{ kind: 'tool', id, title, input: block['input'], status: 'running' }];
  }
  const of = textOf(block['tool_use_id']);
  if (block['type'] !== 'tool_result' || of === null) return [];
  const status = block['is_error'] === true ? 'failed' : 'completed';
  return [{ kind: 'tool', id: of, status, output: shown(block['content']) }];
}

/** An event of cline: the start or the end of something. */
function eventUpdates(event: Fields): AgentUpdate[] {
  const [type, content, id] = [event['type'], event['contentType'], textOf(event['toolCallId'])];
  const text = textOf(event['text']);
  if (type === 'content_end' && content === 'text' && text !== null) return [{ kind: 'text', message: null, text }];
  if (type === 'content_end' && content === 'reasoning' && text !== null) return [{ kind: 'thought', text }];
  if (content !== 'tool' || id === null) return type === 'usage' ? [totals(event)] : [];
  if (type === 'content_start') {
    const title = textOf(event['toolName']) ?? 'tool';
    return [{ kind: 'tool', id, title, input: event['input'], status: 'running' }];
  }
  if (type !== 'content_end') return [];
  const error = textOf(event['error']);
  const status = error === null ? 'completed' : 'failed';
  return [{ kind: 'tool', id, status, output: error ?? shown(event['output']) }];
}

function totals(event: Fields): AgentUpdate {
  const usage = usageOf({ inputTokens: event['totalInputTokens'], outputTokens: event['totalOutputTokens'] });
  return { kind: 'usage', usage, costMicroUsd: microUsd(event['totalCost']) };
}

/** The usage and cost of the whole turn, from the line that ends the turn. */
export function reportedIn(line: Fields): { readonly usage: Usage | null; readonly costMicroUsd: number | null } {
  const usage = isFields(line['usage']) ? line['usage'] : {};
  return { usage: usageOf(usage), costMicroUsd: microUsd(line['total_cost_usd'] ?? usage['totalCost']) };
}

/** In the format of the Messages API, or in that of cline. */
function usageOf(usage: Fields): Usage | null {
  const input = count(usage['input_tokens'] ?? usage['inputTokens']);
  const output = count(usage['output_tokens'] ?? usage['outputTokens']);
  if (input === null || output === null) return null;
  const created = isFields(usage['cache_creation']) ? usage['cache_creation'] : {};
  const cacheWrite1h = count(created['ephemeral_1h_input_tokens']) ?? 0;
  const written = count(usage['cache_creation_input_tokens'] ?? usage['cacheWriteTokens']) ?? 0;
  const cacheRead = count(usage['cache_read_input_tokens'] ?? usage['cacheReadTokens']) ?? 0;
  return { input, output, cacheRead, cacheWrite5m: Math.max(0, written - cacheWrite1h), cacheWrite1h };
}

function shown(value: unknown): string {
  if (typeof value === 'string') return value.slice(0, MAX_OUTPUT);
  const texts = Array.isArray(value) ? value.map((part) => (isFields(part) ? textOf(part['text']) : null)) : [null];
  const text = texts.every((part) => part !== null) ? texts.join('\n') : JSON.stringify(value ?? '');
  return text.slice(0, MAX_OUTPUT);
}

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);

const count = (value: unknown): number | null =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;

const microUsd = (usd: unknown): number | null =>
  typeof usd === 'number' && Number.isFinite(usd) && usd >= 0 ? Math.ceil(usd * 1_000_000 - 1e-6) : null;
