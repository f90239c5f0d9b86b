/** A step as one line, in the drawing and in the list alike. */
import { memo } from 'react';
import type { PanelStep } from '../../../src/shared/task/taskPanel.ts';
import { t } from '../store/l10n.ts';
import { look } from '../store/store.ts';
import { Icon } from '../ui/Icon.tsx';
import { usd, visible } from '../ui/text/format.ts';
import { heldTexts } from '../ui/text/spent.ts';
import { useNow } from '../ui/use/useNow.ts';
import { actionLabel, stepClock, stepLook, stepState } from './taskFacts.ts';

/** The steps that it waits for, as the lines of the drawing show. */
function afterText({ after, branch }: PanelStep): string {
  const waits = after.filter((number) => number !== branch?.of);
  return [
    branch === null ? '' : branch.when ? t('if step {0} is true', branch.of) : t('if step {0} is false', branch.of),
    waits.length === 0 ? '' : t('after {0}', waits.join(', ')),
  ]
    .filter((part) => part !== '')
    .join(', ');
}

interface StepLineProps {
  readonly step: PanelStep;
  readonly selected: boolean;
  /** Whether the tab key focuses this row. */
  readonly reached: boolean;
  /** Adds what the drawing shows in another way. */
  readonly listed?: boolean;
}

export const StepLine = memo(function StepLine({ step, selected, reached, listed = false }: StepLineProps) {
  const { id, number, name, action, isCheckpoint, startedAt, endedAt, costUsd } = step;
  const now = useNow(endedAt === null && step.still !== true && (startedAt !== null || step.wakeAt !== null));
  const { label, icon } = stepLook(step);
  const after = afterText(step);
  const time = stepClock(step, now);
  const money = [costUsd === 0 ? '' : usd(costUsd), ...heldTexts(step)];
  const facts = [label, time, ...money].filter((part) => part !== '').join(' · ');
  return (
    <button
      type="button"
      className={`step step-${stepState(step)}`}
      data-step={id}
      tabIndex={reached ? 0 : -1}
      aria-current={selected ? 'true' : undefined}
      title={visible(name)}
      onClick={() => look({ step: id })}
    >
      <Icon name={icon} spin={icon === 'loading'} />
      <span className="step-name one-line">
        {number}. {visible(name)}
      </span>
      {isCheckpoint ? (
        <>
          <Icon name="milestone" />
          <span className="unseen">{t('checkpoint')}</span>
        </>
      ) : null}
      <span className="step-facts one-line">
        {facts}
        {listed ? ` · ${actionLabel(action)}` : ''}
        {after === '' ? null : <span className={listed ? undefined : 'unseen'}>{` · ${after}`}</span>}
      </span>
    </button>
  );
});
