/** The page of the editor tab: board, tasks, costs and conversations. */
import { useEffect, useRef } from 'react';
import type { PanelView } from '../../../src/shared/workspace/panel.ts';
import { Picker } from '../agent/Picker.tsx';
import { Shortcuts } from '../job/Shortcuts.tsx';
import { newBrief } from '../project/newBrief.ts';
import { hasProjects } from '../project/projectFacts.ts';
import { Switcher } from '../project/Switcher.tsx';
import { unreadOf } from '../project/talk/talkers.ts';
import { t } from '../store/l10n.ts';
import { usePage } from '../store/store.ts';
import { hasTasks } from '../task/taskFacts.ts';
import { IconButton } from '../ui/Button.tsx';
import { isTyping } from '../ui/keys.ts';
import { Announcer } from './Announcer.tsx';
import { Banner } from './Banner.tsx';
import { Empty } from './Empty.tsx';
import { Folder } from './Folder.tsx';
import { Tab } from './TabPanel.tsx';
import { Tabs } from './Tabs.tsx';

/** `/` focuses the search and `?` opens the shortcuts, unless the focus is in a text field. */
function usePageKeys(showKeys: () => void) {
  const show = useRef(showKeys);
  useEffect(() => {
    const pressed = (event: globalThis.KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      if (event.key === '?') show.current();
      else if (event.key === '/') document.querySelector<HTMLElement>('.toolbar .text-field')?.focus();
      else return;
      event.preventDefault();
    };
    window.addEventListener('keydown', pressed);
    return () => window.removeEventListener('keydown', pressed);
  }, []);
}

/** The wide page: an editor tab. */
export function BoardPage({ view }: { readonly view: PanelView }) {
  const tab = usePage((page) => page.ui.tab);
  const keys = useRef<HTMLDialogElement>(null);
  const showKeys = () => keys.current?.showModal();
  usePageKeys(showKeys);
  const talked = tab === 'conversations' || view.mainAgent !== null || hasProjects(view);
  const empty = view.jobs.length === 0 && view.cards.length === 0 && !talked && tab !== 'tasks' && !hasTasks(view);
  return (
    <main className="page">
      <Announcer view={view} />
      <Banner banner={view.banner} mode={view.mode} />
      <Folder view={view} />
      {empty ? (
        <Empty banner={view.banner} mode={view.mode} />
      ) : (
        <>
          <div className="page-head">
            <Tabs unread={unreadOf(view)} />
            {tab === 'board' ? <Switcher view={view} /> : null}
            <IconButton icon="question" label={t('Keyboard Shortcuts (?)')} onPress={showKeys} />
            <IconButton icon="add" label={t('New Brief')} onPress={newBrief} />
          </div>
          <div id="tab-panel" className="tab-panel" role="tabpanel" aria-labelledby={`tab-${tab}`}>
            <Tab view={view} />
          </div>
        </>
      )}
      <Shortcuts dialog={keys} />
      <Picker view={view} />
    </main>
  );
}
