/** Messages as the owner sends them. */

import type { MessageRow } from '../../../shared/project/projects.ts';
import type { EventDraft } from '../../../shared/workspace/events.ts';
import type { Store } from '../../state/store.ts';

type Sent = Pick<MessageRow, 'project_id' | 'direction' | 'sender' | 'text'> &
  Partial<Pick<MessageRow, 'relayed_from' | 'level'>>;
type MessageSent = Extract<EventDraft, { readonly type: 'message_sent' }>;

/** With a new id, and the fields that most messages leave empty. */
export function newMessage(store: Store, sent: Sent): MessageSent {
  const [id] = store.nextIds('messages', 1);
  if (id === undefined) throw new Error('the store gave no id');
  return { type: 'message_sent', message: { concerns: null, relayed_from: null, session_id: null, ...sent, id } };
}
