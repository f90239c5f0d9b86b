import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual';
import { useRef } from 'react';
import type { PanelStep } from '../../../src/shared/taskPanel.ts';
import { t } from '../l10n.ts';
import { StepLine } from './StepLine.tsx';

const ROW_ESTIMATE = 48;
/** Up to so many all are in the page, for who reads it without seeing it; of more those in sight. */
const ALL = 150;

interface StepListProps {
  readonly steps: readonly PanelStep[];
  readonly selected: number | null;
  readonly reached: number | null;
}

/** The twin of the drawing, and in its place where that would be too much. What the keys have reached is always there. */
export function StepList({ steps, selected, reached }: StepListProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const at = steps.findIndex(({ id }) => id === reached);
  const virtual = useVirtualizer({
    count: steps.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_ESTIMATE,
    getItemKey: (index) => steps[index]?.id ?? index,
    overscan: steps.length <= ALL ? ALL : 10,
    rangeExtractor: (range: Range) =>
      [...new Set([...defaultRangeExtractor(range), at])].filter((index) => index >= 0).sort((a, b) => a - b),
  });
  return (
    <div className="step-list" ref={scroller}>
      <ol style={{ height: virtual.getTotalSize() }} aria-label={t('Steps')}>
        {virtual.getVirtualItems().map(({ key, index, start }) => {
          const step = steps[index];
          return step === undefined ? null : (
            <li
              key={key}
              className="step-place"
              data-index={index}
              ref={virtual.measureElement}
              style={{ top: start }}
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
