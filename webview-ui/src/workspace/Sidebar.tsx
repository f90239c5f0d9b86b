/** The page of the sidebar. */
import type { PanelView } from '../../../src/shared/workspace/panel.ts';
import { Picker } from '../agent/Picker.tsx';
import { Approvals, inList } from '../approval/Approvals.tsx';
import { Beginning } from '../job/Beginning.tsx';
import { Details } from '../job/card/Details.tsx';
import { hasProjects } from '../project/projectFacts.ts';
import { Switcher, useSwitched } from '../project/Switcher.tsx';
import { post } from '../store/bridge.ts';
import { t } from '../store/l10n.ts';
import { usePage } from '../store/store.ts';
import { hasTasks } from '../task/taskFacts.ts';
import { Button } from '../ui/Button.tsx';
import { Section } from '../ui/Section.tsx';
import { Announcer } from './Announcer.tsx';
import { Banner } from './Banner.tsx';
import { Begin } from './Begin.tsx';
import { Empty } from './Empty.tsx';
import { Folder } from './Folder.tsx';
import { Rest, UnderWay } from './SidebarSections.tsx';

function Content({ view: whole }: { readonly view: PanelView }) {
  const view = useSwitched(whole);
  return (
    <>
      {view.approvals.length === 0 ? null : (
        <Section title={t('Needs your input')} count={inList(view.approvals).length}>
          <Approvals approvals={view.approvals} openUpTo={3} />
        </Section>
      )}
      <UnderWay view={view} />
      {view.cards.length > 0 ? null : view.jobs.length > 0 ? (
        <Beginning view={view} />
      ) : (
        <p className="muted padded">{t('No jobs yet')}</p>
      )}
      <div className="row padded">
        <Begin banner={view.banner} mode={view.mode} />
        <Button secondary label={t('Open Board')} onPress={() => post({ kind: 'openBoard' })} />
      </div>
      {hasProjects(whole) ? (
        <div className="switcher">
          <Switcher view={whole} />
        </div>
      ) : null}
      <Rest view={view} whole={whole} />
    </>
  );
}

/** The narrow page: first the questions to the user, then the work in progress, then everything else, collapsed. */
export function Sidebar({ view }: { readonly view: PanelView }) {
  const selected = usePage((page) => page.ui.selected);
  const card = selected === null ? undefined : view.cards.find(({ id }) => id === selected);
  const empty = view.jobs.length === 0 && view.cards.length === 0 && !hasProjects(view) && !hasTasks(view);
  return (
    <main className="sidebar">
      <Announcer view={view} />
      <Picker view={view} />
      {card !== undefined ? (
        <Details key={card.id} card={card} replaces />
      ) : (
        <>
          <Banner banner={view.banner} mode={view.mode} />
          <Folder view={view} />
          {empty ? <Empty banner={view.banner} mode={view.mode} /> : <Content view={view} />}
        </>
      )}
    </main>
  );
}
