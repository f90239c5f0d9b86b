/** Which task a command is about: what the caller named, the one in front, the only one that fits, or the one that the person picks. */
import * as vscode from 'vscode';
import { taskList } from '../../core/task/view/tasks.ts';
import { failure } from '../../shared/errors.ts';
import type { TaskSummary } from '../../shared/task/taskApi.ts';
import type { TaskStatus } from '../../shared/task/tasks.ts';
import { given } from '../window/command.ts';
import type { HostContext } from '../window/context.ts';
import type { World } from '../window/world.ts';
import { plainWords } from '../words/plainWords.ts';
import { taskItem } from './taskWords.ts';
import { taskOf } from './text/taskUri.ts';

/** Reads `{taskId}`, an id, or the URI of a task's document. Returns undefined if no task was named. */
export function namedTask(target: unknown): string | undefined {
  if (target instanceof vscode.Uri) return taskOf(target) ?? undefined;
  const id = typeof target === 'string' ? target : given(target, 'taskId');
  if (typeof id === 'string') return id;
  const front = vscode.window.activeTextEditor?.document.uri;
  return (front === undefined ? null : taskOf(front)) ?? undefined;
}

export type TaskWorld = Pick<World, 'clock'>;

/** Tasks that need the user first, then running ones, then the newest. */
export function shownTasks({ engine }: HostContext, { clock }: TaskWorld): readonly TaskSummary[] {
  const rank = ({ status, questions }: TaskSummary): number =>
    questions.length > 0 ? 0 : status === 'RUNNING' ? 1 : status === 'PAUSED' ? 2 : 3;
  return [...taskList(engine.state, {}, clock.now())].sort((a, b) => rank(a) - rank(b));
}

interface Asking {
  readonly title: string;
  readonly none: string;
  readonly statuses: readonly TaskStatus[] | null;
}

/** Returns null if the choice was dismissed, or if no task fits, which is shown. Throws NOT_FOUND if the named task does not exist. */
export async function pickTask(
  context: HostContext,
  world: TaskWorld,
  target: unknown,
  { title, none, statuses }: Asking,
): Promise<string | null> {
  const named = namedTask(target);
  if (named !== undefined) {
    if (context.engine.state.tasks.has(named)) return named;
    throw failure('NOT_FOUND', vscode.l10n.t('There is no task {0} in this folder.', named));
  }
  const tasks = shownTasks(context, world).filter(({ status }) => statuses === null || statuses.includes(status));
  const [only] = tasks;
  if (only === undefined) {
    void vscode.window.showInformationMessage(plainWords(none));
    return null;
  }
  if (tasks.length === 1) return only.id;
  const options = { title, matchOnDescription: true, matchOnDetail: true, ignoreFocusOut: true };
  return (
    (
      await vscode.window.showQuickPick(
        tasks.map((task) => taskItem(task, context.engine.atWork)),
        options,
      )
    )?.id ?? null
  );
}
