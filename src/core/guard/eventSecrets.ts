/** Events as they are kept: without secrets. */
import type { EventDraft } from '../../shared/workspace/events.ts';
import { dataWithoutSecrets, type WithoutSecrets } from './secrets.ts';

/** By these rows are found again. */
const EXACT: ReadonlySet<string> = new Set(['type', 'id', 'subject', 'commit']);

/** A question about a command shows what would run, whatever it holds. */
export function draftWithoutSecrets(draft: EventDraft, clean: WithoutSecrets): EventDraft {
  if (draft.type === 'approval_requested' && draft.approval.kind === 'command') return draft;
  return dataWithoutSecrets(draft, clean, EXACT);
}
