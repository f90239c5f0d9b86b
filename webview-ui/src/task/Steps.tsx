/** The steps of a task, drawn or as a list: the same facts, the same keys. */
import { type KeyboardEvent, useMemo, useState } from 'react';
import { flushSync } from 'react-dom';
import { drawnGraph } from '../../../src/core/task/view/taskGraph.ts';
import type { PanelStep } from '../../../src/shared/task/taskPanel.ts';
import { t } from '../store/l10n.ts';
import { look, usePage } from '../store/store.ts';
import { useSame } from '../ui/use/useSame.ts';
import { Graph } from './Graph.tsx';
import { StepList } from './StepList.tsx';
import { stepTarget } from './stepKeys.ts';
import { stepState } from './taskFacts.ts';

/** The row that the tab key focuses: the last focused one, the open one, a running one, or the first. */
function useReached(steps: readonly PanelStep[], selected: number | null) {
  const [reached, setReached] = useState<number | null>(null);
  const known = (id: number | null) => steps.some((step) => step.id === id);
  const runs = steps.find((step) => ['running', 'waiting', 'asks', 'still'].includes(stepState(step)));
  const at = known(reached) ? reached : known(selected) ? selected : ((runs ?? steps[0])?.id ?? null);
  return { at, setReached };
}

function Switch({ drawn }: { readonly drawn: boolean }) {
  return (
    <fieldset className="switch row" aria-label={t('How the steps are shown')}>
      {(['graph', 'list'] as const).map((way) => (
        <button
          key={way}
          type="button"
          className="toggle"
          aria-pressed={drawn === (way === 'graph')}
          onClick={() => look({ steps: way })}
        >
          {way === 'graph' ? t('Graph') : t('List')}
        </button>
      ))}
    </fieldset>
  );
}

interface StepsProps {
  readonly steps: readonly PanelStep[];
  /** Id of the one that is open. */
  readonly selected: number | null;
}

export function Steps({ steps, selected }: StepsProps) {
  const wanted = usePage(({ ui }) => ui.steps);
  const shape = useSame(steps.map(({ number, after }) => `${number}:${after.join()}`)).join(' ');
  // biome-ignore lint/correctness/useExhaustiveDependencies: where they stand depends on what they need alone
  const graph = useMemo(() => drawnGraph(steps), [shape]);
  const { at, setReached } = useReached(steps, selected);
  const drawn = graph !== null && wanted === 'graph';
  const move = (event: KeyboardEvent<HTMLElement>) => {
    const from = steps.find(({ id }) => String(id) === (event.target as HTMLElement).dataset['step']);
    const to = from && stepTarget(event.key, from, steps, drawn ? graph : null);
    if (to === undefined) return;
    event.preventDefault();
    flushSync(() => setReached(to.id));
    event.currentTarget.querySelector<HTMLElement>(`[data-step="${to.id}"]`)?.focus();
  };
  return (
    <section className="task-steps" aria-label={t('Steps')} onKeyDown={move}>
      <h3 className="with-act">
        {t('Steps')}
        {graph === null ? null : <Switch drawn={drawn} />}
      </h3>
      {steps.length === 0 ? (
        <p className="muted">{t('It has no steps yet.')}</p>
      ) : drawn ? (
        <Graph steps={steps} graph={graph} selected={selected} reached={at} />
      ) : (
        <StepList steps={steps} selected={selected} reached={at} />
      )}
    </section>
  );
}
