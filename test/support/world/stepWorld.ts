/** Steps of one task as a project's thread carries them out, over the real gateway, SDK and HTTP provider: a thread that dies is made anew. */
import { MessageChannel } from 'node:worker_threads';
import { gatewayFetch } from '../../../src/adapters/gateway/door/gatewayClient.ts';
import { serveGateway } from '../../../src/adapters/gateway/door/serveGateway.ts';
import { openTree } from '../../../src/adapters/tree/treeFiles.ts';
import { newSteps, newTask } from '../../../src/core/task/script/newTask.ts';
import type { TranscriptEntry } from '../../../src/engine/session/ports.ts';
import type { Store } from '../../../src/engine/state/store.ts';
import type { OrderOf, StepPorts } from '../../../src/engine/task/step/stepPorts.ts';
import { type ProjectSteps, projectSteps } from '../../../src/engine/task/step/steps.ts';
import { stepSchema, type TaskInput, taskSchema } from '../../../src/shared/task/tasks.ts';
import type { EventDraft } from '../../../src/shared/workspace/events.ts';
import type { World } from './gatewayWorld.ts';

const TASK = 'task-1';

const noWork = async (): Promise<never> => {
  throw new Error('not in this test');
};

/** A task that runs, with one step that does. */
export async function startTask(store: Store, given: Partial<TaskInput> = {}, project_id = 'default'): Promise<number> {
  const definition = taskSchema.parse({ name: 'Research', ...given });
  const made = { id: TASK, project_id, template: null, created_by: 'steward' } as const;
  const ids = store.nextIds('task_steps', 1);
  const steps = newSteps([stepSchema.parse({ name: 'List', action: 'llm_generate' })], ids);
  const [stepId = 0] = ids;
  const started = [{ step_id: stepId, wake_at: null, job_id: null, approval: null }];
  for (const draft of [
    { type: 'task_created', task: newTask(definition, made), steps, schedule: null },
    { type: 'task_started', task_id: TASK, by: 'steward' },
    { type: 'task_stepped', task_id: TASK, ended: [], skipped: [], started, message: null },
  ] satisfies EventDraft[]) {
    await store.commit(draft);
  }
  return stepId;
}

export class StepThread {
  readonly steps: ProjectSteps;
  readonly #doors: MessageChannel[] = [];

  /** `transcripts`: what is on the disk. `beforeReply`: called before an answer is journaled, and may throw in its place. */
  constructor(
    { store, gateway, clock }: World,
    transcripts: Map<number, TranscriptEntry[]>,
    more: Partial<StepPorts> & { readonly beforeReply?: () => void } = {},
  ) {
    const { beforeReply, ...ports } = more;
    const door = new MessageChannel();
    serveGateway(door.port1, gateway);
    this.#doors.push(door);
    this.steps = projectSteps({
      store: {
        state: store.state,
        commit: (draft) => store.commit(draft),
        nextIds: async (table, count) => store.nextIds(table as 'sessions', count),
        changed: noWork,
      },
      clock,
      commands: {
        sandbox: noWork,
        converse: async () => Promise.reject(new Error('not here')),
        openSession: () => {
          throw new Error('not here');
        },
        start: noWork,
        run: noWork,
      },
      git: { makeClone: noWork },
      httpGet: noWork,
      repository: '/repository',
      tasksDir: '/tasks',
      isThere: async () => false,
      openTree,
      gatewayFetch: (sessionId) => gatewayFetch(door.port2, sessionId),
      openTranscript: async (sessionId) => {
        const entries = transcripts.get(sessionId) ?? [];
        transcripts.set(sessionId, entries);
        return {
          entries: [...entries],
          append: async (entry) => {
            if (entry.kind === 'reply') beforeReply?.();
            entries.push(entry);
          },
          close: async () => undefined,
        };
      },
      ...ports,
    });
  }

  close(): void {
    for (const { port1 } of this.#doors) port1.close();
  }
}

export function generateOrder(stepId: number, more: Partial<OrderOf<'generate'>> = {}): OrderOf<'generate'> {
  const of = { taskId: TASK, projectId: 'default', stepId, sessionId: null, allowedHosts: [] };
  const asked = { model: 'claude-sonnet-5-5', system: null, prompt: 'List them.', maxTokens: 500, temperature: null };
  return { kind: 'generate', role: 'task', ...of, ...asked, ...more };
}
