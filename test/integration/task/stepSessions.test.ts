/** Steps that a model answers: one session each, one bill each, whatever dies in between. */
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, inject, test } from 'vitest';
import { nodeFiles } from '../../../src/adapters/files/files.ts';
import { keptAnswers } from '../../../src/adapters/files/keptAnswers.ts';
import { lineSeal } from '../../../src/adapters/log/seal.ts';
import { simulatedProvider } from '../../../src/adapters/simulated/provider.ts';
import { definitionOf } from '../../../src/core/project/reduceProjects.ts';
import type { TranscriptEntry } from '../../../src/engine/session/ports.ts';
import type { TaskInput } from '../../../src/shared/task/tasks.ts';
import type { StepResult } from '../../../src/shared/task/taskWork.ts';
import { hang, type Script, sse, textEvents } from '../../support/provider/scriptedServer.ts';
import { smallScenario } from '../../support/provider/simulatedRequests.ts';
import { rows, statuses, type World, world } from '../../support/world/gatewayWorld.ts';
import { generateOrder, StepThread, startTask } from '../../support/world/stepWorld.ts';

const noClock = { now: () => 0, monotonic: () => 0, sleep: async () => undefined, timer: () => () => undefined };
const threads: StepThread[] = [];
afterEach(() => {
  for (const thread of threads.splice(0)) thread.close();
});

async function open(
  scripts: readonly Script[],
  task: Partial<TaskInput> = {},
  options: Parameters<typeof world>[1] = {},
) {
  const at = await world(scripts, options);
  const transcripts = new Map<number, TranscriptEntry[]>();
  const stepId = await startTask(at.store, task);
  /** A thread begins: the one before it is gone. */
  const thread = (more: ConstructorParameters<typeof StepThread>[2] = {}): StepThread['steps'] => {
    const made = new StepThread(at, transcripts, more);
    threads.push(made);
    return made.steps;
  };
  return { at, stepId, thread };
}

const ok = (text: string): Script => sse(textEvents(text));
const stops = (reason: string): Script => sse(textEvents('half an answ').map((one) => one.replace('end_turn', reason)));
const body = (at: World, nth = 0): Record<string, unknown> => JSON.parse(at.server.seen[nth]?.body ?? '{}');
const ofTask = (at: World) => rows(at).filter((row) => row.task_id !== null);

async function end({ store }: World, stepId: number, result: StepResult): Promise<void> {
  if (result.outcome !== 'completed') throw new Error(JSON.stringify(result));
  const ended = { step_id: stepId, session: result.session, outcome: 'completed', result: result.result } as const;
  await store.commit({
    type: 'task_stepped',
    task_id: 'task-1',
    ended: [{ ...ended, artifact: null, bytes: 2 }],
    skipped: [],
    started: [],
    message: null,
  });
}

test('the prompt goes out as it stands, the answer comes back as text, and its cost is booked on the step', async () => {
  const { at, stepId, thread } = await open([ok('a, b')]);
  const result = await thread().step(1, generateOrder(stepId, { system: 'Be short.', temperature: 0.2 }));
  expect(result).toMatchObject({ outcome: 'completed', result: 'a, b', session: { status: 'completed', turns: 1 } });
  expect(body(at)).toMatchObject({ model: 'claude-sonnet-5-5', max_tokens: 500, temperature: 0.2 });
  expect(body(at)['system']).toMatchObject([{ text: 'Be short.' }]);
  expect(body(at)['messages']).toMatchObject([{ role: 'user', content: [{ text: 'List them.' }] }]);
  expect(body(at)).not.toHaveProperty('tools');
  expect(rows(at)).toMatchObject([{ task_id: 'task-1', step_id: stepId, role: 'task', status: 'settled' }]);
  await end(at, stepId, result);
  expect([...at.store.state.sessions.values()].at(-1)).toMatchObject({ status: 'completed', turns: 1 });
});

describe('nothing is paid twice', () => {
  test('when the thread dies with an answer that it has journaled', async () => {
    const { at, stepId, thread } = await open([ok('a, b'), ok('c, d')]);
    const first = await thread().step(1, generateOrder(stepId));
    const again = await thread().step(1, generateOrder(stepId));
    expect(again).toEqual(first);
    expect(at.server.seen).toHaveLength(1);
  });

  test('when it dies before the answer that was paid is in its journal', async () => {
    const stateDir = mkdtempSync(join(inject('tempRoot'), 'step-'));
    const seal = lineSeal(new Uint8Array(32).fill(7), 'answers');
    const answers = keptAnswers({ stateDir, ops: nodeFiles, seal, running: () => true, problem: () => undefined });
    const { at, stepId, thread } = await open([ok('a, b'), ok('c, d')], {}, { answers });
    const dies = () => {
      throw new Error('killed');
    };
    const died = await thread({ beforeReply: dies }).step(1, generateOrder(stepId));
    expect(died).toMatchObject({ outcome: 'failed', error: 'killed' });
    const again = await thread().step(1, generateOrder(stepId));
    expect(again).toMatchObject({ outcome: 'completed', result: 'a, b' });
    expect([at.server.seen.length, statuses(at)]).toEqual([1, ['settled']]);
    expect([...at.store.state.sessions.values()].filter((row) => row.task_id !== null)).toHaveLength(1);
  });

  test('nor is a second session begun while the first is stopped: the newer waits', async () => {
    const { at, stepId, thread } = await open([hang(textEvents('a').slice(0, 4)), ok('a, b')]);
    const steps = thread();
    const first = steps.step(1, generateOrder(stepId));
    const second = steps.step(2, generateOrder(stepId));
    while (at.server.seen.length === 0) await new Promise((resolve) => setImmediate(resolve));
    steps.abort(1);
    expect(await first).toEqual({ outcome: 'aborted' });
    expect(await second).toMatchObject({ outcome: 'completed', result: 'a, b' });
    expect(ofTask(at).map(({ session_id }) => session_id)).toEqual([2, 2]);
  });
});

describe('an answer that does not count', () => {
  test('is not asked for again when it was cut off: the step says what to raise', async () => {
    const { at, stepId, thread } = await open([stops('max_tokens'), ok('whole')]);
    const result = await thread().step(1, generateOrder(stepId));
    expect(result).toMatchObject({ outcome: 'failed', result: null, session: { status: 'failed' } });
    expect(result).toHaveProperty('error', 'the answer is longer than 500 tokens and was cut off: raise maxTokens');
    expect(at.server.seen).toHaveLength(1);
  });

  test('fails the step when it was refused', async () => {
    const { stepId, thread } = await open([stops('refusal')]);
    const result = await thread().step(1, generateOrder(stepId));
    expect(result).toMatchObject({ outcome: 'failed', session: { status: 'failed' } });
    expect(result).toHaveProperty('error', expect.stringContaining('the model refused'));
  });
});

describe('the money', () => {
  test('of a task ends with its budget, and goes on in the same session with more', async () => {
    const { at, stepId, thread } = await open([ok('a, b')], { budgetUsd: 0.000_01 });
    const stopped = await thread().step(1, generateOrder(stepId));
    expect(stopped).toMatchObject({ outcome: 'unavailable', code: 'LIMIT_REACHED', limit: 'task', wakeAt: null });
    expect(stopped).toHaveProperty('detail', expect.stringMatching(/^the task limit of \$0\.0000 is reached/));
    expect(ofTask(at)).toEqual([]);
    const budget_micro_usd = stopped.outcome === 'unavailable' ? stopped.raiseTo : null;
    const paused = { task_id: 'task-1', reason: 'money', by: 'engine', approval: null, message: null } as const;
    await at.store.commit({ type: 'task_paused', ...paused });
    await at.store.commit({ type: 'task_resumed', task_id: 'task-1', by: 'steward', budget_micro_usd });
    const sessionId = at.store.state.task_steps.get(stepId)?.session_id ?? null;
    const result = await thread().step(1, generateOrder(stepId, { sessionId }));
    expect(result).toMatchObject({ outcome: 'completed', session: { id: sessionId } });
  });

  test('of a task that is over is nobody’s: the call does not leave', async () => {
    const { at, stepId, thread } = await open([ok('a, b')]);
    const begun = thread({
      openTranscript: async () => ({ entries: [], append: cancel, close: async () => undefined }),
    });
    async function cancel(): Promise<void> {
      if (at.store.state.tasks.get('task-1')?.status !== 'RUNNING') return;
      await at.store.commit({ type: 'task_cancelled', task_id: 'task-1', reason: 'enough', by: 'steward' });
    }
    expect(await begun.step(1, generateOrder(stepId))).toEqual({ outcome: 'aborted' });
    expect(at.server.seen).toEqual([]);
  });

  test('of a provider without prices: the project needs limits of tokens and tool calls, and they count', async () => {
    const vscode = {
      ...simulatedProvider({ scenario: smallScenario(), clock: noClock }),
      name: 'vscode-lm',
    } as const;
    const { at, stepId, thread } = await open([], {}, { providerOf: () => vscode });
    const refused = await thread().step(1, generateOrder(stepId));
    expect(refused).toMatchObject({ outcome: 'unavailable', code: 'MODEL_UNPRICED', wakeAt: null });
    const project = at.store.state.projects.get('default');
    if (project === undefined) throw new Error('there is no project');
    const definition = { ...definitionOf(project), limits: { ...project.limits, tokens: 600, toolCalls: 10 } };
    await at.store.commit({ type: 'project_defined', project_id: 'default', definition, by: 'steward' });
    const stopped = await thread().step(1, generateOrder(stepId, { maxTokens: 600 }));
    expect(stopped).toMatchObject({ outcome: 'unavailable', code: 'LIMIT_REACHED', limit: 'project_tokens' });
  });
});
