/** One message of a conversation. */
import { memo, useState } from 'react';
import type { ConversationMessage } from '../../../../src/shared/project/projectView.ts';
import { t } from '../../store/l10n.ts';
import { Link } from '../../ui/Button.tsx';
import { Formatted } from '../../ui/Formatted.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { localTime } from '../../ui/text/format.ts';
import { conversationName } from '../../ui/text/labels.ts';
import { speakerOf } from './talkers.ts';

/** Characters of a message that are shown at first. */
const LONG = 4_000;

function Text({ text }: { readonly text: string }) {
  const [whole, setWhole] = useState(false);
  if (whole || text.length <= LONG) return <Formatted text={text} />;
  return (
    <>
      <Formatted text={`${text.slice(0, LONG)}…`} />
      <p>
        <Link label={t('Show full message')} onPress={() => setWhole(true)} />
      </p>
    </>
  );
}

/** Details beyond the speaker: the subject, the projects that received it, its relay, whether it is unread. */
function Remarks({ message }: { readonly message: ConversationMessage }) {
  const { direction, sender, relayedFrom, passedTo = [], concerns, read_at } = message;
  return (
    <>
      {relayedFrom !== null && (direction === 'out' || sender !== 'project') ? (
        <span>{t('passed on from {0}', conversationName(relayedFrom))}</span>
      ) : null}
      {relayedFrom !== null && direction === 'in' && sender === 'project' ? <span>{t('passed on')}</span> : null}
      {concerns === null || passedTo.includes(concerns) ? null : (
        <span>{t('concerns {0}', conversationName(concerns))}</span>
      )}
      {passedTo.length === 0 ? null : <span>{t('passed on to {0}', passedTo.map(conversationName).join(', '))}</span>}
      {direction === 'in' && read_at === null ? <span className="unheard">{t('not read yet')}</span> : null}
    </>
  );
}

interface MessageProps {
  readonly project: string;
  readonly message: ConversationMessage;
}

export const Message = memo(function Message({ project, message }: MessageProps) {
  const { name, icon, you } = speakerOf(project, message);
  return (
    <article className={you ? 'said you' : 'said'} data-message={message.id}>
      <header>
        <Icon name={icon} />
        <strong className="one-line">{name}</strong>
        <time dateTime={message.at}>{localTime(message.at)}</time>
        <Remarks message={message} />
      </header>
      <div className="said-text">
        <Text text={message.text} />
      </div>
    </article>
  );
});
