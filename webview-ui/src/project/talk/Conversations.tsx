/** The tab of the conversations: the list on the left, messages on the right; stacked in a narrow page. */

import { type KeyboardEvent, useMemo, useState } from 'react';
import type { PanelView } from '../../../../src/shared/workspace/panel.ts';
import { post } from '../../store/bridge.ts';
import { plural, t } from '../../store/l10n.ts';
import { look, usePage } from '../../store/store.ts';
import { Link } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Select } from '../../ui/Select.tsx';
import { visible } from '../../ui/text/format.ts';
import { conversationName } from '../../ui/text/labels.ts';
import { useNarrow } from '../../ui/use/useNarrow.ts';
import { projectIcon, stateLabel } from '../projectFacts.ts';
import { Thread } from './Thread.tsx';
import { type Conversation, conversationsOf } from './talkers.ts';

const PAGE = 100;
const pick = (talk: string) => look({ talk });

function Talker({ talk: { project, view }, shown }: { readonly talk: Conversation; readonly shown: boolean }) {
  const unread = view?.unread ?? 0;
  const name = conversationName(project);
  return (
    <li>
      <button type="button" className="talker" aria-current={shown ? 'true' : undefined} onClick={() => pick(project)}>
        <Icon name={view === null ? 'hubot' : projectIcon(view)} spin={view?.doing === 'talking'} />
        <span className="talker-name">
          <span className="one-line" title={name}>
            {name}
          </span>
          {view === null ? null : <span className="one-line muted">{stateLabel(view)}</span>}
        </span>
        {unread === 0 ? null : (
          <span className="badge">
            {unread}
            <span className="unseen"> {t('not read')}</span>
          </span>
        )}
      </button>
    </li>
  );
}

function Talkers({ talks, shown }: { readonly talks: readonly Conversation[]; readonly shown: string }) {
  const [most, setMost] = useState(PAGE);
  return (
    <>
      <ul>
        {talks.slice(0, most).map((talk) => (
          <Talker key={talk.project} talk={talk} shown={talk.project === shown} />
        ))}
      </ul>
      {talks.length > most ? (
        <p className="more">
          <Link
            label={t('Show {0} more of {1}', Math.min(PAGE, talks.length - most), talks.length)}
            onPress={() => setMost(most + PAGE)}
          />
        </p>
      ) : null}
    </>
  );
}

/** The arrow keys go from one to the next. */
function stepThroughTalkers(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
  const all = [...event.currentTarget.querySelectorAll<HTMLElement>('.talker')].filter((one) => one.checkVisibility());
  const at = all.indexOf(document.activeElement as HTMLElement);
  const next = all[at + (event.key === 'ArrowDown' ? 1 : -1)];
  if (at < 0 || next === undefined) return;
  event.preventDefault();
  next.focus();
}

interface ConversationsProps {
  readonly current: readonly Conversation[];
  readonly archived: readonly Conversation[];
  readonly shown: string;
}

function TalkList({ current, archived, shown }: ConversationsProps) {
  return (
    <nav className="talkers" aria-label={t('Conversations')} onKeyDown={stepThroughTalkers}>
      <Talkers talks={current} shown={shown} />
      {archived.length === 0 ? null : (
        <details open={archived.some(({ project }) => project === shown)}>
          <summary>{plural(archived.length, { one: '{0} archived', other: '{0} archived' })}</summary>
          <Talkers talks={archived} shown={shown} />
        </details>
      )}
      <p className="more">
        <Link label={t('New Project…')} onPress={() => post({ kind: 'newProject' })} />
      </p>
    </nav>
  );
}

function TalkSelect({ current, archived, shown }: ConversationsProps) {
  const choices = [...current, ...archived].map(({ project, view }) => ({
    value: project,
    label:
      view !== null && view.unread > 0 ? `${conversationName(project)} (${view.unread})` : conversationName(project),
  }));
  return (
    <div className="talk-select row">
      <Select label={t('Conversation')} value={shown} choices={choices} onPick={pick} />
      <Link label={t('New Project…')} onPress={() => post({ kind: 'newProject' })} />
    </div>
  );
}

export function Conversations({ view }: { readonly view: PanelView }) {
  const shown = usePage(({ ui }) => ui.talk);
  const narrow = useNarrow();
  const { projects, mainAgent } = view;
  const { current, archived } = useMemo(() => conversationsOf({ projects, mainAgent }), [projects, mainAgent]);
  const talk = [...current, ...archived].find(({ project }) => project === shown);
  const lists = { current, archived, shown };
  return (
    <div className={narrow ? 'talks narrow' : 'talks'}>
      {narrow ? <TalkSelect {...lists} /> : <TalkList {...lists} />}
      {talk === undefined ? (
        <p className="muted padded">{t('There is no project {0} here.', visible(shown))}</p>
      ) : (
        <Thread key={talk.project} talk={talk} />
      )}
    </div>
  );
}
