/**
 * An owner of tasks in one process: goes on with those that are there, makes another one, and ends when all are over. Work is done by
 * a worker that notes each beginning in a file of its own. May kill itself on the way, at the nth change of a file.
 */
import { createHash } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { openArtifacts } from '../../src/adapters/artifacts.ts';
import { systemClock } from '../../src/adapters/clock.ts';
import { nodeFiles } from '../../src/adapters/files.ts';
import { openEventLog } from '../../src/adapters/log/eventLog.ts';
import { lineSeal } from '../../src/adapters/log/seal.ts';
import { plainDefinition } from '../../src/core/reduce/projects.ts';
import { EVENT_TYPES, reduce } from '../../src/core/reduce.ts';
import { isOver } from '../../src/core/rows.ts';
import { openStore, type Store } from '../../src/engine/store.ts';
import { type Json, type StepInput, TASK_LIMITS, taskSchema } from '../../src/shared/tasks.ts';
import type { StepOrder } from '../../src/shared/taskWork.ts';
import { Runner } from '../../src/tasks/runner.ts';
import { taskWishes } from '../../src/tasks/wishes.ts';
import { killAtChange, type PlannedKill } from './killAtChange.ts';
import { taskPorts } from './taskPorts.ts';

export interface TaskLife extends PlannedKill {
  readonly stateDir: string;
  /** The installation's, in hexadecimal digits. */
  readonly key: string;
  /** Where the worker notes what it begins. */
  readonly begun: string;
}

/** Said of each prompt, and of no other: what is lost on the way shows in all that comes after it. */
export function answerTo(prompt: string): string {
  const hash = createHash('sha256').update(prompt).digest('hex');
  return prompt.startsWith('Long') ? hash.repeat(Math.ceil((TASK_LIMITS.inlineBytes + 1) / hash.length)) : hash;
}

const say = (name: string, prompt: string, more: Partial<StepInput> = {}): StepInput => ({
  name,
  action: 'llm_generate',
  params: { prompt },
  ...more,
});

/** Each kind of step that ends in the owner or in a thread, one after the other and side by side. */
const KILLED_STEPS: readonly StepInput[] = [
  say('Seed', 'Short'),
  say('Left', 'Short left of {{Seed}}', { isCheckpoint: true }),
  say('Right', 'Long right of {{Seed}}', { needs: ['Seed'] }),
  { name: 'Both', action: 'aggregate', params: { keys: ['Left', 'Right'] }, needs: ['Left', 'Right'] },
  { name: 'If', action: 'conditional', params: { condition: 'size({{Both}}) > 100', ifTrue: 'Tell', ifFalse: 'Not' } },
  { name: 'Tell', action: 'notify', params: { title: 'Told', message: '{{Left}}' } },
  say('Not', 'Never'),
  { name: 'Wait', action: 'wait', params: { minutes: 0 } },
  say('End', 'Short end of {{Both}}'),
];

function carryOut(begun: string, epoch: number, order: StepOrder): Json {
  if (order.kind !== 'generate') throw new Error(`nobody carries out ${order.kind}`);
  if (order.role === 'task') appendFileSync(begun, `${JSON.stringify({ epoch, step: order.stepId })}\n`);
  return order.role === 'task' ? answerTo(order.prompt) : 'A summary.';
}

async function over(store: Store): Promise<void> {
  const areOver = (): boolean => [...store.state.tasks.values()].every(isOver);
  await new Promise<void>((resolve) => {
    const look = (): void => void (areOver() && resolve());
    store.subscribe(look);
    look();
  });
}

async function main(life: TaskLife): Promise<void> {
  killAtChange(life);
  const { stateDir } = life;
  const key = Buffer.from(life.key, 'hex');
  const clock = systemClock();
  const log = await openEventLog({ stateDir, ops: nodeFiles, seal: lineSeal(key, 'events') });
  const owner = { pid: process.pid, version: 'test' };
  const store = await openStore({ log, projection: null, reduce, eventTypes: EVENT_TYPES, clock, owner });
  if (!store.state.projects.has('api')) {
    const definition = plainDefinition();
    await store.commit({ type: 'project_created', project: { id: 'api', model: null, workdir: null, definition } });
  }
  const nothing = async (): Promise<never> => Promise.reject(new Error('there are no briefs here'));
  const runner = new Runner({
    store,
    clock,
    worker: {
      carryOut: async (order) => {
        const result = carryOut(life.begun, store.epoch, order);
        return { outcome: 'completed', result, session: null };
      },
    },
    actions: null,
    results: openArtifacts(stateDir, nodeFiles),
    briefs: { newId: () => '', file: nothing, goOn: () => undefined, cancel: nothing },
    models: { task: 'a', summarizer: 'b' },
    problem: (text) => void process.stderr.write(`${text}\n`),
  });
  const wishes = taskWishes(taskPorts(store));
  const pending = [...store.state.tasks.values()].filter(({ status }) => status === 'PENDING');
  for (const { id } of pending) await wishes.startTask({ taskId: id, by: 'steward' });
  const definition = taskSchema.parse({ name: 'Task', completionBehavior: 'NOTIFY_USER', steps: KILLED_STEPS });
  await wishes.createTask({ project: 'api', definition, start: true, by: 'steward' });
  await over(store);
  await runner.close();
  await store.close();
}

const plan = process.env['LIFE'];
if (plan !== undefined) await main(JSON.parse(plan) as TaskLife);
