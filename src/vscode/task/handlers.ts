/** The commands about tasks. */

import type { Handlers } from '../window/handlers.ts';
import type { CommandId } from '../words/commandList.ts';

export const COMMANDS = [
  'autonomous.newTask',
  'autonomous.showTasks',
  'autonomous.showTask',
  'autonomous.startTask',
  'autonomous.checkTask',
  'autonomous.pauseTask',
  'autonomous.resumeTask',
  'autonomous.cancelTask',
  'autonomous.retryTask',
  'autonomous.removeTask',
  'autonomous.editTask',
  'autonomous.taskReport',
  'autonomous.taskLog',
  'autonomous.saveTaskTemplate',
  'autonomous.scheduleTask',
] as const satisfies readonly CommandId[];

export type TaskHandlers = Required<Pick<Handlers, (typeof COMMANDS)[number]>>;
