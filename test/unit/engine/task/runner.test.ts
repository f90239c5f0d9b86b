import { expect, test } from 'vitest';
import { type Json, TASK_LIMITS } from '../../../../src/shared/task/tasks.ts';
import { gave, notifyStep as note, generateStep as say, taskWorlds, went } from '../../../support/world/taskWorld.ts';

const HOUR_MS = 3_600_000;
const open = taskWorlds();

test('carries out step after step, each with the results of those before it, and says when it is done', async () => {
  const world = await open((order) => gave(order.kind === 'generate' ? `answer to ${order.prompt}` : null));
  const id = await world.begin(
    [
      say('Find', 'List three.'),
      say('Look', 'For each: {{step_1_result}}'),
      { name: 'Both', action: 'aggregate', params: { keys: ['Find', 'Look'], operation: 'list' } },
      { name: 'Tell', action: 'notify', params: { title: 'Found', message: '{{Look}}', type: 'success' } },
    ],
    { completionBehavior: 'NOTIFY_USER', name: 'Research' },
  );
  await world.over(id);
  const look = 'answer to For each: answer to List three.';
  expect(world.results(id)).toEqual([
    'answer to List three.',
    look,
    ['answer to List three.', look],
    `Found\n\n${look}`,
  ]);
  expect(world.messages).toEqual([`success: Found\n\n${look}`, 'success: Research is completed.']);
  expect(world.flights).toHaveLength(2);
});

test('takes the branch that the condition says and skips the other one', async () => {
  const world = await open();
  const id = await world.begin([
    { name: 'If', action: 'conditional', params: { condition: '"false"', ifTrue: 'Yes', ifFalse: ['No', 'Also'] } },
    note('Yes'),
    note('No'),
    note('Also'),
    note('After'),
  ]);
  await world.over(id);
  expect(world.statuses(id)).toBe('COMPLETED SKIPPED COMPLETED COMPLETED COMPLETED');
});

test('runs independent steps side by side, within the limits of the task and of the workspace', async () => {
  const world = await open();
  const many = (count: number) => Array.from({ length: count }, (_, at) => say(`S${at}`, 'x', { needs: [] }));
  const first = await world.begin(many(5), { maxParallel: 3 });
  await world.rest();
  expect(world.flights).toHaveLength(3);
  const second = await world.begin(many(16), { maxParallel: 16 });
  await world.rest();
  expect(world.flights).toHaveLength(8);
  expect(world.statuses(second).match(/RUNNING/g)).toHaveLength(5);
  (await world.flight(0)).end(gave('done'));
  await world.rest();
  expect(world.flights).toHaveLength(9);
  world.worker = () => gave('done');
  for (const flight of world.flights) flight.end(gave('done'));
  await world.over(first);
  await world.over(second);
  expect(world.flights).toHaveLength(21);
});

test('tries again after a back-off that doubles, goes on without a step, or fails with it', async () => {
  const world = await open(() => went('no luck'));
  const id = await world.begin([
    say('Shaky', 'x', { onError: 'retry', maxRetries: 2, backoffSeconds: 60 }),
    say('After', 'x'),
  ]);
  await world.until(() => world.flights.length === 1 && world.steps(id)[0]?.tries === 1);
  await world.rest();
  world.clock.advance(59_000);
  await world.rest();
  expect(world.flights).toHaveLength(1);
  world.clock.advance(1_000);
  await world.until(() => world.steps(id)[0]?.tries === 2);
  await world.rest();
  world.clock.advance(119_000);
  await world.rest();
  expect(world.flights).toHaveLength(2);
  world.clock.advance(1_000);
  await world.over(id, 'FAILED');
  expect(world.flights).toHaveLength(3);
  expect(world.task(id).reason).toBe('Shaky: no luck');
  expect(world.statuses(id)).toBe('FAILED CANCELLED');
  expect(world.messages.at(-1)).toBe('error: Task failed. Shaky: no luck');

  world.worker = (order) => (order.stepId === world.steps(id)[0]?.id ? gave('luck') : went('again'));
  await world.requests.retryTask({ taskId: id, by: 'steward' });
  await world.until(() => world.task(id).reason === 'After: again');
  expect(world.statuses(id)).toBe('COMPLETED FAILED');

  const careless = await world.begin([say('Shaky', 'x', { onError: 'continue' }), note('Tell', 'got "{{Shaky}}"')]);
  await world.over(careless);
  expect(world.results(careless)[1]).toBe('Tell\n\ngot ""');
});

test('waits by the clock or by the time that went by, whichever is first, also over a kill; until a time by the clock alone', async () => {
  const world = await open();
  const wait = { name: 'Wait', action: 'wait', params: { minutes: 60 } };
  const id = await world.begin([wait, note('Done')]);
  await world.rest();
  expect(world.clock.pending).toBe(1);
  world.clock.setWall(world.clock.now() - 24 * HOUR_MS);
  world.clock.advance(HOUR_MS - 1_000);
  await world.rest();
  expect(world.statuses(id)).toBe('RUNNING PENDING');
  world.clock.advance(1_000);
  await world.over(id);

  const until = new Date(world.clock.now() + 2 * HOUR_MS).toISOString();
  const second = await world.begin([{ name: 'Until', action: 'wait', params: { until } }]);
  const third = await world.begin([wait]);
  await world.rest();
  world.clock.advance(HOUR_MS / 2);
  await world.kill();
  await world.rest();
  world.clock.advance(HOUR_MS / 2 - 1_000);
  await world.rest();
  expect(world.task(third).status).toBe('RUNNING');
  world.clock.advance(1_000);
  await world.over(third);
  // The machine slept.
  world.clock.setWall(world.clock.now() + 5 * HOUR_MS);
  world.clock.advance(15_000);
  await world.over(second);
});

test('a pause lets what runs end and begins nothing; a resume goes on; a cancel tells all of it to stop', async () => {
  const world = await open();
  const id = await world.begin([say('One', 'x'), say('Two', 'y'), say('Three', 'z')]);
  const one = await world.flight(0);
  await world.requests.pauseTask({ taskId: id, reason: 'lunch', by: 'steward' });
  one.end(gave('kept'));
  await world.until(() => world.statuses(id) === 'COMPLETED PENDING PENDING');
  await world.rest();
  expect(world.flights).toHaveLength(1);
  expect(one.signal.aborted).toBe(false);
  await world.requests.resumeTask({ taskId: id, by: 'steward' });
  const two = await world.flight(1);
  await world.requests.cancelTask({ taskId: id, reason: 'enough', by: 'steward' });
  await world.rest();
  expect(two.signal.aborted).toBe(true);
  expect(world.statuses(id)).toBe('COMPLETED CANCELLED CANCELLED');
  expect(world.flights).toHaveLength(2);
});

test('nothing of a suspended project goes on; resumed, the step that it was in is carried out again', async () => {
  const world = await open();
  const id = await world.begin([say('One', 'x')]);
  (await world.flight(0)).end({ outcome: 'aborted' });
  await world.store.commit({ type: 'project_suspended', project_id: 'api', reason: 'idle', by: 'steward' });
  await world.rest();
  expect(world.task(id).status).toBe('PAUSED');
  expect(world.flights).toHaveLength(1);
  await expect(world.requests.resumeTask({ taskId: id, by: 'steward' })).rejects.toThrow('project api is suspended');
  await world.store.commit({ type: 'project_resumed', project_id: 'api', by: 'steward' });
  (await world.flight(1)).end(gave('done'));
  await world.over(id);
});

test('a killed owner finishes no step twice and loses no result; what was under way goes again', async () => {
  const world = await open((order) => (order.kind === 'generate' && order.prompt === 'one' ? gave('1') : null));
  const id = await world.begin([say('One', 'one'), say('Two', 'two of {{One}}')]);
  await world.flight(1);
  await world.kill();
  const again = await world.flight(2);
  expect(again.order).toMatchObject({ kind: 'generate', prompt: 'two of 1' });
  again.end(gave('2'));
  await world.over(id);
  expect(world.results(id)).toEqual(['1', '2']);
  expect(world.flights).toHaveLength(3);
});

test('an error of 5 MB is told by its beginning and its end', async () => {
  const world = await open(() => went(`first${'x'.repeat(5_000_000)}last`));
  const id = await world.begin([say('Loud', 'x')]);
  await world.over(id, 'FAILED');
  const { reason } = world.task(id);
  expect(reason).toMatch(/^Loud: firstx+\n\[…\d+ characters…\]\nx+last$/);
  expect(reason?.length).toBeLessThan(5_000);
});

test('a step whose carrier dies is carried out again without a try used, and fails after five deaths in a row', async () => {
  const world = await open(() => ({ outcome: 'interrupted', error: 'out of memory' }));
  const id = await world.begin([say('Deadly', 'x', { onError: 'retry' })]);
  await world.over(id, 'FAILED');
  expect(world.flights).toHaveLength(5);
  expect(world.task(id).reason).toContain('died 5 times in a row: out of memory');
});

test('a long result lies in a file and is read back; one of 5 MB fails its step in words', async () => {
  const world = await open((order) => {
    if (order.kind !== 'generate') return null;
    return gave(order.prompt === 'huge' ? 'x'.repeat(5_000_000) : 'y'.repeat(TASK_LIMITS.inlineBytes));
  });
  const id = await world.begin([
    say('Long', 'long'),
    { name: 'Copy', action: 'aggregate', params: { keys: ['Long'] } },
    say('Huge', 'huge'),
  ]);
  await world.over(id, 'FAILED');
  const [long, copy] = world.steps(id);
  expect(long).toMatchObject({ result: null, result_bytes: TASK_LIMITS.inlineBytes + 2 });
  expect(copy?.result_artifact).toBe(long?.result_artifact);
  expect(world.task(id).reason).toBe('Huge: its result has 5,000,002 bytes, at most 4,194,304 are kept');
});

test('a result that is nested too deeply to be passed on fails its step in words', async () => {
  const deep = JSON.parse(`${'['.repeat(101)}${']'.repeat(101)}`) as Json;
  const world = await open(() => gave(deep));
  const id = await world.begin([say('Deep', 'x')]);
  await world.over(id, 'FAILED');
  expect(world.task(id).reason).toBe('Deep: its result is nested deeper than 100 times');
});

test('an action of another extension waits for it; what died with the process counts as a death', async () => {
  const world = await open();
  const id = await world.begin([{ name: 'Deploy', action: 'acme.tools/deploy', params: { to: 'prod' } }]);
  (await world.flight(0)).end({
    outcome: 'unavailable',
    code: 'NOT_FOUND',
    detail: 'no extension has registered the action acme.tools/deploy',
    hint: '',
    wakeAt: null,
    limit: null,
    raiseTo: null,
  });
  await world.over(id, 'PAUSED');
  await world.rest();
  expect(world.messages).toEqual(['warning: Task waits: no extension has registered the action acme.tools/deploy.']);
  expect(world.flights).toHaveLength(1);
  world.register('acme.tools/deploy');
  await world.flight(1);
  for (let deaths = 1; deaths < 5; deaths++) {
    await world.kill();
    await world.flight(1 + deaths);
    expect(world.steps(id)[0]).toMatchObject({ crashes: deaths, tries: 0 });
  }
  await world.kill();
  await world.over(id, 'FAILED');
});
