/** The search, the filters and the grouping of the board. */
import { useMemo } from 'react';
import type { PanelView } from '../../../src/shared/workspace/panel.ts';
import { agentTitle } from '../agent/agentFacts.ts';
import { plural, t } from '../store/l10n.ts';
import { chosenIn } from '../store/shown.ts';
import { look, usePage } from '../store/store.ts';
import { GROUPINGS, UNFILTERED } from '../store/uiState.ts';
import { IconButton } from '../ui/Button.tsx';
import { type Choice, Select } from '../ui/Select.tsx';
import { TextField } from '../ui/TextField.tsx';
import { visible } from '../ui/text/format.ts';
import { categories, executorNames } from './lanes.ts';

const GROUP_CHOICES: readonly Choice[] = [
  { value: 'none', label: t('No groups') },
  { value: 'phase', label: t('By phase') },
  { value: 'category', label: t('By category') },
];

const pickGroup = (value: string) => look({ groupBy: GROUPINGS.find((grouping) => grouping === value) ?? 'none' });
const pickCategory = (category: string) => look({ category });
const pickExecutor = (executor: string) => look({ executor });
const pickJob = (jobId: string) => look({ jobId });

export function Toolbar({ view, shown }: { readonly view: PanelView; readonly shown: number }) {
  const { query, jobId: chosen, category, executor, groupBy } = usePage((page) => page.ui);
  const jobId = chosenIn(view, chosen);
  const categoryChoices = useMemo(
    () => [
      { value: '', label: t('All categories') },
      ...categories(view.cards).map((name) => ({ value: name, label: visible(name) })),
    ],
    [view.cards],
  );
  const executors = useMemo(() => executorNames(view.cards), [view.cards]);
  const executorChoices = [
    { value: '', label: t('All agents') },
    ...executors.map((name) => ({ value: name, label: agentTitle(view.agents, name) })),
  ];
  const jobChoices = [
    { value: '', label: t('All jobs') },
    ...view.jobs.map((job) => ({ value: job.id, label: visible(job.title) })),
  ];
  const total = view.cards.length;
  // Without a choice of jobs, the job that was opened is a filter only if it hides something.
  const ofJob = jobId !== '' && (view.jobs.length > 1 || shown < total);
  const narrowed = query !== '' || ofJob || category !== '' || executor !== '';
  return (
    <search className="toolbar">
      <TextField label={t('Search features')} value={query} onInput={(value) => look({ query: value })} />
      {view.jobs.length > 1 ? <Select label={t('Job')} value={jobId} choices={jobChoices} onPick={pickJob} /> : null}
      <Select label={t('Category')} value={category} choices={categoryChoices} onPick={pickCategory} />
      {executors.length === 0 && executor === '' ? null : (
        <Select label={t('Agent')} value={executor} choices={executorChoices} onPick={pickExecutor} />
      )}
      <Select label={t('Group')} value={groupBy} choices={GROUP_CHOICES} onPick={pickGroup} />
      {narrowed ? <IconButton icon="close" label={t('Clear filters')} onPress={() => look(UNFILTERED)} /> : null}
      <span className="muted" role="status">
        {narrowed ? plural(total, { one: '{1} of {0} feature', other: '{1} of {0} features' }, shown) : ''}
      </span>
    </search>
  );
}
