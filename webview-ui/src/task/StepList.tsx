/** The steps of a task as a list. */
import { useMemo } from 'react';
import type { PanelStep } from '../../../src/shared/task/taskPanel.ts';
import { t } from '../store/l10n.ts';
import { useWindowed } from '../ui/use/useWindowed.ts';
import { StepLine } from './StepLine.tsx';

const ROW_ESTIMATE = 48;
const MARGIN = 10 * ROW_ESTIMATE;
/** Up to this number, all steps are in the page, for screen readers. Longer lists contain only visible rows. */
const ALL = 150;

interface StepListProps {
  readonly steps: readonly PanelStep[];
  readonly selected: number | null;
  readonly reached: number | null;
}

/** The steps as a list, in addition to the drawing or instead of a too large one. The row with the keyboard focus is always rendered. */
export function StepList({ steps, selected, reached }: StepListProps) {
  const at = steps.findIndex(({ id }) => id === reached);
  const keys = useMemo(() => steps.map(({ id }) => String(id)), [steps]);
  const margin = steps.length <= ALL ? ALL * ROW_ESTIMATE : MARGIN;
  const { scroller, parts, row: measured } = useWindowed(keys, { estimate: ROW_ESTIMATE, margin, always: at });
  return (
    <div className="step-list" ref={scroller}>
      <ol aria-label={t('Steps')}>
        {parts.map((part) => {
          if (part.kind === 'space') {
            return <li key={`space-${part.before}`} aria-hidden="true" style={{ height: part.height }} />;
          }
          const { index } = part;
          const step = steps[index];
          return step === undefined ? null : (
            <li
              key={step.id}
              className="step-place"
              data-row={step.id}
              ref={measured}
              aria-setsize={steps.length}
              aria-posinset={index + 1}
            >
              <StepLine step={step} selected={step.id === selected} reached={index === at} listed />
            </li>
          );
        })}
      </ol>
    </div>
  );
}
