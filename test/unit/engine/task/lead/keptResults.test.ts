import { expect, test } from 'vitest';
import { taskSchema } from '../../../../../src/shared/task/tasks.ts';
import { gave, TaskWorld } from '../../../../support/world/taskWorld.ts';

const HOUR_MS = 3_600_000;
const steps = [{ name: 'Long', action: 'llm_generate', params: { prompt: 'x' } }];

test('a long result goes with the last step that has it, also where another one just came to the same', async () => {
  const world = await TaskWorld.open();
  const [one, two] = [await world.begin(steps), await world.begin(steps)];
  (await world.flight(0)).end(gave('x'.repeat(20_000)));
  await world.over(one);
  // Written under the same name, and not yet in a row when the first task goes.
  (await world.flight(1)).end(gave('x'.repeat(20_000)));
  await world.requests.removeTask({ taskId: one, by: 'steward' });
  await world.over(two);
  await world.rest();
  expect([...world.files.keys()]).toEqual([world.steps(two)[0]?.result_artifact]);
  await world.kill();
  await world.requests.removeTask({ taskId: two, by: 'steward' });
  await world.until(() => world.files.size === 0, 'the end of the file');
  await world.close();
});

test('a schedule keeps as many long results as tasks', async () => {
  let runs = 0;
  const world = await TaskWorld.open(() => gave(`${runs++}`.padEnd(20_000, 'x')));
  const definition = taskSchema.parse({ name: 'Hourly', completionBehavior: 'SILENT', steps });
  const hourly = { project: 'api', name: 'Hourly', cron: '0 * * * *', timeZone: 'UTC', enabled: true, keep: 2 };
  await world.requests.setSchedule({ ...hourly, definition });
  for (let hour = 1; hour <= 6; hour++) {
    world.clock.advance(HOUR_MS);
    await world.until(() => runs === hour, `hour ${hour}`);
    await world.rest();
  }
  // The newest, and those that were kept when it was made.
  expect(world.files.size).toBe(3);
  expect(world.store.state.tasks.size).toBe(3);
  await world.close();
});
