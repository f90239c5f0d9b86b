/** Parts of a task that several views show. */
import type { PanelTask } from '../../../src/shared/task/taskPanel.ts';
import type { TaskAct } from '../../../src/shared/workspace/pageProtocol.ts';
import { goToQuestion } from '../approval/goToQuestion.ts';
import { post } from '../store/bridge.ts';
import { t } from '../store/l10n.ts';
import { usePage } from '../store/store.ts';
import { Link } from '../ui/Button.tsx';
import type { IconName } from '../ui/Icon.tsx';
import { Progress } from '../ui/Progress.tsx';
import { visible } from '../ui/text/format.ts';
import { apart } from '../ui/text/waitFacts.ts';
import { WaitLine } from '../ui/WaitLine.tsx';
import { taskLook } from './taskFacts.ts';

export const ask = (taskId: string, act: TaskAct) => () => post({ kind: 'task', taskId, act });

export interface Act {
  readonly act: TaskAct;
  readonly icon: IconName;
  readonly label: string;
  /** With the name of the task. */
  readonly long: string;
}

/** The actions that the task's status allows, the most likely first. */
export function actsOf({ status, name, still }: PanelTask): readonly Act[] {
  const title = visible(name);
  const start: Act = { act: 'start', icon: 'debug-start', label: t('Start'), long: t('Start {0}', title) };
  const pause: Act = { act: 'pause', icon: 'debug-pause', label: t('Pause'), long: t('Pause {0}', title) };
  const resume: Act = { act: 'resume', icon: 'debug-start', label: t('Resume'), long: t('Resume {0}', title) };
  const cancel: Act = { act: 'cancel', icon: 'debug-stop', label: t('Cancel'), long: t('Cancel {0}', title) };
  const retry: Act = { act: 'retry', icon: 'refresh', label: t('Retry'), long: t('Retry {0}', title) };
  switch (status) {
    case 'PENDING':
      return [start, cancel];
    case 'RUNNING':
      return [still === true ? resume : pause, cancel];
    case 'PAUSED':
      return [resume, cancel];
    case 'FAILED':
      return [retry];
    default:
      return [];
  }
}

/** The task's state. Links to its question, if it has one. */
export function TaskState({ task }: { readonly task: PanelTask }) {
  const asked = usePage((page) => page.view?.approvals.find(({ taskId }) => taskId === task.id));
  const { label } = taskLook(task);
  if (asked === undefined) return <span>{label}</span>;
  return <Link label={label} describes={visible(task.name)} onPress={() => goToQuestion(asked)} />;
}

/** The wait of a task. */
export function TaskWait({ task: { id, name, waiting } }: { readonly task: PanelTask }) {
  const shown = apart(waiting);
  return shown === null ? null : <WaitLine waiting={shown} of="task" id={id} describes={visible(name)} />;
}

export function TaskProgress({ task: { name, percent, stepsDone, stepsTotal } }: { readonly task: PanelTask }) {
  return (
    <Progress
      label={t('Progress of {0}', visible(name))}
      says={t('{0} of {1} steps', stepsDone, stepsTotal)}
      value={percent}
      max={100}
    />
  );
}
