/** The tab of the tasks: the list, or the open task. */
import type { PanelView } from '../../../src/shared/workspace/panel.ts';
import { post } from '../store/bridge.ts';
import { t } from '../store/l10n.ts';
import { look, usePage } from '../store/store.ts';
import { Button, Link } from '../ui/Button.tsx';
import { Icon } from '../ui/Icon.tsx';
import { LiveTask } from './LiveTask.tsx';
import { Tasks } from './Tasks.tsx';
import { hasTasks } from './taskFacts.ts';

export const openTask = (task: string) => look({ tab: 'tasks', task });

const newTask = () => post({ kind: 'newTask' });

function None() {
  return (
    <div className="empty">
      <Icon name="tasklist" />
      <h2>{t('No tasks yet')}</h2>
      <p>
        {t(
          'A task is a script of steps that runs for minutes or hours. It can ask a model, wait, run commands and ask you, and it continues after a restart.',
        )}
      </p>
      <Button label={t('New Task…')} onPress={newTask} />
    </div>
  );
}

function Gone() {
  return (
    <div className="empty">
      <p>{t('This task is not here any more.')}</p>
      <Link label={t('All tasks')} onPress={() => look({ task: null })} />
    </div>
  );
}

export function TaskPage({ view }: { readonly view: PanelView }) {
  const looked = usePage(({ ui }) => ui.task);
  if (looked !== null) {
    const task = view.tasks.find(({ id }) => id === looked);
    return task === undefined ? <Gone /> : <LiveTask key={task.id} task={task} />;
  }
  if (!hasTasks(view)) return <None />;
  return (
    <>
      <Tasks tasks={view.tasks} schedules={view.schedules} onOpen={openTask} />
      <p className="more">
        <Link label={t('New Task…')} onPress={newTask} />
      </p>
    </>
  );
}
