/** The messages of a conversation, the newest last. */
import { memo, useRef } from 'react';
import type { ConversationMessage } from '../../../../src/shared/project/projectView.ts';
import { t } from '../../store/l10n.ts';
import { MESSAGES } from '../../store/uiState.ts';
import { Message } from './Message.tsx';

interface MessagesProps {
  readonly project: string;
  readonly messages: readonly ConversationMessage[];
  /** The first one that was not read when the conversation was opened. */
  readonly firstNew: number | null;
}

interface StretchProps extends MessagesProps {
  /** Laid out although it is not visible. */
  readonly near: boolean;
}

const same = (a: StretchProps, b: StretchProps) =>
  a.project === b.project &&
  a.near === b.near &&
  a.messages.length === b.messages.length &&
  a.messages.every((message, at) => message === b.messages[at]);

const Stretch = memo(function Stretch({ project, messages, firstNew, near }: StretchProps) {
  return (
    <ol className={near ? 'messages near' : 'messages'}>
      {messages.map((message) => (
        <li key={message.id}>
          {message.id === firstNew ? <p className="new-from-here">{t('New')}</p> : null}
          <Message project={project} message={message} />
        </li>
      ))}
    </ol>
  );
}, same);

/**
 * Renders messages in blocks, of which only those near the viewport are laid out, so that a long conversation is as fast as a short one. Block
 * boundaries stay the same when earlier or new messages arrive.
 */
export function Messages({ project, messages, firstNew }: MessagesProps) {
  const from = useRef<number | undefined>(undefined);
  from.current ??= messages[0]?.id;
  const middle = Math.max(
    0,
    messages.findIndex(({ id }) => id === from.current),
  );
  const stretches = [...Map.groupBy(messages.keys(), (at) => Math.floor((at - middle) / MESSAGES)).entries()].map(
    ([key, places]) => ({ key, messages: places.flatMap((at) => messages[at] ?? []) }),
  );
  return stretches.map((stretch, at) => (
    <Stretch
      key={stretch.key}
      project={project}
      messages={stretch.messages}
      firstNew={firstNew}
      near={at === 0 || at >= stretches.length - 2}
    />
  ));
}
