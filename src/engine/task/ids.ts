/** Makes the ids of tasks and schedules. */
import { randomBytes } from 'node:crypto';

export const newTaskId = (): string => `task-${randomBytes(4).toString('hex')}`;
