/** A worker thread of a project that answers every question and does nothing. */
import { workerData } from 'node:worker_threads';
import type { WorkerData } from '../../../src/adapters/ipc/projectThread.ts';
import { callsOver } from '../../../src/adapters/ipc/threadCalls.ts';
import type { StepResult } from '../../../src/shared/task/taskWork.ts';

callsOver((workerData as WorkerData).calls, {
  ping: async () => true,
  step: async (): Promise<StepResult> => ({ outcome: 'completed', result: 'done', session: null }),
  stop: async () => undefined,
});
