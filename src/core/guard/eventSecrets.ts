/** Removes secrets from events before they are stored. */
import type { EventDraft } from '../../shared/workspace/events.ts';
import { dataWithoutSecrets, type WithoutSecrets } from './secrets.ts';

/** Fields that identify rows. */
const EXACT: ReadonlySet<string> = new Set(['type', 'id', 'subject', 'commit']);

/** A question about a command must show the exact command, so its text is unchanged. */
export function draftWithoutSecrets(draft: EventDraft, clean: WithoutSecrets): EventDraft {
  if (draft.type === 'approval_requested' && draft.approval.kind === 'command') return draft;
  return dataWithoutSecrets(draft, clean, EXACT);
}
