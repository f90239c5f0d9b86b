/** The clones that commands of tasks ran in, removed once their tasks are over. One that failed keeps its own: it may be taken up again. */
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { homeName } from '../adapters/shell/privateFolders.ts';
import type { Store } from '../engine/store.ts';
import { cloneFolder, taskFolder } from '../projects/stepClone.ts';
import { messageOf } from '../shared/errors.ts';

/** Where the clones of a workspace's tasks lie. */
export const tasksDirOf = (jobsDir: string): string => join(jobsDir, 'tasks');

/** Where the private homes of commands lie: a folder for each project, whose thread alone uses it. */
export const homesDirOf = (jobsDir: string): string => join(jobsDir, '.homes');

const GONE = { recursive: true, force: true, maxRetries: 3 } as const;

export interface TaskClones {
  /** A command of it has come to its end: what it left is removed if the task is over. */
  left(taskId: string): void;
  close(): Promise<void>;
}

/** Begins with what a kill left behind. */
export function keepTaskClones(store: Store, jobsDir: string, problem: (text: string) => void): TaskClones {
  const tasksDir = tasksDirOf(jobsDir);
  const removing = new Set<Promise<void>>();

  /** The clone last: while it is there, the rest is found again. */
  const removeAll = async (taskId: string): Promise<void> => {
    const homesDir = homesDirOf(jobsDir);
    const home = homeName(cloneFolder(tasksDir, taskId), 'agent');
    const projects = await readdir(homesDir).catch(() => []);
    for (const project of projects) await rm(join(homesDir, project, 'home', home), GONE);
    await rm(taskFolder(tasksDir, taskId), GONE);
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
    for (const name of await readdir(tasksDir).catch(() => [])) left(name);
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
