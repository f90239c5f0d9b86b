/** The tabs of the wide page. */
import type { KeyboardEvent } from 'react';
import { plural, t } from '../store/l10n.ts';
import { look, usePage } from '../store/store.ts';
import { TABS } from '../store/uiState.ts';

const TITLES = { board: t('Board'), tasks: t('Tasks'), costs: t('Cost'), conversations: t('Conversations') } as const;

export function Tabs({ unread }: { readonly unread: number }) {
  const current = usePage((page) => page.ui.tab);
  const move = ({ key }: KeyboardEvent<HTMLElement>) => {
    if (key !== 'ArrowLeft' && key !== 'ArrowRight') return;
    const at = TABS.indexOf(current) + (key === 'ArrowRight' ? 1 : -1);
    const other = TABS.at(at % TABS.length) ?? current;
    look({ tab: other });
    document.getElementById(`tab-${other}`)?.focus();
  };
  return (
    <div className="tabs" role="tablist" aria-label={t('View')} onKeyDown={move}>
      {TABS.map((tab) => (
        <button
          key={tab}
          id={`tab-${tab}`}
          type="button"
          role="tab"
          aria-selected={tab === current}
          aria-controls="tab-panel"
          tabIndex={tab === current ? 0 : -1}
          onClick={() => look({ tab })}
        >
          {TITLES[tab]}
          {tab === 'conversations' && unread > 0 ? <Unread amount={unread} /> : null}
        </button>
      ))}
    </div>
  );
}

function Unread({ amount }: { readonly amount: number }) {
  return (
    <>
      <span className="badge" aria-hidden="true">
        {amount}
      </span>
      <span className="unseen">{plural(amount, { one: '{0} new message', other: '{0} new messages' })}</span>
    </>
  );
}
