/** The log of a task, newest line last. Follows new lines while it is scrolled to the end. */
import { memo, useState } from 'react';
import type { PanelTaskLine } from '../../../src/shared/task/taskPanel.ts';
import { t } from '../store/l10n.ts';
import { Button } from '../ui/Button.tsx';
import { Icon, type IconName } from '../ui/Icon.tsx';
import { Select } from '../ui/Select.tsx';
import { localTime, visible } from '../ui/text/format.ts';
import { useThread } from '../ui/use/useThread.ts';

type Level = PanelTaskLine['level'];

const LEVELS: Readonly<Record<Level, { readonly icon: IconName; readonly label: string }>> = {
  info: { icon: 'info', label: t('Note') },
  success: { icon: 'pass', label: t('Success') },
  warning: { icon: 'warning', label: t('Warning') },
  error: { icon: 'error', label: t('Error') },
};

const FILTERS: Readonly<Record<string, readonly Level[]>> = {
  all: ['info', 'success', 'warning', 'error'],
  warning: ['warning', 'error'],
  error: ['error'],
};

const CHOICES = [
  { value: 'all', label: t('Everything') },
  { value: 'warning', label: t('Warnings and errors') },
  { value: 'error', label: t('Errors') },
];

/** Labels of events whose text does not name them. */
const EVENTS: Readonly<Partial<Record<NonNullable<PanelTaskLine['event']>, string>>> = {
  'task:started': t('Started'),
  'task:completed': t('Completed'),
  'task:failed': t('Failed'),
  'task:paused': t('Paused'),
  'task:cancelled': t('Cancelled'),
};

/** The text of a start or a completion is only the task's name, which the label replaces. A resumption has its own text. */
function lineText({ event, text }: PanelTaskLine, name: string): string {
  const word = event === null ? undefined : EVENTS[event];
  if (word === undefined || (event === 'task:started' && text !== name)) return visible(text);
  return text === name ? word : `${word}: ${visible(text)}`;
}

interface LineProps {
  readonly line: PanelTaskLine;
  /** Name of the task. */
  readonly name: string;
}

const Line = memo(function Line({ line, name }: LineProps) {
  const { at, level, event, step } = line;
  const { icon, label } = LEVELS[level];
  return (
    <li className={`line line-${level}`}>
      <Icon name={event === 'task:checkpoint' ? 'milestone' : icon} />
      <span className="unseen">{event === 'task:checkpoint' ? t('checkpoint') : label}</span>
      <time dateTime={at}>{localTime(at)}</time>
      {step === null ? null : <span className="muted">{t('Step {0}', step)}</span>}
      <span className="line-text prose">{lineText(line, name)}</span>
    </li>
  );
});

interface LogProps {
  readonly lines: readonly PanelTaskLine[];
  readonly name: string;
}

export function Log({ lines, name }: LogProps) {
  const [filter, setFilter] = useState('all');
  const shown = filter === 'all' ? lines : lines.filter(({ level }) => FILTERS[filter]?.includes(level));
  const { scroller, atEnd, toEnd } = useThread(shown);
  return (
    <section className="task-log" aria-label={t('Log')}>
      <h3 className="with-act">
        {t('Log')}
        <Select label={t('Lines of the log')} value={filter} choices={CHOICES} onPick={setFilter} />
      </h3>
      <div className="thread">
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it is scrolled by keyboard */}
        <section className="log-scroll" ref={scroller} data-end={atEnd} tabIndex={0} aria-label={t('Lines')}>
          <ol>
            {shown.map((line) => (
              <Line key={line.id} line={line} name={name} />
            ))}
          </ol>
          {shown.length === 0 ? <p className="muted padded">{t('Nothing to see here yet.')}</p> : null}
        </section>
        {atEnd ? null : (
          <div className="to-newest">
            <Button secondary label={t('To the newest line')} onPress={toEnd} />
          </div>
        )}
      </div>
    </section>
  );
}
