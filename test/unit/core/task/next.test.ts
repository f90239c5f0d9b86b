/** Which steps begin, in all orders that a task may have: none before what it needs, none twice, and every task comes to an end. */

import { describe, expect, it } from 'vitest';
import { isStepOver, nextSteps, takesPlace } from '../../../../src/core/task/next.ts';
import { problemsOf } from '../../../../src/core/task/script/check.ts';
import { taskGraph } from '../../../../src/core/task/script/graph.ts';
import { newSteps, newTask } from '../../../../src/core/task/script/newTask.ts';
import {
  type StepInput,
  stepSchema,
  type TaskRow,
  type TaskStepRow,
  taskSchema,
} from '../../../../src/shared/task/tasks.ts';
import { START, START_MS } from '../../../support/state/builders.ts';
import { playedTask } from '../../../support/state/taskRows.ts';
import { amount } from '../../../support/suite/proof.ts';
import { fc } from '../../../support/suite/property.ts';

const step = (name: string, more: Partial<StepInput> = {}): StepInput => ({
  name,
  action: 'llm_generate',
  params: { prompt: 'x' },
  ...more,
});
const decide = (name: string, ifTrue: readonly string[], ifFalse: readonly string[] = []): StepInput => ({
  name,
  action: 'conditional',
  params: { condition: 'true', ifTrue: [...ifTrue], ifFalse: [...ifFalse] },
});

function rowsOf(steps: readonly StepInput[], maxParallel = 4): { task: TaskRow; rows: TaskStepRow[] } {
  const played = playedTask(steps, { maxParallel });
  played.start();
  const task = played.state.tasks.get(played.taskId);
  if (task === undefined) throw new Error('no task');
  return { task, rows: [...played.state.task_steps.values()] };
}

/** Names of what each step needs. */
function needs(...steps: readonly StepInput[]): readonly (readonly string[])[] {
  return taskGraph(steps.map((one) => stepSchema.parse(one))).needs.map((list) =>
    list.map((at) => steps[at]?.name ?? ''),
  );
}

describe('what a step needs', () => {
  it('is the one before it, or what it names, and what it refers to', () => {
    const refers = step('D', { needs: [], params: { prompt: '{{A}} and {{step_2_result.x}}' } });
    expect(needs(step('A'), step('B'), step('C', { needs: ['A'] }), refers)).toEqual([[], ['A'], ['A'], ['A', 'B']]);
  });

  it('is its conditional in a branch, and both branches after them', () => {
    expect(needs(step('A'), decide('If', ['Y', 'Y2'], ['N']), step('Y'), step('Y2'), step('N'), step('Z'))).toEqual([
      [],
      ['A'],
      ['If'],
      ['If', 'Y'],
      ['If'],
      ['Y2', 'N'],
    ]);
  });

  it('is every branch within a branch too', () => {
    const steps = [decide('If', ['In'], ['N']), decide('In', ['Y'], []), step('Y'), step('N'), step('Z')];
    expect(needs(...steps).at(-1)).toEqual(['In', 'Y', 'N']);
  });

  it('is what a condition asks for', () => {
    const asks = { ...decide('If', []), params: { condition: 'step_1_result == 1 || results["B b"] == 2' } };
    expect(needs(step('A', { needs: [] }), step('B b', { needs: [] }), { ...asks, needs: [] })[2]).toEqual([
      'A',
      'B b',
    ]);
  });
});

describe('branches', () => {
  it('that are not taken are skipped, with those within them', () => {
    const { task, rows } = rowsOf([
      decide('If', ['In'], ['N']),
      decide('In', ['Y'], ['M']),
      step('Y'),
      step('M'),
      step('N'),
    ]);
    rows[0] = { ...(rows[0] as TaskStepRow), status: 'COMPLETED', result: false };
    const next = nextSteps(task, rows, START_MS);
    expect(next.skip.map(({ name }) => name)).toEqual(['In', 'Y', 'M']);
    expect(next.start.map(({ name }) => name)).toEqual(['N']);
  });

  it('of a conditional that failed are both skipped where the task goes on', () => {
    const { task, rows } = rowsOf([{ ...decide('If', ['Y'], ['N']), onError: 'continue' }, step('Y'), step('N')]);
    rows[0] = { ...(rows[0] as TaskStepRow), status: 'FAILED' };
    expect(nextSteps(task, rows, START_MS)).toMatchObject({ end: 'completed', start: [] });
  });
});

describe('a task', () => {
  it('begins nothing while a summary is due, nor while it is paused', () => {
    const { task, rows } = rowsOf([step('A', { isCheckpoint: true }), step('B', { needs: [] })]);
    const due = { ...(rows[0] as TaskStepRow), status: 'COMPLETED', checkpoint: 'due' } as const;
    expect(nextSteps(task, [due, rows[1] as TaskStepRow], START_MS)).toMatchObject({
      start: [],
      checkpoints: [due],
      end: null,
    });
    expect(nextSteps({ ...task, status: 'PAUSED' }, rows, START_MS).start).toEqual([]);
  });

  it('tries a step again when its time has come', () => {
    const { task, rows } = rowsOf([step('A')]);
    const later = new Date(START_MS + 5_000).toISOString();
    const waits = [{ ...(rows[0] as TaskStepRow), wake_at: later }];
    expect(nextSteps(task, waits, START_MS)).toMatchObject({ start: [], wakeAt: later });
    expect(nextSteps(task, waits, START_MS + 5_000).start).toHaveLength(1);
  });

  it('lets what only waits take no place', () => {
    const wait = { action: 'wait', params: { minutes: 1 }, needs: [] };
    const { task, rows } = rowsOf(
      [step('A', { ...wait }), step('B', { ...wait }), step('C', { needs: [] }), step('D', { needs: [] })],
      1,
    );
    expect(nextSteps(task, rows, START_MS).start.map(({ name }) => name)).toEqual(['A', 'B', 'C']);
  });

  it('of many steps looks at each a few times, and not at each pair of them', () => {
    const { task, rows } = rowsOf(Array.from({ length: 200 }, (_, at) => step(`S${at}`)));
    const half = rows.map((row, at): TaskStepRow => (at < 100 ? { ...row, status: 'COMPLETED' } : row));
    let looks = 0;
    const watched = half.map((row) => {
      const get = (of: TaskStepRow, key: keyof TaskStepRow): unknown => {
        looks++;
        return of[key];
      };
      return new Proxy(row, { get: get as NonNullable<ProxyHandler<TaskStepRow>['get']> });
    });
    // What each refers to is found once for each list of steps.
    nextSteps(task, half, START_MS);
    expect(nextSteps(task, watched, START_MS).start).toHaveLength(1);
    expect(looks).toBeLessThan(20 * half.length);
  });
});

/** Needs of earlier steps alone, and conditionals whose branches are the steps after them: always a task that can be started. */
const tasks = fc
  .array(
    fc.record({
      kind: fc.constantFrom('work', 'work', 'wait', 'conditional'),
      needs: fc.option(fc.array(fc.nat(20), { maxLength: 3 }), { nil: undefined }),
      branches: fc.tuple(fc.nat(2), fc.nat(2)),
      fails: fc.constantFrom('no', 'no', 'no', 'goes on', 'for good'),
      checkpoint: fc.boolean(),
      verdict: fc.boolean(),
    }),
    { minLength: 1, maxLength: 14 },
  )
  .map((drawn) => {
    const owned = new Set<number>();
    const steps = drawn.map((one, at): StepInput => {
      const needed = one.needs?.filter((need) => need < at).map((need) => `S${need}`);
      const base = step(`S${at}`, {
        isCheckpoint: one.checkpoint,
        onError: one.fails === 'goes on' ? 'continue' : 'abort',
        ...(needed === undefined ? {} : { needs: needed }),
      });
      if (one.kind === 'wait') return { ...base, action: 'wait', params: { minutes: 1 } };
      if (one.kind !== 'conditional') return base;
      const free = drawn.map((_, position) => position).filter((position) => position > at && !owned.has(position));
      const [left, right] = one.branches;
      const taken = free.slice(0, left + right);
      for (const position of taken) owned.add(position);
      const names = taken.map((position) => `S${position}`);
      const params = { condition: 'true', ifTrue: names.slice(0, left), ifFalse: names.slice(left) };
      return { ...base, action: 'conditional', params };
    });
    return { drawn, steps };
  });

describe('any task', () => {
  it('comes to its end, with no step before what it needs and none twice', () => {
    fc.assert(
      fc.property(
        tasks,
        fc.integer({ min: 1, max: 3 }),
        fc.infiniteStream(fc.nat()),
        ({ drawn, steps }, maxParallel, luck) => {
          const parsed = taskSchema.parse({ name: 'Any', maxParallel, steps });
          fc.pre(problemsOf(parsed.steps, { nowMs: START_MS, actions: [] }).length === 0);
          const made = { id: 't', project_id: 'p', template: null, created_by: 'steward' } as const;
          const ids = parsed.steps.map((_, at) => at);
          const { task, rows } = rowsOf(steps, maxParallel);
          expect([newTask(parsed, made).name, newSteps(parsed.steps, ids).length]).toEqual(['Any', rows.length]);
          const { needs: needed } = taskGraph(parsed.steps);
          const begun = new Set<number>();
          const put = (at: number, patch: Partial<TaskStepRow>): void => {
            rows[at] = { ...(rows[at] as TaskStepRow), ...patch };
          };
          for (let turn = 0; ; turn++) {
            expect(turn).toBeLessThan(4 * rows.length + 4);
            const next = nextSteps(task, rows, START_MS);
            for (const { number } of next.skip) put(number - 1, { status: 'SKIPPED' });
            for (const { number } of next.checkpoints) put(number - 1, { checkpoint: 'done' });
            for (const { number } of next.start) {
              const at = number - 1;
              expect(begun.has(at)).toBe(false);
              begun.add(at);
              expect(needed[at]?.every((need) => isStepOver(rows[need] as TaskStepRow))).toBe(true);
              put(at, { status: 'RUNNING', started_at: START });
            }
            const running = rows.filter((row) => row.status === 'RUNNING');
            expect(running.filter(takesPlace).length).toBeLessThanOrEqual(maxParallel);
            if (next.end !== null) break;
            const ending = running[(luck.next().value ?? 0) % Math.max(1, running.length)];
            if (ending === undefined) continue;
            const { fails, verdict } = drawn[ending.number - 1] as (typeof drawn)[number];
            const checkpoint = ending.is_checkpoint ? 'due' : null;
            if (fails === 'no') put(ending.number - 1, { status: 'COMPLETED', result: verdict, checkpoint });
            else put(ending.number - 1, { status: 'FAILED' });
          }
          const isFailed = rows.some((row) => row.status === 'FAILED' && row.on_error === 'abort');
          expect(nextSteps(task, rows, START_MS).end).toEqual(isFailed ? { failed: expect.anything() } : 'completed');
        },
      ),
      { numRuns: amount({ short: 80, long: 20_000 }) },
    );
  });
});
