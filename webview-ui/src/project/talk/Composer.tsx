/** The input of a message. The draft is kept by project until the snapshot contains the message. */

import type { KeyboardEvent } from 'react';
import { MAIN_PROJECT } from '../../../../src/shared/project/projects.ts';
import { type ConversationView, MAX_TEXT } from '../../../../src/shared/project/projectView.ts';
import { post } from '../../store/bridge.ts';
import { type Draft, unsent, withDraft } from '../../store/drafts.ts';
import { t } from '../../store/l10n.ts';
import { look, usePage } from '../../store/store.ts';
import { Button, Link } from '../../ui/Button.tsx';
import { conversationName } from '../../ui/text/labels.ts';

const NOTHING: Draft = { text: '', sentAfter: null };

function keep(project: string, draft: Draft): void {
  look({ drafts: withDraft(usePage.getState().ui.drafts, project, draft) });
}

export function Composer({ project, messages }: Pick<ConversationView, 'project' | 'messages'>) {
  const draft = usePage(({ ui }) => (Object.hasOwn(ui.drafts, project) ? ui.drafts[project] : undefined)) ?? NOTHING;
  const { text, sentAfter } = draft;
  const sending = sentAfter !== null;
  const send = () => {
    if (text.trim() === '' || sending) return;
    keep(project, { text, sentAfter: messages.at(-1)?.id ?? 0 });
    post({ kind: 'sendMessage', project, text });
  };
  const pressed = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    send();
  };
  const label =
    project === MAIN_PROJECT ? t('Message to the main agent') : t('Message to {0}', conversationName(project));
  return (
    <div className="composer">
      <textarea
        className="text-field"
        aria-label={label}
        placeholder={label}
        rows={2}
        maxLength={MAX_TEXT}
        readOnly={sending}
        value={text}
        onChange={({ target }) => keep(project, { text: target.value, sentAfter: null })}
        onKeyDown={pressed}
      />
      <div className="row">
        <Button label={sending ? t('Sending…') : t('Send')} onPress={send} />
        {sending ? (
          <Link
            label={t('Edit it again')}
            onPress={() => look({ drafts: unsent(usePage.getState().ui.drafts, project) })}
          />
        ) : (
          <span className="muted composer-hint">{t('Ctrl+Enter or Cmd+Enter sends')}</span>
        )}
      </div>
    </div>
  );
}
