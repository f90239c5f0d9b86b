/** What is being written to each project. It stays until the snapshot shows it as said, so that nothing typed is ever lost. */
import type { ConversationView } from '../../../src/shared/project/projectView.ts';

export interface Draft {
  readonly text: string;
  /** Being sent: the newest message that was there when it was; null: still being written. */
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

/** The one that was touched last is kept longest. */
export function withDraft(drafts: Drafts, project: string, draft: Draft | null): Drafts {
  const others = Object.entries(drafts).filter(([name]) => name !== project);
  return Object.fromEntries(draft === null || draft.text === '' ? others : [...others, [project, draft]]);
}

/** Without what the conversation shows as said by now. */
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

/** Of a page that was loaded anew: whatever was under way is not any more. */
export function unsent(drafts: Drafts, project: string): Drafts {
  const draft = Object.hasOwn(drafts, project) ? drafts[project] : undefined;
  return draft === undefined ? drafts : withDraft(drafts, project, { text: draft.text, sentAfter: null });
}
