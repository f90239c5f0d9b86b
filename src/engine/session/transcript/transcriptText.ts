/** A session's transcript as Markdown, for people. */
import { fenced } from '../../../core/text/fenced.ts';
import { failure } from '../../../shared/errors.ts';
import type { SessionSpec, TranscriptEntry } from '../ports.ts';

export function entriesText(sessionId: number, entries: readonly TranscriptEntry[]): string {
  return [`# Session ${sessionId}`, ...entries.map(entryText)].join('\n\n').concat('\n');
}

/** Throws NOT_FOUND if this installation has no entry of the session. */
export function transcriptText(sessionId: number, entries: readonly TranscriptEntry[]): string {
  if (entries.length === 0) throw failure('NOT_FOUND', `there is no transcript of session ${sessionId}`);
  return entriesText(sessionId, entries);
}

function entryText(entry: TranscriptEntry): string {
  switch (entry.kind) {
    case 'opening':
      return openingText(entry.spec);
    case 'user':
      return `### ${entry.handover === undefined ? 'Told' : 'Asked for a summary'}\n\n${fenced(entry.text)}`;
    case 'instructions':
      return `### Instructions changed\n\n${fenced(entry.system)}`;
    case 'reply':
      return `### Reply\n\n${contentText(entry.message)}`;
    case 'results':
      return `### Results\n\n${contentText(entry.message)}`;
    case 'spec':
      return `### Continues with ${entry.spec.model}, its instructions renewed`;
    case 'agent':
      return `### Carried out by another agent\n\n${fenced([entry.executor, entry.version ?? ''].join(' ').trim())}`;
    case 'explored':
      return `*Explorer*\n\n${entryText(entry.entry)}`;
    case 'ended':
      return `### Ended: ${entry.reason}\n\n${fenced(entry.detail)}`;
    case 'compacted':
      return anewText(entry);
  }
}

function anewText({ handover, messages }: Extract<TranscriptEntry, { kind: 'compacted' }>): string {
  if (handover === undefined) return `### The conversation was shortened to ${messages.length} messages`;
  return ['### Handed over to a fresh conversation', ...messages.map(contentText)].join('\n\n');
}

function openingText({ role, model, shared, opening }: SessionSpec): string {
  const facts = shared === undefined ? [] : [`### Shared by the sessions of the job\n\n${fenced(shared)}`];
  return [`## ${role}, ${model}`, ...facts, `### Opening\n\n${fenced(opening)}`].join('\n\n');
}

function contentText(message: unknown): string {
  const content = (message as { readonly content?: unknown }).content;
  if (typeof content === 'string') return fenced(content);
  return Array.isArray(content)
    ? content.map(blockText).join('\n\n')
    : fenced(JSON.stringify(message, null, 2), 'json');
}

interface Block {
  readonly type?: string;
  readonly text?: string;
  readonly name?: string;
  readonly input?: unknown;
  readonly content?: unknown;
  readonly source?: { readonly media_type?: string; readonly data?: string };
}

function blockText(block: Block): string {
  if (block.type === 'text') return fenced(block.text ?? '');
  if (block.type === 'tool_use')
    return `**${block.name ?? ''}**\n\n${fenced(JSON.stringify(block.input, null, 2), 'json')}`;
  if (block.type === 'tool_result') return contentText(block);
  if (block.type === 'image') return imageText(block);
  return fenced(JSON.stringify(block, null, 2), 'json');
}

/** An image is named by its type and size, without its data. */
function imageText({ source }: Block): string {
  const bytes = Math.floor(((source?.data?.length ?? 0) * 3) / 4);
  return `[${source?.media_type ?? 'image'}, about ${bytes} bytes]`;
}
