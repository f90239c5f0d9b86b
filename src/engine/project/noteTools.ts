/** Notes for the sessions that belong to no job. */

import { noteLineForModel, notesFor } from '../../core/note/notes.ts';
import type { SessionTools, ToolResult } from '../session/ports.ts';
import type { ConversationPorts } from './talk/conversationPorts.ts';
import { oneId } from './talk/conversationSession.ts';

/** Characters of one note. */
const MAX_NOTE = 16 * 1024;

const yes = (text: string): ToolResult => ({ ok: true, text });
const no = (text: string): ToolResult => ({ ok: false, text });

/** Notes for all: a conversation works on no feature. */
export function noteTools(ports: Pick<ConversationPorts, 'store'>, sessionId: number): SessionTools {
  const { store } = ports;
  return {
    addNote: async ({ scope, content: given, file = null, line = null, anchor = null }) => {
      const content = given.trim();
      if (scope !== 'global')
        return no(`There is no ${scope} here: a conversation works on no feature. Use the scope "global".`);
      if (content.length > MAX_NOTE)
        return no(`The note has ${content.length} characters, at most ${MAX_NOTE} are kept.`);
      for (const row of store.state.notes.values()) {
        if (row.created_by_session === sessionId && row.content === content) return yes('Note added');
      }
      const note = { feature_id: null, category: null, content, created_by_session: sessionId, file, line, anchor };
      const id = await oneId(ports, 'notes');
      await store.commit({ type: 'note_added', note: { id, ...note }, supersedes: null });
      return yes('Note added');
    },
    notes: async () => notesFor(store.state, null, null).map(noteLineForModel).join('\n'),
  };
}
