/** The tasks as rows: what each is at, how far, how long yet, at what cost, and what can be done with it. */
import { useState } from 'react';
import { DEFAULT_PROJECT } from '../../../src/shared/project/projects.ts';
import type { PanelSchedule, PanelTask } from '../../../src/shared/task/taskPanel.ts';
import type { PanelView } from '../../../src/shared/workspace/panel.ts';
import { plural, t } from '../store/l10n.ts';
import { IconButton, Link } from '../ui/Button.tsx';
import { Row } from '../ui/Row.tsx';
import { localTime, visible } from '../ui/text/format.ts';
import { heldTexts } from '../ui/text/spent.ts';
import { useNow } from '../ui/use/useNow.ts';
import { actsOf, ask, TaskProgress, TaskState, TaskWait } from './TaskParts.tsx';
import { current, elapsed, inOrder, isEnded, isTicking, liveTasks, money, remaining, taskLook } from './taskFacts.ts';

const PAGE = 25;

interface Of {
  readonly task: PanelTask;
}

interface Opens {
  readonly onOpen: (taskId: string) => void;
}

/** The times of a task, in a separate component, so that a tick renders nothing else. */
function TaskTimes({ task }: Of) {
  const now = useNow(isTicking(task));
  const [took, left] = [elapsed(task, now), remaining(task, now)];
  return (
    <>
      {took === '' ? null : <span>{took}</span>}
      {left === '' ? null : <span>{left}</span>}
    </>
  );
}

export function TaskFacts({ task }: Of) {
  const { projectId, stepsDone, stepsTotal, costUsd, scheduleId, startedAt, createdAt } = task;
  return (
    <p className="job-facts">
      <TaskState task={task} />
      {projectId === DEFAULT_PROJECT ? null : <span className="tag">{visible(projectId)}</span>}
      <span>{t('{0} of {1} steps', stepsDone, stepsTotal)}</span>
      <TaskTimes task={task} />
      {startedAt === null && costUsd === 0 ? null : <span>{money(task)}</span>}
      {heldTexts(task).map((held) => (
        <span key={held}>{held}</span>
      ))}
      {scheduleId === null ? null : <span>{t('recurring')}</span>}
      {isEnded(task) ? <span>{localTime(task.endedAt ?? createdAt)}</span> : null}
    </p>
  );
}

function Task({ task, onOpen }: Of & Opens) {
  const { id, name, status, reason } = task;
  const runs = current(task);
  const acts = actsOf(task).map(({ act, icon, long }) => (
    <IconButton key={act} icon={icon} label={long} onPress={ask(id, act)} />
  ));
  return (
    <Row
      className={`task task-${status}`}
      icon={taskLook(task).icon}
      title={visible(name)}
      onOpen={() => onOpen(id)}
      acts={acts}
    >
      {status === 'PENDING' || status === 'COMPLETED' ? null : <TaskProgress task={task} />}
      <TaskFacts task={task} />
      {runs === '' ? null : <p className="job-why muted one-line">{runs}</p>}
      <TaskWait task={task} />
      {reason === null ? null : <p className="job-why">{visible(reason)}</p>}
    </Row>
  );
}

interface RowsProps extends Opens {
  readonly tasks: readonly PanelTask[];
  readonly label: string;
}

function Rows({ tasks, label, onOpen }: RowsProps) {
  const [shown, setShown] = useState(PAGE);
  return (
    <>
      <ul className="jobs" aria-label={label}>
        {tasks.slice(0, shown).map((task) => (
          <Task key={task.id} task={task} onOpen={onOpen} />
        ))}
      </ul>
      {tasks.length > shown ? (
        <p className="more">
          <Link
            label={t('Show {0} more of {1}', Math.min(PAGE, tasks.length - shown), tasks.length)}
            onPress={() => setShown(shown + PAGE)}
          />
        </p>
      ) : null}
    </>
  );
}

function Schedules({ schedules }: { readonly schedules: readonly PanelSchedule[] }) {
  return (
    <ul className="jobs" aria-label={t('Recurring tasks')}>
      {schedules.map(({ id, name, enabled, nextAt, cron, timeZone }) => (
        <Row key={id} className="schedule" icon="history" title={visible(name)}>
          <p className="job-facts" title={`${visible(cron)} ${visible(timeZone)}`}>
            <span>
              {!enabled ? t('Switched off') : nextAt === null ? t('No further runs') : t('Next {0}', localTime(nextAt))}
            </span>
          </p>
        </Row>
      ))}
    </ul>
  );
}

const failedOf = (tasks: readonly PanelTask[]): string => {
  const failed = tasks.filter(({ status }) => status === 'FAILED').length;
  return failed === 0 ? '' : `, ${t('{0} failed', failed)}`;
};

type TasksProps = Pick<PanelView, 'tasks' | 'schedules'> & Opens;

export function Tasks({ tasks, schedules, onOpen }: TasksProps) {
  const live = inOrder(liveTasks(tasks));
  const ended = tasks.filter(isEnded).toReversed();
  return (
    <>
      {live.length === 0 ? null : <Rows tasks={live} label={t('Tasks')} onOpen={onOpen} />}
      {schedules.length === 0 ? null : <Schedules schedules={schedules} />}
      {ended.length === 0 ? null : (
        <details className="archived" open={live.length === 0 && schedules.length === 0}>
          <summary>
            {plural(ended.length, { one: '{0} ended', other: '{0} ended' })}
            {failedOf(ended)}
          </summary>
          <Rows tasks={ended} label={t('Ended tasks')} onOpen={onOpen} />
        </details>
      )}
    </>
  );
}
