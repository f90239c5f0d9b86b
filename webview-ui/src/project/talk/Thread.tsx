/** One conversation: its messages, the current activity, and the composer. */

import { useState } from 'react';
import { MAIN_PROJECT } from '../../../../src/shared/project/projects.ts';
import { type ConversationView, MAX_MESSAGES, type ProjectView } from '../../../../src/shared/project/projectView.ts';
import { post } from '../../store/bridge.ts';
import { plural, t } from '../../store/l10n.ts';
import { look, usePage } from '../../store/store.ts';
import { MESSAGES } from '../../store/uiState.ts';
import { Button, Link } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { visible } from '../../ui/text/format.ts';
import { conversationName } from '../../ui/text/labels.ts';
import { useLinger } from '../../ui/use/useLinger.ts';
import { useMarkRead, useThread } from '../../ui/use/useThread.ts';
import { ProjectLinks, ProjectWait, Questions, Standstill } from '../ProjectParts.tsx';
import { stateLabel } from '../projectFacts.ts';
import { Composer } from './Composer.tsx';
import { Messages } from './Messages.tsx';
import { type Conversation, takesMessages } from './talkers.ts';

function Head({ project, view }: Conversation) {
  return (
    <header className="talk-head">
      <h2 className="one-line">{conversationName(project)}</h2>
      {view === null ? null : <span className="muted">{stateLabel(view)}</span>}
      {view === null ? null : <Questions project={view} />}
      <ProjectLinks project={project} />
    </header>
  );
}

function Earlier({ earlier, shown }: { readonly earlier: number; readonly shown: number }) {
  if (earlier === 0 || shown >= MAX_MESSAGES) return null;
  return (
    <p className="more">
      <Link
        label={plural(earlier, { one: 'Show {0} earlier message', other: 'Show earlier messages ({0})' })}
        onPress={() => look({ messages: Math.min(MAX_MESSAGES, shown + MESSAGES) })}
      />
    </p>
  );
}

/** While it answers: what it does right now, if that is known. */
function Working({ project, sessionId }: Pick<ConversationView, 'project' | 'sessionId'>) {
  const line = usePage(({ said }) => (sessionId === null ? undefined : said.get(sessionId)));
  return (
    <p className="working">
      <Icon name="loading" spin />
      <span>{t('{0} is working…', conversationName(project))}</span>
      {line === undefined ? null : <span className="one-line muted">{visible(line.text)}</span>}
      <Link label={t('Stop')} onPress={() => post({ kind: 'stopTurn', project })} />
    </p>
  );
}

function Nothing({ project }: { readonly project: string }) {
  return (
    <div className="empty">
      <Icon name="comment" />
      <h3>{t('No messages yet')}</h3>
      <p>
        {project === MAIN_PROJECT
          ? t(
              'The main agent knows all projects. Ask it for their status, have it create one, or let it forward a message.',
            )
          : t('Write what the project should do, or what it needs to know. It answers here.')}
      </p>
    </div>
  );
}

function Said({ conversation, talking }: { readonly conversation: ConversationView; readonly talking: boolean }) {
  const { project, messages, earlier, sessionId } = conversation;
  const { scroller, atEnd, toEnd } = useThread(messages);
  const [firstNew] = useState(
    () => messages.find(({ direction, read_at }) => direction === 'out' && read_at === null)?.id ?? null,
  );
  useMarkRead(conversation, atEnd);
  return (
    <div className="thread">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it is scrolled by keyboard */}
      <section className="thread-scroll" ref={scroller} data-end={atEnd} tabIndex={0} aria-label={t('Messages')}>
        <div>
          <Earlier earlier={earlier} shown={messages.length} />
          <Messages project={project} messages={messages} firstNew={firstNew} />
          {messages.length === 0 ? <Nothing project={project} /> : null}
          {talking ? <Working project={project} sessionId={sessionId} /> : null}
        </div>
      </section>
      {atEnd ? null : (
        <div className="to-newest">
          <Button secondary label={t('To the newest message')} onPress={toEnd} />
        </div>
      )}
    </div>
  );
}

/** Why nothing is answered here, or only later. */
function Hint({ view }: { readonly view: ProjectView }) {
  if (view.parked) return <Standstill project={view} />;
  if (view.status === 'suspended')
    return <p className="talk-hint muted">{t('It is suspended. Your messages are kept until it is resumed.')}</p>;
  if (takesMessages(view)) return <ProjectWait project={view} />;
  return <p className="talk-hint muted">{t('It has ended. You can read it, but it no longer receives messages.')}</p>;
}

/** Time between two calls of one answer in which the state shows no activity. */
const PAUSE_MS = 2_000;

export function Thread({ talk: { project, view } }: { readonly talk: Conversation }) {
  const conversation = usePage((page) =>
    page.view?.conversation?.project === project ? page.view.conversation : null,
  );
  const talking = useLinger(view?.doing === 'talking', PAUSE_MS);
  return (
    <section className="talk" aria-label={conversationName(project)}>
      <Head project={project} view={view} />
      {conversation === null ? (
        <p className="muted padded thread" role="status">
          {t('Loading…')}
        </p>
      ) : (
        <Said conversation={conversation} talking={talking} />
      )}
      {view === null ? null : <Hint view={view} />}
      {takesMessages(view) ? <Composer project={project} messages={conversation?.messages ?? []} /> : null}
    </section>
  );
}
