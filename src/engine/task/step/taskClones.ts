/**
 * Removes the clones of tasks' commands once their tasks have ended. A failed task keeps its clone, because it may be retried.
 */
import path from 'node:path';
import { messageOf } from '../../../shared/errors.ts';
import type { Store } from '../../state/store.ts';
import { cloneFolder, homesDirOf, taskFolder, tasksDirOf } from './taskFolders.ts';

/** Folders of tasks and of the private homes of commands on the disk. */
export interface TaskClonePorts {
  readonly store: Pick<Store, 'state' | 'subscribe'>;
  readonly jobsDir: string;
  /** Names in a folder; empty if it cannot be listed. */
  list(folder: string): Promise<readonly string[]>;
  remove(folder: string): Promise<void>;
  /** Name of the private home of commands that run in this clone. */
  homeName(clone: string): string;
  problem(text: string): void;
}

export interface TaskClones {
  /** Call when a command of the task has ended: removes its folders if the task has ended. */
  left(taskId: string): void;
  close(): Promise<void>;
}

/** Starts with the folders that a kill left behind. */
export function keepTaskClones({
  store,
  jobsDir,
  list,
  remove: removeFolder,
  homeName,
  problem,
}: TaskClonePorts): TaskClones {
  const tasksDir = tasksDirOf(jobsDir);
  const removing = new Set<Promise<void>>();

  /** Removes the clone last: as long as it exists, the rest can be found again. */
  const removeAll = async (taskId: string): Promise<void> => {
    const homesDir = homesDirOf(jobsDir);
    const home = homeName(cloneFolder(tasksDir, taskId));
    for (const project of await list(homesDir)) await removeFolder(path.join(homesDir, project, 'home', home));
    await removeFolder(taskFolder(tasksDir, taskId));
  };
  const remove = (taskId: string): void => {
    const done = removeAll(taskId).catch((thrown: unknown) =>
      problem(`the clone of task ${taskId} could not be removed: ${messageOf(thrown)}`),
    );
    removing.add(done);
    void done.then(() => removing.delete(done));
  };
  const left = (taskId: string): void => {
    const status = store.state.tasks.get(taskId)?.status;
    if (status === undefined || status === 'COMPLETED' || status === 'CANCELLED') remove(taskId);
  };
  const sweep = async (): Promise<void> => {
    for (const name of await list(tasksDir)) left(name);
  };

  void sweep();
  const unsubscribe = store.subscribe((_event, changes) => {
    for (const change of changes) {
      if (change.table !== 'tasks') continue;
      if ('drop' in change) left(change.drop);
      else if (change.put.clone_dir !== null) left(change.put.id);
    }
  });
  return {
    left,
    close: async () => {
      unsubscribe();
      await Promise.all(removing);
    },
  };
}
