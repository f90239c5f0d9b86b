/** Translates an agent's updates. Unknown kinds and odd values are ignored: an update may never end a turn. */

import { type Fields, isFields } from '../../core/text/json.ts';
import type { AgentUpdate } from '../../engine/agent/ports.ts';
import type { TodoItem, TodoState } from '../../shared/job/todo.ts';

const STATUS: Readonly<Record<string, 'running' | 'completed' | 'failed'>> = {
  pending: 'running',
  in_progress: 'running',
  completed: 'completed',
  failed: 'failed',
};
const MAX_OUTPUT = 64 * 1024;

/** `params.update` of a `session/update`; null if it has no effect. */
export function updateOf(update: Fields): AgentUpdate | null {
  switch (update['sessionUpdate']) {
    case 'agent_message_chunk':
      return spoken(update);
    case 'agent_thought_chunk': {
      const text = blockText(update['content']);
      return text === '' ? null : { kind: 'thought', text };
    }
    case 'tool_call':
    case 'tool_call_update':
      return toolOf(update);
    case 'plan':
      return { kind: 'plan', entries: rows(update['entries']).map(planned) };
    case 'usage_update': {
      const costMicroUsd = costOf(update['cost']);
      return costMicroUsd === null ? null : { kind: 'usage', usage: null, costMicroUsd };
    }
    default:
      return null;
  }
}

const PLANNED: Readonly<Record<string, TodoState>> = { in_progress: 'in_progress', completed: 'done' };

function planned(entry: Fields): TodoItem {
  return { text: textOf(entry['content']) ?? '', state: PLANNED[textOf(entry['status']) ?? ''] ?? 'pending' };
}

function spoken(update: Fields): AgentUpdate | null {
  const text = blockText(update['content']);
  return text === '' ? null : { kind: 'text', message: textOf(update['messageId']) ?? null, text };
}

function toolOf(update: Fields): AgentUpdate | null {
  const id = textOf(update['toolCallId']);
  if (id === undefined) return null;
  const [title, what] = [textOf(update['title']), textOf(update['kind'])];
  const status = STATUS[textOf(update['status']) ?? ''];
  const output = outputOf(update);
  return {
    kind: 'tool',
    id,
    ...(title === undefined ? {} : { title }),
    ...(what === undefined ? {} : { what }),
    ...('rawInput' in update && update['rawInput'] !== null ? { input: update['rawInput'] } : {}),
    ...(status === undefined ? {} : { status }),
    ...(output === undefined ? {} : { output }),
  };
}

/** Text, diffs and terminals of a call; its raw output if it has no other. */
function outputOf(update: Fields): string | undefined {
  const parts = rows(update['content']).map((part) => {
    if (part['type'] === 'content') return blockText(part['content']);
    if (part['type'] === 'diff') return diffText(part);
    return part['type'] === 'terminal' ? `[terminal ${textOf(part['terminalId']) ?? ''}]` : '';
  });
  const text = parts.filter((part) => part !== '').join('\n');
  if (text !== '') return text.slice(0, MAX_OUTPUT);
  const raw = update['rawOutput'];
  if (raw === undefined || raw === null) return undefined;
  return (typeof raw === 'string' ? raw : JSON.stringify(raw)).slice(0, MAX_OUTPUT);
}

function diffText(part: Fields): string {
  const side = (text: string, sign: string): string[] => text.split('\n').map((line) => sign + line);
  const [before, after] = [textOf(part['oldText']), textOf(part['newText']) ?? ''];
  return [textOf(part['path']) ?? '', ...(before === undefined ? [] : side(before, '-')), ...side(after, '+')].join(
    '\n',
  );
}

function blockText(block: unknown): string {
  if (!isFields(block)) return '';
  if (block['type'] === 'text') return textOf(block['text']) ?? '';
  if (block['type'] === 'resource_link') return textOf(block['uri']) ?? '';
  if (block['type'] === 'resource' && isFields(block['resource'])) return textOf(block['resource']['text']) ?? '';
  return '';
}

/** Micro-USD, rounded up; null if unknown or in another currency. */
function costOf(cost: unknown): number | null {
  if (!isFields(cost) || cost['currency'] !== 'USD') return null;
  const { amount } = cost;
  const usable = typeof amount === 'number' && Number.isFinite(amount) && amount >= 0;
  return usable ? Math.ceil(amount * 1_000_000 - 1e-6) : null;
}

const rows = (value: unknown): Fields[] => (Array.isArray(value) ? value.filter(isFields) : []);

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
