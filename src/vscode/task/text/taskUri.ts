/** Which documents are tasks. */
import type * as vscode from 'vscode';

/** Scheme of the documents of tasks in the state. */
export const TASK_SCHEME = 'autonomous-task';
const OF_A_TASK = /^\/(task-[0-9a-f]{8})\/task\.yaml$/;

export const isTaskText = ({ scheme, path }: Pick<vscode.Uri, 'scheme' | 'path'>): boolean =>
  scheme === TASK_SCHEME || /(\.task|\/\.autonomous\/templates\/tasks\/[^/]+)\.ya?ml$/.test(path);

/** Returns the id of the task, or null for a file. */
export const taskOf = ({ scheme, path }: Pick<vscode.Uri, 'scheme' | 'path'>): string | null =>
  (scheme === TASK_SCHEME ? OF_A_TASK.exec(path)?.[1] : undefined) ?? null;
