/** Live events: the eight of seed 004, replayed from any number of the log and then as they come, whoever else listens. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { openApiDocument } from '../../../src/adapters/http/openapi.ts';
import { newSteps, newTask } from '../../../src/core/task/script/newTask.ts';
import { taskEvents } from '../../../src/core/task/view/tasks.ts';
import type { TaskEvent } from '../../../src/shared/task/taskApi.ts';
import { TASK_EVENTS, taskSchema } from '../../../src/shared/task/tasks.ts';
import { QuickClock } from '../../support/time/quickClock.ts';
import { type ApiWorld, apiWorld, heard, TASKS, TOKEN, turnedAway } from '../../support/world/apiWorld.ts';

const brief = (events: readonly TaskEvent[]): string[] => events.map(({ seq, event }) => `${seq} ${event}`);

async function make(world: ApiWorld, name: string, steps = 0): Promise<string> {
  const { json } = await world.ask('POST', TASKS, {
    body: { name, steps: Array.from({ length: steps }, (_, at) => ({ name: `s${at}`, action: 'wait' })) },
  });
  const started = await world.ask('POST', `${TASKS}/${json.id}/start`);
  expect(started.json.status, JSON.stringify(started.json)).toBe('RUNNING');
  return json.id;
}

/** Its first pending step begins and ends. */
async function step(world: ApiWorld, taskId: string, text = 'done'): Promise<void> {
  const { state } = world.store;
  const row = state.tasks
    .get(taskId)
    ?.steps.map((id) => state.task_steps.get(id))
    .find((of) => of?.status === 'PENDING');
  const task_id = taskId;
  const step_id = row?.id ?? 0;
  const line = { type: 'task_stepped', task_id, skipped: [], message: null } as const;
  const start = { step_id, wake_at: null, job_id: null, approval: null };
  await world.store.commit({ ...line, ended: [], started: [start] });
  const end = {
    step_id,
    outcome: 'completed',
    result: text,
    artifact: null,
    bytes: text.length,
    session: null,
  } as const;
  await world.store.commit({ ...line, ended: [end], started: [] });
}

const all = (world: ApiWorld, since = 0): readonly TaskEvent[] => taskEvents(world.store.state, since);

test('all that a task tells is heard, as the document has it', async () => {
  await using world = await apiWorld();
  const listener = world.listen();
  await new Promise((resolve) => listener.once('open', resolve));
  const [done, failed, cancelled] = [await make(world, 'a', 1), await make(world, 'b'), await make(world, 'c')];
  await step(world, done);
  await world.ask('POST', `${TASKS}/${done}/pause`);
  await world.ask('POST', `${TASKS}/${done}/resume`);
  await world.store.commit({ type: 'task_completed', task_id: done, summary: null, session: null, message: null });
  await world.store.commit({ type: 'task_failed', task_id: failed, reason: 'no luck', message: null });
  await world.ask('POST', `${TASKS}/${cancelled}/cancel`);
  const events = await heard(listener, all(world).length);
  expect(events).toEqual(all(world));
  const names = TASK_EVENTS.filter((name) => name !== 'task:checkpoint');
  expect([...new Set(events.map(({ event }) => event))].sort()).toEqual([...names].sort());
  const ajv = new Ajv2020({ strict: false });
  ajv.addFormat('date-time', /Z$/);
  ajv.addSchema({ $id: 'api', ...openApiDocument('1') });
  const check = ajv.compile({ $ref: 'api#/components/schemas/TaskEvent' });
  for (const event of events) expect(check(event), JSON.stringify(check.errors)).toBe(true);
});

test('goes on from the number it heard last, without a gap or a double, of one task or of all', async () => {
  await using world = await apiWorld();
  const first = await make(world, 'a', 3);
  const other = await make(world, 'b', 1);
  await step(world, first);
  const listener = world.listen('?since=0');
  const before = await heard(listener, all(world).length);
  listener.terminate();
  const since = before.at(-1)?.seq ?? 0;
  await step(world, first);
  await step(world, other);
  const again = world.listen(`?since=${since}`);
  const alone = world.listen(`?since=0&taskId=${other}`);
  await step(world, first);
  await world.ask('POST', `${TASKS}/${other}/cancel`);
  const later = await heard(again, all(world, since).length);
  expect(brief([...before, ...later])).toEqual(brief(all(world)));
  const ofOther = all(world).filter(({ taskId }) => taskId === other);
  expect(brief(await heard(alone, ofOther.length))).toEqual(brief(ofOther));
  expect(ofOther.map(({ event }) => event)).toContain('task:cancelled');
});

/** More than the machine's own buffers take. */
const MANY = 1_000;
const LARGE = 'x'.repeat(16_000);

/** Of one that reads nothing yet, and of one that reads at once, `MANY` events later. */
async function unread(world: ApiWorld) {
  const [slow, quick] = [world.listen(), world.listen()];
  await Promise.all([slow, quick].map((socket) => new Promise((resolve) => socket.once('open', resolve))));
  slow.pause();
  const taskId = await make(world, 'a', 1);
  for (let n = 0; n < MANY; n++) await say(world, taskId, LARGE);
  expect(await heard(quick, MANY + 1)).toHaveLength(MANY + 1);
  return slow;
}

test('a listener that is slow delays nobody, and hears all of it from the rows', async () => {
  await using world = await apiWorld({ limits: { backlogBytes: 64 * 1024 } });
  const slow = await unread(world);
  slow.resume();
  expect(brief(await heard(slow, MANY + 1))).toEqual(brief(all(world)));
});

test('a listener that reads nothing is handed no more than waits, and is cut off with where to go on', async () => {
  const clock = new QuickClock();
  await using world = await apiWorld({ limits: { backlogBytes: 64 * 1024, stalledMs: 600_000 }, clock });
  const dead = await unread(world);
  const closed = new Promise<[number, string]>((resolve) =>
    dead.once('close', (code, reason) => resolve([code, reason.toString()])),
  );
  clock.skip(600_000);
  await expect.poll(() => world.api.listeners).toBe(1);
  dead.resume();
  const [code, reason] = await closed;
  const some = await heard(dead, MANY + 1);
  expect(some.length).toBeLessThan(MANY);
  // The reason is there where the connection still took it.
  if (code === 4008) expect(reason).toBe(`since=${some.at(-1)?.seq}`);
  else expect(code).toBe(1006);
});

/** An event of some size. */
async function say(world: ApiWorld, task_id: string, text: string): Promise<void> {
  const [id = 0] = world.store.nextIds('messages', 1);
  const message = {
    id,
    project_id: 'default',
    direction: 'out',
    sender: 'task',
    text,
    task_id,
    level: 'info',
  } as const;
  await world.store.commit({ type: 'task_progressed', task_id, message: { ...message, ...NO_ORIGIN } });
}
const NO_ORIGIN = { concerns: null, relayed_from: null, session_id: null } as const;

test('another owner is followed where the last one ended; nobody is told what is old', async () => {
  await using world = await apiWorld();
  const listener = world.listen();
  await new Promise((resolve) => listener.once('open', resolve));
  await make(world, 'a');
  const early = await heard(listener, 1);
  world.lose();
  expect((await world.ask('GET', TASKS)).status).toBe(503);
  expect(await turnedAway(world.listen())).toBe(503);
  const [id = 0] = world.store.nextIds('task_steps', 1);
  const definition = taskSchema.parse({ name: 'meanwhile', steps: [{ name: 's', action: 'wait' }] });
  const task = newTask(definition, { id: 'meanwhile', project_id: 'default', template: null, created_by: 'steward' });
  await world.store.commit({ type: 'task_created', task, steps: newSteps(definition.steps, [id]), schedule: null });
  await world.store.commit({ type: 'task_started', task_id: 'meanwhile', by: 'steward' });
  const late = heard(listener, 1);
  world.find();
  expect(brief([...early, ...(await late)])).toEqual(brief(all(world)));
});

test('listens only to who has the token, from an origin that may ask, and takes no messages', async () => {
  await using world = await apiWorld();
  const refused: readonly (readonly [number, string, readonly string[]])[] = [
    [401, '', ['bearer.wrong']],
    [401, `?token=${TOKEN}`, ['x']],
    [400, '?since=-1', [`bearer.${TOKEN}`]],
    [400, '?since=1e999', [`bearer.${TOKEN}`]],
    [400, '?seq=1', [`bearer.${TOKEN}`]],
  ];
  for (const [status, query, protocols] of refused) {
    expect([query, await turnedAway(world.listen(query, protocols))]).toEqual([query, status]);
  }
  const stranger = { authorization: `Bearer ${TOKEN}`, origin: 'https://evil.example' };
  expect(await turnedAway(world.listen('', [], stranger))).toBe(403);
  expect(await turnedAway(world.listen('', [], { ...stranger, origin: '', host: 'rebind.example:80' }))).toBe(403);
  const page = world.listen('', ['autonomous.events.v1', `bearer.${TOKEN}`]);
  await new Promise((resolve) => page.once('open', resolve));
  expect(page.protocol).toBe('autonomous.events.v1');
  const closed = new Promise<number>((resolve) => page.once('close', resolve));
  page.send('{"approve":1}');
  expect(await closed).toBe(1003);
  const last = world.listen();
  await new Promise((resolve) => last.once('open', resolve));
  const ended = new Promise<[number, string]>((resolve) =>
    last.once('close', (code, why) => resolve([code, String(why)])),
  );
  await make(world, 'a');
  await heard(last, 1);
  await world.api.close();
  expect(await ended).toEqual([1001, `since=${world.store.state.meta.last_seq}`]);
});
