/** The owner's side of a thread, for tests of which it is not the subject. */
import type { ConversationCalls, WorkerStart } from '../../../src/engine/project/threadPorts.ts';

export const EMPTY_ANSWERS = {
  submitBrief: async () => ({ value: { jobId: 'none' } }),
  taskTool: async () => ({ value: '' }),
  jobTool: async () => ({ value: '' }),
  recall: async () => ({ value: '' }),
  mainTool: async () => ({ value: '' }),
  briefing: async () => ({ value: { now: '', others: [], waiting: [], repository: '' } }),
  delivery: async () => ({ value: 'Sent.' }),
} satisfies ConversationCalls;

export function threadStart(
  projectId: string,
  workspaceDir: string,
  projectDir = workspaceDir,
): Omit<WorkerStart, 'epoch'> {
  return {
    projectId,
    projectDir,
    workspaceDir,
    stateDir: `${workspaceDir}/.autonomous`,
    jobsDir: '/jobs',
    configDir: '/config',
    runtimeDir: '/run',
    version: '0.0.0',
    verifyTimeoutMs: null,
    confine: true,
    hidden: [],
  };
}
