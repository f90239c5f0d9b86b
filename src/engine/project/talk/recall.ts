/** Searches all messages of a conversation: those to its project and those by it. Returns text for a model. */
import { projectMessages } from '../../../core/state/rows.ts';
import { minuteText } from '../../../shared/clock.ts';
import { MAIN_PROJECT, type MessageRow } from '../../../shared/project/projects.ts';
import type { State } from '../../../shared/workspace/state.ts';
import { quotedBlock } from '../../session/quoted.ts';

const MOST = 10;
/** Characters on each side of the first word that is found. */
const AROUND = 400;

export function recall(state: State, projectId: string, query: string): string {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const found = projectMessages(state, projectId).filter(({ text }) => {
    const lower = text.toLowerCase();
    return words.every((word) => lower.includes(word));
  });
  if (found.length === 0) return `No message of this conversation holds ${JSON.stringify(query)}.`;
  const newest = found.slice(-MOST).reverse();
  const more = found.length > MOST ? [`${found.length - MOST} older ones hold it too: add words.`] : [];
  return [...newest.map((row) => foundText(state, row, words)), ...more].join('\n\n');
}

function foundText(state: State, row: MessageRow, words: readonly string[]): string {
  const { id, at, text } = row;
  const from = Math.max(0, text.toLowerCase().indexOf(words[0] ?? '') - AROUND);
  const part = text.slice(from, from + 2 * AROUND);
  const excerpt = `${from > 0 ? '…' : ''}${part}${from + part.length < text.length ? '…' : ''}`;
  return `Message ${id} at ${minuteText(at)}, ${saidBy(state, row)}:\n${quotedBlock(excerpt)}`;
}

function saidBy(state: State, { direction, sender, project_id, relayed_from }: MessageRow): string {
  if (direction === 'out') return sender === 'engine' ? 'by the engine' : 'by you';
  const origin = relayed_from === null ? undefined : state.messages.get(relayed_from)?.project_id;
  if (origin !== undefined) return `by project ${origin}`;
  return sender === 'main' && project_id !== MAIN_PROJECT ? 'by the main agent' : `by the ${sender}`;
}
