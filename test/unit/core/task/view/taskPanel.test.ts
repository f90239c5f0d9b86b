/** The tasks of the page: made anew only where something happened. */
import { describe, expect, it } from 'vitest';
import { panelMaker } from '../../../../../src/core/workspace/panel.ts';
import { type AtWork, NOTHING_AT_WORK } from '../../../../../src/shared/workspace/atWork.ts';
import { NO_LOOK } from '../../../../../src/shared/workspace/panel.ts';
import { approvalRow, START_MS, spendRow } from '../../../../support/state/builders.ts';
import { playedTask } from '../../../../support/state/taskRows.ts';

const FRAME = { banner: null, mode: 'owner' } as const;
const ask = (name: string, more: object = {}) => ({ name, action: 'llm_generate', params: { prompt: 'Say' }, ...more });
const branching = [
  ask('Find'),
  {
    name: 'Enough?',
    action: 'conditional',
    params: { condition: '"{{Find}}" != ""', ifTrue: 'Rank', ifFalse: 'Widen' },
  },
  ask('Rank'),
  ask('Widen'),
];

function played() {
  const task = playedTask(branching);
  const maker = panelMaker();
  const view = (look: object = {}, now = START_MS, frame: object = {}) =>
    maker.view(task.state, '2026-11-02', { ...FRAME, ...frame }, { ...NO_LOOK, ...look }, now);
  return { task, view };
}

describe('tasks of the page', () => {
  it('stay the same objects while nothing of them happens', () => {
    const { task, view } = played();
    playedTask([ask('Other')], {}, task, 'task-2');
    task.start();
    const before = view().tasks;
    expect(before.map(({ id, status }) => [id, status])).toEqual([
      ['task-1', 'RUNNING'],
      ['task-2', 'PENDING'],
    ]);
    task.begin('Find');
    const [one, other] = view({}, START_MS + 60_000).tasks;
    expect(one).toMatchObject({
      current: 'Find',
      running: 1,
      percent: 0,
      asOf: new Date(START_MS + 60_000).toISOString(),
    });
    expect(other).toBe(before[1]);
    task.complete('Find', 'A');
    task.state.spends.set(1, spendRow({ id: 1, task_id: 'task-1', step_id: 1, settled_micro_usd: 500_000 }));
    expect(view({}, START_MS + 61_000).tasks[0]).toMatchObject({ costUsd: 0.5, current: null, percent: 25 });
  });

  it('show the steps, the log and the texts of the one that is looked at alone', () => {
    const { task, view } = played();
    task.start();
    task.begin('Find');
    expect(view().task).toBeNull();
    expect(view({ task: 'gone' }).task).toBeNull();
    const first = view({ task: 'task-1', step: 1 }).task;
    expect(first?.steps.map(({ after, branch }) => [after, branch])).toEqual([
      [[], null],
      [[1], null],
      [[2], { of: 2, when: true }],
      [[2], { of: 2, when: false }],
    ]);
    expect(first?.step).toMatchObject({ id: 1, params: { prompt: 'Say' }, result: null });
    task.complete('Find', 'A');
    const second = view({ task: 'task-1', step: 1 }).task;
    expect(second?.step?.result).toBe('A');
    expect(second?.steps.map((step, at) => step === first?.steps[at])).toEqual([false, true, true, true]);
    expect(second?.log.map(({ text }) => text)).toEqual([
      ...(first?.log ?? []).map(({ text }) => text),
      'Find: completed',
    ]);
    expect(second?.log[0]).toBe(first?.log[0]);
  });

  it('are not running while no process carries out tasks, as the terminal says, and neither are their steps', () => {
    const { task, view } = played();
    const stills = (atWork: AtWork) => {
      const { tasks, task: details } = view({ task: 'task-1' }, START_MS, { atWork });
      return [tasks[0]?.still, ...(details?.steps.map(({ still }) => still) ?? [])];
    };
    expect(stills(NOTHING_AT_WORK).every((still) => still === undefined)).toBe(true);
    task.start();
    task.begin('Find');
    const none = [undefined, undefined, undefined];
    expect(stills({ works: true, jobs: [], turns: [] })).toEqual([undefined, undefined, ...none]);
    expect(stills(NOTHING_AT_WORK)).toEqual([true, true, ...none]);
    expect(stills({ works: true, jobs: [], turns: [] })).toEqual([undefined, undefined, ...none]);
    const asked = approvalRow({ kind: 'task', job_id: null, task_id: 'task-1' });
    task.state.approvals.set(asked.id, asked);
    expect(stills(NOTHING_AT_WORK)).toEqual([undefined, undefined, ...none]);
  });
});
