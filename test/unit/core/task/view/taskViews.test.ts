/** What is shown of tasks is made of the state alone, and has the form that is promised outside. */
import { describe, expect, it } from 'vitest';
import { taskReport } from '../../../../../src/core/task/view/taskReport.ts';
import {
  ACTIVE,
  taskDetails,
  taskEvents,
  taskList,
  taskProgress,
  taskSummary,
} from '../../../../../src/core/task/view/tasks.ts';
import {
  taskDetailsSchema,
  taskEventSchema,
  taskProgressSchema,
  taskReportSchema,
  taskSummarySchema,
} from '../../../../../src/shared/task/taskApi.ts';
import { START_MS, spendRow } from '../../../../support/state/builders.ts';
import { startFold } from '../../../../support/state/fold.ts';
import { playedTask } from '../../../../support/state/taskRows.ts';

const llm = (name: string, more: object = {}) => ({
  name,
  action: 'llm_generate',
  params: { prompt: 'List' },
  ...more,
});
const research = [llm('Identify Competitors'), llm('Gather Details', { params: { prompt: '{{step_1_result}}' } })];
const MINUTE = 60_000;

function halfDone() {
  const task = playedTask(research, { estimatedDurationMinutes: 10, objective: 'Know them' });
  task.start();
  task.begin('Identify Competitors');
  task.complete('Identify Competitors', 'A, B');
  task.state.spends.set(
    1,
    spendRow({ id: 1, task_id: task.taskId, step_id: 1, settled_micro_usd: 1_500_000, provider: 'anthropic' }),
  );
  return task;
}

describe('views of a task', () => {
  it('have the form that is promised', () => {
    const { state, taskId } = halfDone();
    const now = START_MS + MINUTE;
    expect(taskSummarySchema.parse(taskSummary(state, taskId, now))).toMatchObject({
      percent: 50,
      stepsDone: 1,
      costUsd: 1.5,
    });
    const details = taskDetailsSchema.parse(taskDetails(state, taskId, now));
    expect(details.steps[1]?.needs).toEqual(['Identify Competitors']);
    expect(details.steps[0]).toMatchObject({ costUsd: 1.5, durationMs: 1000, result: 'A, B' });
    taskProgressSchema.parse(taskProgress(state, taskId, now));
    const { report } = taskReportSchema.parse(taskReport(state, taskId, now));
    expect(report).toContain('## Objective\n\nKnow them');
    expect(report).toContain('```\nA, B\n```');
    const events = taskEvents(state, 0).map((event) => taskEventSchema.parse(event).event);
    expect(events).toEqual(['task:started', 'task:step_completed', 'task:progress']);
    expect(taskEvents(state, state.meta.last_seq)).toEqual([]);
  });

  it('list the newest first, or the active alone', () => {
    const task = halfDone();
    playedTask(research, {}, task, 'task-2');
    expect(taskList(task.state, {}, START_MS).map(({ id }) => id)).toEqual(['task-2', 'task-1']);
    expect(taskList(task.state, { statuses: ACTIVE }, START_MS).map(({ id }) => id)).toEqual(['task-1']);
    expect(taskList(task.state, { project: 'other' }, START_MS)).toEqual([]);
  });

  it('shorten long results and close every fence', () => {
    const task = playedTask([llm('Long')]);
    task.start();
    task.begin('Long');
    task.complete('Long', `\`\`\`js\n${'x'.repeat(10_000)}`);
    const { report } = taskReport(task.state, task.taskId, START_MS);
    expect(report).toMatch(/more characters/);
    expect(report.match(/^````$/gm)).toHaveLength(2);
  });

  it('say what failed and why', () => {
    const task = playedTask([llm('Ask', { onError: 'continue' })]);
    task.start();
    task.begin('Ask');
    task.fail('Ask', 'the model said no');
    expect(taskReport(task.state, task.taskId, START_MS).report).toContain('- 1. Ask: the model said no');
  });

  it('never show a task as complete whose step failed, or whose summary did', () => {
    const failed = (onError: string) => {
      const task = playedTask([llm('Ask', { onError })]);
      task.start();
      task.begin('Ask');
      task.fail('Ask', 'the model said no');
      task.commit({ type: 'task_failed', task_id: task.taskId, reason: 'it said no', message: null });
      const { percent, stepsDone } = taskSummary(task.state, task.taskId, START_MS);
      const told = taskEvents(task.state, 0).map(({ data }) => Number(data['percent'] ?? 0));
      return { percent, stepsDone, told: Math.max(...told) };
    };
    expect(failed('abort')).toEqual({ percent: 0, stepsDone: 0, told: 0 });
    expect(failed('continue')).toMatchObject({ percent: 99, stepsDone: 1 });
  });

  it('list unsettled cost apart from what is known to be spent', () => {
    const task = halfDone();
    const open = { id: 2, task_id: task.taskId, status: 'unsettled', provider: 'anthropic' } as const;
    task.state.spends.set(2, spendRow({ ...open, reserved_micro_usd: 250_000 }));
    const { report } = taskReport(task.state, task.taskId, START_MS);
    expect(report).toContain('- Cost: $1.50\n- Unsettled: up to $0.25 perhaps billed\n');
    expect(taskSummary(task.state, task.taskId, START_MS)).toMatchObject({ costUsd: 1.5, unsettledUsd: 0.25 });
    expect(taskReport(halfDone().state, task.taskId, START_MS).report).not.toContain('Unsettled');
  });

  it('count no step as done that was stopped with its task', () => {
    const task = halfDone();
    task.commit({ type: 'task_failed', task_id: task.taskId, reason: 'it said no', message: null });
    expect(taskSummary(task.state, task.taskId, START_MS)).toMatchObject({ percent: 50, stepsDone: 1 });
  });
});

describe('the time that is left', () => {
  const eta = (task: ReturnType<typeof playedTask>, now: number) => taskSummary(task.state, task.taskId, now).eta;
  const hour = { name: 'Rest', action: 'wait', params: { minutes: 60 } };

  it('is known for waits', () => {
    expect(eta(playedTask([hour, { ...hour, name: 'Again' }]), START_MS)).toEqual({
      remainingMs: 120 * MINUTE,
      at: null,
      source: 'waits',
    });
  });

  it('follows the longest way where steps run side by side', () => {
    const steps = [hour, { ...hour, name: 'Beside', needs: [] }, { ...hour, name: 'Then', needs: ['Rest', 'Beside'] }];
    expect(eta(playedTask(steps), START_MS).remainingMs).toBe(120 * MINUTE);
  });

  it('counts the places that there are, and no work of a branch that may not be taken', () => {
    const fold = startFold();
    const first = playedTask([llm('Ask')], {}, fold, 'first');
    first.start();
    first.begin('Ask');
    first.complete('Ask', 'x');
    const beside = ['A', 'B', 'C', 'D'].map((name) => llm(name, { needs: [] }));
    expect(eta(playedTask(beside, { maxParallel: 2 }, fold, 'beside'), START_MS).remainingMs).toBe(2000);
    const either = { condition: 'true', ifTrue: ['A'], ifFalse: ['B'] };
    const steps = [{ name: 'If', action: 'conditional', params: either }, llm('A'), llm('B')];
    expect(eta(playedTask(steps, { maxParallel: 1 }, fold, 'either'), START_MS).remainingMs).toBe(1000);
  });

  it('is unknown where a person is asked, whatever went before', () => {
    const task = playedTask([hour, { name: 'May it', action: 'approval', params: { question: 'May it?' } }]);
    expect(eta(task, START_MS).remainingMs).toBeNull();
  });

  it('comes from steps of the same name in this project', () => {
    const fold = startFold();
    const first = playedTask([llm('Ask')], {}, fold, 'first');
    first.start();
    first.begin('Ask');
    first.complete('Ask', 'x');
    expect(eta(playedTask([llm('Ask')], {}, fold, 'second'), START_MS)).toMatchObject({
      remainingMs: 1000,
      source: 'history',
    });
  });

  it('never comes from steps that a simulated model played', () => {
    const asked = (provider: 'simulated' | 'anthropic', answers: 'simulated' | 'anthropic') => {
      const fold = startFold();
      const first = playedTask([llm('Ask'), llm('Then')], { provider }, fold, 'first');
      first.start();
      first.begin('Ask');
      first.complete('Ask', 'x');
      const [step_id = 0] = first.state.tasks.get('first')?.steps ?? [];
      first.state.spends.set(1, spendRow({ id: 1, task_id: 'first', step_id, provider: answers }));
      return [eta(first, START_MS).source, eta(playedTask([llm('Ask')], {}, fold, 'second'), START_MS).source];
    };
    expect(asked('anthropic', 'anthropic')).toEqual(['elapsed', 'history']);
    expect(asked('simulated', 'simulated')).toEqual(['elapsed', null]);
    expect(asked('anthropic', 'simulated')).toEqual([null, null]);
  });

  it('comes from its own steps where there are no others', () => {
    expect(eta(halfDone(), START_MS)).toMatchObject({ remainingMs: 1000, source: 'elapsed' });
  });

  it('is the estimate less what went by, never below nothing, and unknown without one', () => {
    const estimated = playedTask([llm('Ask')], { estimatedDurationMinutes: 10 });
    estimated.start();
    const started = Date.parse(estimated.events.at(-1)?.at ?? '');
    expect(eta(estimated, started + 4 * MINUTE)).toMatchObject({ remainingMs: 6 * MINUTE, source: 'estimate' });
    expect(eta(estimated, started + 60 * MINUTE).remainingMs).toBe(0);
    expect(eta(playedTask([llm('Ask')]), START_MS)).toEqual({ remainingMs: null, at: null, source: null });
  });
});
