/** Drafts of messages, by project. Each is kept until the snapshot contains the message, so that no typed text is lost. */
import type { ConversationView } from '../../../src/shared/project/projectView.ts';

export interface Draft {
  readonly text: string;
  /** The newest message when the draft was sent; null while it is being written. */
  readonly sentAfter: number | null;
}

/** By project. */
export type Drafts = Readonly<Record<string, Draft>>;

const MOST = 50;

/** Reads saved drafts of any shape. */
export function readDrafts(saved: unknown): Drafts {
  if (saved === null || typeof saved !== 'object') return {};
  const drafts = Object.entries(saved).flatMap(([project, draft]: [string, Partial<Draft> | null]) => {
    if (typeof draft?.text !== 'string' || draft.text === '') return [];
    const sentAfter = Number.isSafeInteger(draft.sentAfter) ? (draft.sentAfter as number) : null;
    return [[project, { text: draft.text, sentAfter }] as const];
  });
  return Object.fromEntries(drafts.slice(-MOST));
}

/** The draft that changed last is kept longest. */
export function withDraft(drafts: Drafts, project: string, draft: Draft | null): Drafts {
  const others = Object.entries(drafts).filter(([name]) => name !== project);
  return Object.fromEntries(draft === null || draft.text === '' ? others : [...others, [project, draft]]);
}

/** Removes the drafts whose messages the conversation contains. */
export function settledDrafts(drafts: Drafts, conversation: ConversationView | null): Drafts {
  if (conversation === null) return drafts;
  const draft = Object.hasOwn(drafts, conversation.project) ? drafts[conversation.project] : undefined;
  const after = draft?.sentAfter ?? null;
  if (draft === undefined || after === null) return drafts;
  const said = conversation.messages.some(
    ({ id, direction, sender, text }) =>
      id > after && direction === 'in' && sender === 'steward' && text.trim() === draft.text.trim(),
  );
  return said ? withDraft(drafts, conversation.project, null) : drafts;
}

/** After a reload, a draft that was being sent counts as unsent. */
export function unsent(drafts: Drafts, project: string): Drafts {
  const draft = Object.hasOwn(drafts, project) ? drafts[project] : undefined;
  return draft === undefined ? drafts : withDraft(drafts, project, { text: draft.text, sentAfter: null });
}
