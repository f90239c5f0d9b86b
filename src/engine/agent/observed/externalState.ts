/**
 * Folds the transcript of an external agent's session: the conversation in the built-in format, and the prompts that its agent
 * has received.
 */

import { askForAnswer, truncatedNotice } from '../../session/nudges.ts';
import type { TranscriptEntry } from '../../session/ports.ts';
import { addEntry, type Conversation, foldTranscript } from '../../session/transcript/history.ts';

export interface ExternalState {
  readonly conversation: Conversation;
  /** The agent's id of the conversation. Null if the agent cannot resume a conversation. */
  readonly own: string | null;
  /** Whether the agent sent a message or a call since the opening. */
  readonly heard: boolean;
  /** Prompts since the agent's last message, without the opening. */
  readonly pending: readonly string[];
  /** Whether it was asked for its answer since its last assignment. */
  readonly reminded: boolean;
  /** Total characters of its messages and calls. */
  readonly size: number;
}

/** Has the engine's mark, so that it does not start a new assignment. */
export const GO_ON = 'Engine: you were interrupted. Look at the state of the work, then continue it.';

export function foldExternalState(entries: readonly TranscriptEntry[]): ExternalState {
  const nothing: ExternalState = {
    conversation: foldTranscript([]),
    own: null,
    heard: false,
    pending: [],
    reminded: false,
    size: 0,
  };
  let told = nothing;
  for (const entry of entries) told = { ...told, ...beside(told, entry) };
  return { ...told, conversation: foldTranscript(entries) };
}

export function addToExternalState(before: ExternalState, entry: TranscriptEntry): ExternalState {
  return { ...before, ...beside(before, entry), conversation: addEntry(before.conversation, entry) };
}

/** The state except the conversation. */
function beside(before: ExternalState, entry: TranscriptEntry): Partial<ExternalState> {
  switch (entry.kind) {
    case 'opening':
      return { own: null, heard: false, pending: [], reminded: false, size: 0 };
    case 'user':
      return {
        pending: [...before.pending, entry.text],
        reminded: isReminder(entry.text) || (entry.text === GO_ON && before.reminded),
      };
    case 'agent':
      return { own: entry.conversation };
    case 'reply':
      return { heard: true, pending: [], size: before.size + sizeOf(entry.message) };
    case 'results':
      return { size: before.size + sizeOf(entry.message) };
    default:
      return {};
  }
}

const REMINDERS: ReadonlySet<string> = new Set(
  (['planner', 'worker', 'reviewer'] as const).flatMap((role) => [askForAnswer(role), truncatedNotice(role)]),
);

function isReminder(text: string): boolean {
  return REMINDERS.has(text);
}

function sizeOf(message: unknown): number {
  return JSON.stringify(message)?.length ?? 0;
}
