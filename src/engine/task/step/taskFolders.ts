/** Computes the folders of a workspace's tasks. */
import path from 'node:path';

/** The folder of the clones of a workspace's tasks. */
export const tasksDirOf = (jobsDir: string): string => path.join(jobsDir, 'tasks');

/** The folder of the private homes of commands: one folder per project, used by its thread alone. */
export const homesDirOf = (jobsDir: string): string => path.join(jobsDir, '.homes');

/** The git paths of a task, laid out like a job's: `<tasks>/<task>/work/clone` beside the engine's `git`. */
export const taskFolder = (tasksDir: string, taskId: string): string => path.join(tasksDir, taskId);

export const cloneFolder = (tasksDir: string, taskId: string): string =>
  path.join(taskFolder(tasksDir, taskId), 'work', 'clone');
