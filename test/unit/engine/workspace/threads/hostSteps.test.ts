/** Steps of tasks on their way to a project's thread: whatever becomes of it, each comes to an end that says what happened. */
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { StepAssignment, StepResult } from '../../../../../src/shared/task/taskWork.ts';
import { FakeClock } from '../../../../support/time/fakeClock.ts';
import { settled, ThreadPoolWorld } from '../../../../support/world/threadPoolWorld.ts';

const order = (stepId: number, projectId = 'api'): StepAssignment => ({
  ...{ kind: 'command', taskId: 'task-1', projectId, stepId, sessionId: null, command: 'ls', timeoutMs: 1 },
  ...{ network: 'none', cloneDir: null, allowedHosts: [] },
});
const done: StepResult = { outcome: 'completed', result: 'a', session: null };

async function open(): Promise<ThreadPoolWorld> {
  const world = await new ThreadPoolWorld(new FakeClock()).open();
  await world.create('api');
  return world;
}

test('steps go to the thread side by side; each gets its own result', async () => {
  const world = await open();
  const never = new AbortController().signal;
  const [first, second] = [world.threadPool.step(order(1), never), world.threadPool.step(order(2), never)];
  const thread = world.thread('api');
  thread.steps[1]?.end(done);
  expect(await second).toEqual(done);
  thread.steps[0]?.end({ outcome: 'interrupted', error: 'x' });
  expect(await first).toEqual({ outcome: 'interrupted', error: 'x' });
  await world.close();
});

test('a thread that dies five times under a step parks nothing: whoever counts the step decides', async () => {
  const world = await open();
  const never = new AbortController().signal;
  for (let death = 0; death < 5; death++) {
    const result = world.threadPool.step(order(1), never);
    await settled(world);
    world.clock.advance(1_000);
    await settled(world);
    world.thread('api').die('Error: planted');
    expect(await result).toEqual({ outcome: 'interrupted', error: 'Error: planted' });
  }
  await settled(world);
  expect(world.store.state.projects.get('api')?.parked).toBeNull();
  expect(world.doubles).toEqual([]);
  await world.close();
});

test('a step is told to stop; before a thread has it, it ends at once', async () => {
  const world = await open();
  const abort = new AbortController();
  const given = world.threadPool.step(order(1), abort.signal);
  abort.abort();
  expect(await given).toEqual({ outcome: 'aborted' });
  world.thread('api').die();
  await setImmediate();
  const again = new AbortController();
  const waiting = world.threadPool.step(order(1), again.signal);
  again.abort();
  expect(await waiting).toEqual({ outcome: 'aborted' });
  await world.close();
});

test('nothing hangs when the project is suspended, or the owner stops', async () => {
  const world = await open();
  const never = new AbortController().signal;
  const given = world.threadPool.step(order(1), never);
  await world.requests.suspendProject({ project: 'api', reason: 'enough', by: 'steward' });
  expect(await given).toEqual({ outcome: 'aborted' });
  expect(await world.threadPool.step(order(1), never)).toEqual({ outcome: 'aborted' });
  await world.create('ui');
  const other = world.threadPool.step(order(2, 'ui'), never);
  await settled(world);
  expect(world.thread('ui').steps).toHaveLength(1);
  const stopped = world.threadPool.stop();
  expect(await other).toEqual({ outcome: 'aborted' });
  await stopped;
  await world.close();
});
