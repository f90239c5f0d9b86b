import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { newTask } from '../../../../src/core/task/script/newTask.ts';
import { followHeartbeats } from '../../../../src/engine/project/heartbeat.ts';
import { suspendIdle } from '../../../../src/engine/project/idle.ts';
import { taskSchema } from '../../../../src/shared/task/tasks.ts';
import { newApproval } from '../../../support/state/builders.ts';
import { FakeClock } from '../../../support/time/fakeClock.ts';
import { settled, ThreadPoolWorld } from '../../../support/world/threadPoolWorld.ts';

const MINUTE = 60_000;

let clock: FakeClock;
let world: ThreadPoolWorld;
let stops: (() => void)[];

const failed = (thrown: unknown): never => {
  throw thrown;
};

function follow(): void {
  const { store } = world;
  stops = [suspendIdle({ store, clock, minutes: 240, failed }), followHeartbeats({ store, clock, failed })];
}

beforeEach(async () => {
  clock = new FakeClock();
  world = await new ThreadPoolWorld(clock).open();
  follow();
});

afterEach(async () => {
  for (const stop of stops) stop();
  await world.close();
  expect(clock.pending).toBe(0);
});

async function pass(minutes: number): Promise<void> {
  clock.advance(minutes * MINUTE);
  await settled(world);
}

const define = (project: string, given: Partial<Parameters<ThreadPoolWorld['requests']['defineProject']>[0]>) =>
  world.requests.defineProject({ project, ...given });

describe('a project with nothing to do', () => {
  test('is suspended after the time that counts for all, and says why; one timer for all of them', async () => {
    await world.create('a');
    await pass(100);
    await world.create('b');
    expect(clock.pending).toBe(1);
    await pass(139);
    expect(world.status('a')).toBe('active');
    await pass(1);
    expect(world.status('a')).toBe('suspended');
    expect(world.store.state.projects.get('a')?.reason).toBe('nothing to do for 240 minutes');
    expect(world.status('b')).toBe('active');
    await pass(100);
    expect(world.status('b')).toBe('suspended');
    expect(clock.pending).toBe(0);
  });

  test('counts anew with each message, and with its resumption', async () => {
    await world.create('a');
    await pass(200);
    await world.say('a');
    await settled(world);
    await pass(239);
    expect(world.status('a')).toBe('active');
    await pass(1);
    expect(world.status('a')).toBe('suspended');
    await world.requests.resumeProject({ project: 'a', by: 'steward' });
    await pass(239);
    expect(world.status('a')).toBe('active');
  });

  test('is not one whose task runs or waits, nor one whose task comes again', async () => {
    for (const name of ['busy', 'again']) await world.create(name);
    const definition = taskSchema.parse({ name: 'Long' });
    const made = { id: 'task-1', project_id: 'busy', template: null, created_by: 'steward' } as const;
    await world.store.commit({ type: 'task_created', task: newTask(definition, made), steps: [], schedule: null });
    await world.store.commit({ type: 'task_started', task_id: 'task-1', by: 'steward' });
    const schedule = {
      id: 1,
      name: 'Nightly',
      cron: '0 3 * * *',
      time_zone: 'UTC',
      definition,
      enabled: true,
      keep: 5,
    };
    await world.store.commit({ type: 'schedule_set', schedule: { ...schedule, project_id: 'again' }, by: 'steward' });
    await pass(1_000);
    expect([world.status('busy'), world.status('again')]).toEqual(['active', 'active']);
    await world.store.commit({ type: 'task_cancelled', task_id: 'task-1', reason: 'enough', by: 'steward' });
    await world.store.commit({ type: 'schedule_removed', id: 1, by: 'steward' });
    await pass(240);
    expect([world.status('busy'), world.status('again')]).toEqual(['suspended', 'suspended']);
  });

  test('has a time of its own, or none at all', async () => {
    for (const name of ['soon', 'never']) await world.create(name);
    await define('soon', { idleMinutes: 5 });
    await define('never', { idleMinutes: 0 });
    await pass(5);
    expect([world.status('soon'), world.status('never')]).toEqual(['suspended', 'active']);
    await pass(10_000);
    expect(world.status('never')).toBe('active');
  });

  test('the main agent and the default project are never suspended', async () => {
    await world.say('main');
    await world.create('default');
    await pass(10_000);
    expect([world.status('main'), world.status('default')]).toEqual(['active', 'active']);
  });
});

describe('a project that waits for something', () => {
  test('a job that is not over, until it is', async () => {
    await world.create('a');
    const job = await world.job('a');
    await pass(1_000);
    expect(world.status('a')).toBe('active');
    await world.store.commit({ type: 'job_cancelled', job_id: job, reason: 'done', by: 'steward' });
    await pass(240);
    expect(world.status('a')).toBe('suspended');
  });

  test('a question, until it is answered', async () => {
    await world.create('a');
    const [id = 0] = world.store.nextIds('approvals', 1);
    const asked = newApproval({ id, job_id: null, project_id: 'a', kind: 'relay', subject: 'relay:1' });
    await world.store.commit({ type: 'approval_requested', approval: asked });
    await pass(1_000);
    expect(world.status('a')).toBe('active');
    await world.store.commit({ type: 'approval_voided', id, reason: 'gone' });
    await pass(240);
    expect(world.status('a')).toBe('suspended');
  });

  test('a limit of the day, in the middle of an answer', async () => {
    await world.create('a');
    await world.say('a');
    await settled(world);
    const [id = 0] = world.store.nextIds('sessions', 1);
    const talk = { job_id: null, project_id: 'a', role: 'project', model: 'm', phase_id: null, notes: [] } as const;
    await world.store.commit({ type: 'session_started', id, ...talk });
    await pass(1_000);
    expect(world.status('a')).toBe('active');
    const session = { id, status: 'completed', error_message: null, turns: 1 } as const;
    await world.store.commit({ type: 'session_ended', session });
    await pass(240);
    expect(world.status('a')).toBe('suspended');
  });

  test('a message that no conversation holds', async () => {
    await world.create('a');
    world.fate = 'hangs';
    await world.say('a');
    await pass(239);
    const unread = [...world.store.state.messages.values()].filter((row) => row.read_at === null);
    expect(unread).not.toEqual([]);
    await pass(1);
    expect(world.status('a')).toBe('active');
  });
});

describe('a heartbeat', () => {
  const beats = () => [...world.store.state.messages.values()].filter((row) => row.sender === 'heartbeat');

  test('is a message in its own words, again and again; such a project is not suspended', async () => {
    await world.create('a');
    await define('a', { heartbeat: { minutes: 60, prompt: 'Look around.' } });
    await pass(59);
    expect(beats()).toEqual([]);
    await pass(1);
    expect(beats()).toMatchObject([{ project_id: 'a', direction: 'in', text: 'Look around.' }]);
    for (let hour = 0; hour < 9; hour++) await pass(60);
    expect(beats()).toHaveLength(10);
    expect(world.journals.get('a')).toEqual(beats().map((row) => row.id));
    expect(world.status('a')).toBe('active');
  });

  test('that comes more rarely than a project may be idle keeps it active all the same', async () => {
    await world.create('a');
    await define('a', { heartbeat: { minutes: 600, prompt: 'Look around.' } });
    await pass(599);
    expect(world.status('a')).toBe('active');
    await pass(1);
    expect(beats()).toHaveLength(1);
  });

  test('is not sent to a parked project, and begins anew when that runs again', async () => {
    await world.create('a');
    await define('a', { heartbeat: { minutes: 60, prompt: 'Look around.' } });
    await world.store.commit({ type: 'project_parked', project_id: 'a', reason: 'a mistake', approval: null });
    await pass(1_000);
    expect(beats()).toEqual([]);
    await world.store.commit({ type: 'project_unparked', project_id: 'a' });
    await pass(60);
    expect(beats()).toHaveLength(1);
  });

  test('is never sent while one is unread, nor to a suspended project', async () => {
    await world.create('a');
    world.fate = 'hangs';
    await define('a', { heartbeat: { minutes: 1, prompt: 'Look around.' } });
    await pass(1);
    await pass(1);
    expect(beats()).toHaveLength(1);
    await world.requests.suspendProject({ project: 'a', reason: '', by: 'steward' });
    await pass(100);
    expect(beats()).toHaveLength(1);
  });

  test('goes by the time since the last one, whoever was the owner then', async () => {
    await world.create('a');
    await define('a', { heartbeat: { minutes: 60, prompt: 'Look around.' } });
    await pass(60);
    await pass(20);
    for (const stop of stops) stop();
    await world.close();
    clock.advance(10 * MINUTE);
    await world.open();
    follow();
    await pass(29);
    expect(beats()).toHaveLength(1);
    await pass(1);
    expect(beats()).toHaveLength(2);
  });
});
