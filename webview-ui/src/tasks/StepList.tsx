import type { PanelStep } from '../../../src/shared/taskPanel.ts';
import { t } from '../l10n.ts';
import { StepLine } from './StepLine.tsx';

interface StepListProps {
  readonly steps: readonly PanelStep[];
  readonly selected: number | null;
  readonly reached: number | null;
}

/** The twin of the drawing, and in its place where that would be too much. What is out of sight is not laid out. */
export function StepList({ steps, selected, reached }: StepListProps) {
  return (
    <ol className="step-list" aria-label={t('Steps')}>
      {steps.map((step) => (
        <li key={step.id} className="step-place">
          <StepLine step={step} selected={step.id === selected} reached={step.id === reached} listed />
        </li>
      ))}
    </ol>
  );
}
