/** Chooses the project whose board is shown. */
import { useMemo } from 'react';
import type { PanelView } from '../../../src/shared/workspace/panel.ts';
import { t } from '../store/l10n.ts';
import { ofProject } from '../store/shown.ts';
import { look, usePage } from '../store/store.ts';
import { Select } from '../ui/Select.tsx';
import { conversationName } from '../ui/text/labels.ts';
import { hasProjects } from './projectFacts.ts';
import { isArchived } from './talk/talkers.ts';

const pick = (projectId: string) => look({ projectId, jobId: '', category: '' });

/** The view, limited to the selected project, if there is one. */
export function useSwitched(view: PanelView): PanelView {
  const projectId = usePage(({ ui }) => ui.projectId);
  return useMemo(() => ofProject(view, projectId), [view, projectId]);
}

/** Chooses the project whose jobs and cards are shown. Hidden if there is only one project. */
export function Switcher({ view }: { readonly view: PanelView }) {
  const projectId = usePage(({ ui }) => ui.projectId);
  if (!hasProjects(view)) return null;
  const listed = view.projects.filter((project) => project.name === projectId || !isArchived(project));
  const choices = [
    { value: '', label: t('All projects') },
    ...listed.map(({ name }) => ({ value: name, label: conversationName(name) })),
  ];
  const known = listed.some(({ name }) => name === projectId);
  return <Select label={t('Project')} value={known ? projectId : ''} choices={choices} onPick={pick} />;
}
