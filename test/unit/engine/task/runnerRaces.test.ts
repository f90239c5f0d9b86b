/** What happens at the same moment: nothing of a task is left lying, and nothing is judged by what was a moment ago. */
import { afterEach, expect, test } from 'vitest';
import { failure } from '../../../../src/shared/errors.ts';
import { type StepInput, taskSchema } from '../../../../src/shared/task/tasks.ts';
import { missingAction } from '../../../../src/shared/task/taskWork.ts';
import { gave, TaskWorld } from '../../../support/world/taskWorld.ts';

const worlds: TaskWorld[] = [];

async function open(): Promise<TaskWorld> {
  const world = await TaskWorld.open();
  worlds.push(world);
  return world;
}

afterEach(async () => {
  for (const world of worlds.splice(0)) await world.close();
});

const say = (name: string, prompt: string, more: Partial<StepInput> = {}): StepInput => ({
  name,
  action: 'llm_generate',
  params: { prompt },
  ...more,
});
const note = (name: string): StepInput => ({ name, action: 'notify', params: { title: name } });

test('work that was told to stop goes on although what stopped it was over before it heard of that', async () => {
  const world = await open();
  const id = await world.begin([say('One', 'one', { isCheckpoint: true })]);
  (await world.flight(0)).end({ outcome: 'aborted' });
  await world.rest();
  expect(world.flights).toHaveLength(1);
  world.clock.advance(1_000);
  (await world.flight(1)).end(gave('1'));
  (await world.flight(2)).end({ outcome: 'aborted' });
  await world.rest();
  world.clock.advance(1_000);
  (await world.flight(3)).end(gave('All is well.'));
  await world.over(id);
});

test('a step whose results could not be read for a while goes on by itself', async () => {
  const world = await open();
  const id = await world.begin([say('One', 'one'), say('Two', '{{One}}')]);
  const read = world.files.get.bind(world.files);
  world.files.get = () => {
    throw failure('DISK', 'the disk is away');
  };
  (await world.flight(0)).end(gave('x'.repeat(20_000)));
  await world.until(() => world.problems.length > 0, 'a problem');
  world.files.get = read;
  world.clock.advance(30_000);
  (await world.flight(1)).end(gave('2'));
  await world.over(id);
});

test('tasks that are paused just as their steps begin keep no place from others', async () => {
  const world = await open();
  const ids: string[] = [];
  for (let nth = 0; nth < 8; nth++) ids.push(await world.begin([say('One', 'one'), say('Two', 'two')]));
  await world.flight(7);
  // Written with what comes while the disk is busy: the start of the second step, and the pause right behind it.
  const busy = world.store.commit({
    type: 'task_noted',
    task_id: ids[0] ?? '',
    step_id: null,
    level: 'info',
    text: '',
  });
  for (const flight of [...world.flights]) flight.end(gave('1'));
  for (let turns = 0; turns < 100; turns++) await Promise.resolve();
  const paused = ids.map((taskId) => world.requests.pauseTask({ taskId, reason: 'stop', by: 'steward' }));
  await Promise.all([busy, ...paused]);
  await world.rest();
  expect(ids.map((id) => world.statuses(id))).toEqual(ids.map(() => 'COMPLETED RUNNING'));
  expect(world.flights).toHaveLength(8);
  const last = await world.begin([say('Only', 'only')]);
  (await world.flight(8)).end(gave('done'));
  await world.over(last);
});

test('requests that come at once are judged one after the other', async () => {
  const world = await open();
  const draft = taskSchema.parse({ name: 'Draft', steps: [note('One')] });
  const made = await world.requests.createTask({ project: 'api', definition: draft, start: false, by: 'steward' });
  const add = (taskId: string, name: string, action = 'notify') =>
    world.requests.addTaskSteps({
      taskId,
      steps: taskSchema.parse({ name, steps: [{ ...note(name), action }] }).steps,
      by: 'steward',
    });
  const { taskId } = made;
  const [added, begun] = await Promise.allSettled([
    add(taskId, 'Two', 'conditional'),
    world.requests.startTask({ taskId, by: 'steward' }),
  ]);
  expect(added).toMatchObject({
    status: 'fulfilled',
    value: { problems: expect.arrayContaining([expect.stringMatching(/condition/)]) },
  });
  expect(begun).toMatchObject({ status: 'rejected', reason: { code: 'INVALID_INPUT' } });
  const running = await world.begin([say('One', 'one')]);
  const twice = await Promise.allSettled([add(running, 'Two'), add(running, 'Two')]);
  expect(twice).toMatchObject([{ status: 'fulfilled' }, { status: 'rejected', reason: { code: 'INVALID_INPUT' } }]);
  expect(world.steps(running).map(({ name }) => name)).toEqual(['One', 'Two']);
});

test('an action that is registered just before its task is paused for the lack of it is not waited for', async () => {
  const world = await open();
  const id = await world.begin([{ name: 'Deploy', action: 'acme.tools/deploy', params: {} }]);
  const first = await world.flight(0);
  world.register('acme.tools/deploy');
  first.end({
    outcome: 'unavailable',
    code: 'NOT_FOUND',
    detail: missingAction('acme.tools/deploy'),
    hint: '',
    wakeAt: null,
    limit: null,
    raiseTo: null,
  });
  (await world.flight(1)).end(gave('deployed'));
  await world.over(id);
});
