/** An owner that ends at any moment of a task: the next one finishes no step again, and loses no result. */
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { isOver } from '../../../../src/core/state/rows.ts';
import type { StepInput } from '../../../../src/shared/task/tasks.ts';
import type { StepOrder, StepResult } from '../../../../src/shared/task/taskWork.ts';
import { gave, TaskWorld } from '../../../support/world/taskWorld.ts';

const STEPS: readonly StepInput[] = [
  { name: 'Find', action: 'llm_generate', params: { prompt: 'find' }, isCheckpoint: true },
  { name: 'Left', action: 'llm_generate', needs: ['Find'], params: { prompt: 'left of {{Find}}' } },
  { name: 'Right', action: 'http_get', needs: ['Find'], params: { url: 'https://example.org/' } },
  { name: 'Both', action: 'aggregate', needs: [], params: { keys: ['Left', 'Right'], operation: 'list' } },
  {
    name: 'If',
    action: 'conditional',
    params: { condition: '{{Both[1]}} == "right"', ifTrue: 'Inner', ifFalse: 'Never' },
  },
  { name: 'Inner', action: 'conditional', params: { condition: '"false"', ifTrue: 'Nor this', ifFalse: 'Tell' } },
  { name: 'Never', action: 'notify', params: { title: 'Never' } },
  { name: 'Nor this', action: 'notify', params: { title: 'Nor this' } },
  { name: 'Tell', action: 'notify', params: { title: 'Told', message: '{{Left}}' } },
  { name: 'Wait', action: 'wait', params: { minutes: 10 } },
  { name: 'Build', action: 'run_brief', params: { brief: 'Build it.' }, onError: 'continue' },
  { name: 'End', action: 'llm_generate', params: { prompt: 'end of {{Both[0]}}' } },
];

function answer(order: StepOrder): StepResult {
  if (order.kind === 'http_get') return gave('right');
  if (order.kind !== 'generate') throw new Error(order.kind);
  return gave(order.role === 'summarizer' ? 'All is well.' : `said ${order.prompt}`);
}

/** The task at its end, and how many turns of the event loop that took; after `turns` of them its owner was killed. */
async function killedAfter(
  turns: number,
): Promise<{ readonly world: TaskWorld; readonly id: string; readonly took: number }> {
  const world = await TaskWorld.open((order) => {
    const ends = world.log.events.flatMap((event) => (event.type === 'task_stepped' ? event.ended : []));
    const isSummary = order.kind === 'generate' && order.role === 'summarizer';
    if (!isSummary && ends.some(({ step_id }) => step_id === order.stepId)) again.push(order.stepId);
    return answer(order);
  });
  const again: number[] = [];
  const id = await world.begin([...STEPS], { completionBehavior: 'NOTIFY_USER' });
  let took = 0;
  for (; !isOver(world.task(id)); took++) {
    expect(took, world.statuses(id)).toBeLessThan(2_000);
    if (took === turns) await world.kill();
    const { store } = world;
    if (store.state.jobs.get('job-1')?.status === 'planning') {
      await store.commit({ type: 'job_failed', job_id: 'job-1', reason: 'no' });
    }
    if (/\bRUNNING\b/.test(world.statuses(id).split(' ')[9] ?? '')) world.clock.advance(60_000);
    await setImmediate();
  }
  expect(again, `begun again after ${turns} turns`).toEqual([]);
  await world.close();
  return { world, id, took };
}

test('whenever an owner is killed, the next one ends the task with the same results, said and filed once', async () => {
  const { took } = await killedAfter(Number.POSITIVE_INFINITY);
  for (let turns = 0; turns < took; turns++) {
    const { world, id } = await killedAfter(turns);
    expect([turns, world.task(id).status, world.statuses(id)]).toEqual([
      turns,
      'COMPLETED',
      'COMPLETED COMPLETED COMPLETED COMPLETED COMPLETED COMPLETED SKIPPED SKIPPED COMPLETED COMPLETED FAILED COMPLETED',
    ]);
    const left = 'said left of said find';
    const results = world.results(id);
    expect([results[3], results[8], results[11]]).toEqual([[left, 'right'], `Told\n\n${left}`, `said end of ${left}`]);
    expect(world.messages).toEqual([
      'info: Task, checkpoint "Find":\n\nAll is well.',
      `info: Told\n\n${left}`,
      'success: Task is completed.',
    ]);
    expect([...world.store.state.jobs.keys()]).toEqual(['job-1']);
    expect(world.problems).toEqual([]);
  }
});
