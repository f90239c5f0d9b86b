/** Finds the task that a person names: by its id, or by a unique start of its id. */
import { failure } from '../../shared/errors.ts';
import type { TaskRow } from '../../shared/task/tasks.ts';
import type { State } from '../../shared/workspace/state.ts';
import { type Context, command } from '../screen/context.ts';
import { usage } from '../text/parse.ts';
import { visibleLine } from '../text/visible.ts';

const PREFIX = 'task-';
const SHOWN = 5;

/** Throws NOT_FOUND, or USAGE if the text is the start of several ids. */
export function findTask(context: Context, state: State, text: string): TaskRow {
  const exact = state.tasks.get(text);
  if (exact !== undefined) return exact;
  const begins = text.startsWith(PREFIX) ? text : PREFIX + text;
  const fits = text === '' ? [] : [...state.tasks.values()].filter(({ id }) => id.startsWith(begins));
  const [only, ...others] = fits;
  if (only === undefined) {
    throw failure('NOT_FOUND', `there is no task ${visibleLine(text)}`, {
      hint: `See: ${command(context, 'task list --all')}`,
    });
  }
  if (others.length === 0) return only;
  const names = fits.slice(0, SHOWN).map(({ id, name }) => `${id} (${visibleLine(name)})`);
  const more = fits.length > SHOWN ? `, and ${fits.length - SHOWN} more` : '';
  throw usage(`${fits.length} tasks start with ${visibleLine(text)}`, `They are ${names.join(', ')}${more}.`);
}
