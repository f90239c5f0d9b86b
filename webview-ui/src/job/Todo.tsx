/** Shows a worker's to-do list: in one line on its card, and whole with its attempt. */

import { type TodoProgress, type TodoState, todoProgress } from '../../../src/shared/job/todo.ts';
import type { PanelAttempt, PanelCard } from '../../../src/shared/workspace/panel.ts';
import { t } from '../store/l10n.ts';
import { Icon, type IconName } from '../ui/Icon.tsx';
import { visible } from '../ui/text/format.ts';
import { laneLabel } from '../ui/text/labels.ts';

const doneOf = ({ done, total }: TodoProgress) => t('To do: {0} of {1} done', done, total);

export function TodoLine({ todo }: Pick<PanelCard, 'todo'>) {
  if (todo === null) return null;
  const { done, total, current } = todo;
  return (
    <p className="card-todo">
      <Icon name="tasklist" />
      <span aria-hidden="true">
        {done}/{total}
      </span>
      <span className="unseen">{doneOf(todo)}</span>
      {current === null ? null : (
        <span className="one-line" title={visible(current)}>
          {visible(current)}
        </span>
      )}
    </p>
  );
}

const ICONS: Readonly<Record<TodoState, IconName>> = { pending: 'circle-outline', in_progress: 'pulse', done: 'pass' };

/** Open while the attempt runs. */
export function TodoList({ attempt: { todo, status } }: { readonly attempt: PanelAttempt }) {
  const progress = todoProgress(todo);
  if (progress === null) return null;
  return (
    <details className="todo" open={status === 'running' || status === 'interrupted'}>
      <summary>{doneOf(progress)}</summary>
      <ul>
        {todo.map(({ text, state }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list is in its own order, and texts may repeat
          <li key={index} className={`todo-${state}`}>
            <Icon name={ICONS[state]} />
            <span>
              <span className="unseen">{laneLabel(state === 'done' ? 'completed' : state)}: </span>
              {visible(text)}
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
}
