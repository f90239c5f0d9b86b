import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { subjectOf } from '../../../../../src/core/approval/about.ts';
import { newApproval } from '../../../../support/state/builders.ts';
import { FakeClock } from '../../../../support/time/fakeClock.ts';
import { settled, ThreadPoolWorld } from '../../../../support/world/threadPoolWorld.ts';

let clock: FakeClock;
let world: ThreadPoolWorld;

beforeEach(async () => {
  clock = new FakeClock();
  world = await new ThreadPoolWorld(clock).open();
});

afterEach(async () => {
  await world.close();
  expect(clock.pending).toBe(0);
  expect(world.doubles).toEqual([]);
});

const live = (project: string): number => world.liveThreads(project).length;
const said = (project: string): string[] =>
  [...world.store.state.messages.values()]
    .filter((row) => row.project_id === project && row.sender === 'engine')
    .map((row) => row.text);

/** Kills the thread and lets the back-off pass. */
async function die(project: string): Promise<void> {
  world.thread(project).die();
  await settled(world);
  clock.advance(5_000);
  await settled(world);
}

describe('a project', () => {
  test('has a thread from its making on, which holds nothing until it has work', async () => {
    await world.create('a');
    expect(live('a')).toBe(1);
    expect(world.thread('a').state).toBeNull();
    expect(clock.pending).toBe(0);
  });

  test('has a turn from its message until its thread says that it has ended', async () => {
    await world.create('a');
    expect(world.threadPool.turns).toEqual([]);
    await world.say('a');
    expect(world.threadPool.turns).toEqual(['a']);
    await settled(world);
    expect(world.threadPool.turns).toEqual([]);
  });

  test('that is suspended has none, and one again when it is resumed', async () => {
    await world.create('a');
    await world.requests.suspendProject({ project: 'a', reason: 'lunch', by: 'steward' });
    await settled(world);
    expect(world.threadPool.isLive('a')).toBe(false);
    expect(live('a')).toBe(0);
    await world.requests.resumeProject({ project: 'a', by: 'steward' });
    await settled(world);
    expect(live('a')).toBe(1);
  });

  test('that is resumed before its old thread is gone gets the new one after it', async () => {
    await world.create('a');
    const suspended = world.requests.suspendProject({ project: 'a', reason: '', by: 'steward' });
    const resumed = world.requests.resumeProject({ project: 'a', by: 'steward' });
    await Promise.all([suspended, resumed]);
    expect(live('a')).toBe(1);
    await settled(world);
    expect(world.threads).toHaveLength(2);
    expect(live('a')).toBe(1);
  });

  test('takes its jobs up again when it is resumed, and no others', async () => {
    await world.create('a');
    const job = await world.job('a');
    const other = await world.job('a');
    await world.store.commit({ type: 'job_paused', job_id: other, reason: 'lunch', by: 'steward' });
    await world.requests.suspendProject({ project: 'a', reason: '', by: 'steward' });
    await settled(world);
    expect(world.store.state.jobs.get(job)?.status).toBe('paused');
    await world.requests.resumeProject({ project: 'a', by: 'steward' });
    await settled(world);
    expect(world.thread('a').works).toEqual([job]);
  });

  test('called default is suspended and resumed like any other', async () => {
    await world.store.commit({ type: 'project_created', project: { id: 'default', model: null, workdir: null } });
    const job = await world.job('default');
    await settled(world);
    expect(world.thread('default').works).toEqual([job]);
    await world.requests.suspendProject({ project: 'default', reason: '', by: 'steward' });
    await settled(world);
    expect([live('default'), world.store.state.jobs.get(job)?.status]).toEqual([0, 'paused']);
    await world.requests.resumeProject({ project: 'default', by: 'steward' });
    await settled(world);
    expect(world.store.state.jobs.get(job)?.status).not.toBe('paused');
    expect(live('default')).toBe(1);
  });

  test('gets only its own rows, and the notes for all', async () => {
    await world.create('a');
    await world.create('b');
    await world.job('b');
    const job = await world.job('a');
    await world.say('b');
    const [first = 0, second = 0] = world.store.nextIds('notes', 2);
    const note = { feature_id: null, category: null, content: 'x', created_by_session: null, file: null };
    const added = { ...note, line: null, anchor: null };
    await world.store.commit({ type: 'note_added', note: { ...added, id: first }, supersedes: null });
    await world.store.commit({ type: 'note_added', note: { ...added, id: second }, supersedes: first });
    await settled(world);
    const { state } = world.thread('a');
    expect([...(state?.jobs.keys() ?? [])]).toEqual([job]);
    expect([...(state?.projects.keys() ?? [])]).toEqual(['a']);
    expect(state?.messages.size).toBe(0);
    expect([...(state?.notes.values() ?? [])].map((row) => row.superseded_by)).toEqual([second, null]);
  });
});

test('of thousands that are active only so many have a thread ahead of their work; each has one with its first', async () => {
  const names = Array.from({ length: 200 }, (_, n) => `p-${n}`);
  for (const name of names) await world.create(name);
  const threads = () => names.filter((name) => live(name) > 0).length;
  expect(threads()).toBe(32);
  expect(live('p-199')).toBe(0);
  const said = await world.say('p-199');
  await settled(world);
  expect(live('p-199')).toBe(1);
  expect(world.journals.get('p-199')).toEqual([said]);
  await world.close();
  await world.open();
  expect(threads()).toBe(32);
});

describe('a message', () => {
  test('to an active project is answered; the main agent begins with the first', async () => {
    await world.create('a');
    await world.say('a');
    await world.say('main');
    await settled(world);
    expect([world.journals.get('a'), world.journals.get('main')]).toEqual([[1], [2]]);
    expect(clock.pending).toBe(0);
  });

  test('that says nothing is refused', async () => {
    await world.create('a');
    await expect(world.say('a', ' \n')).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    expect(world.store.state.messages.size).toBe(0);
  });

  test('to a suspended one waits until it is resumed', async () => {
    await world.create('a');
    await world.requests.suspendProject({ project: 'a', reason: '', by: 'steward' });
    const id = await world.say('a');
    await settled(world);
    expect(live('a')).toBe(0);
    await world.requests.resumeProject({ project: 'a', by: 'steward' });
    await settled(world);
    expect(world.journals.get('a')).toEqual([id]);
  });

  test('that was not read when the owner ended is answered by the next one', async () => {
    await world.create('a');
    world.fate = 'hangs';
    const id = await world.say('a');
    await settled(world);
    await world.kill();
    world.fate = 'lives';
    await world.open();
    await settled(world);
    expect(world.journals.get('a')).toEqual([id]);
  });
});

describe('a conversation whose answer was paid', () => {
  async function afterItsAnswer(): Promise<void> {
    await world.create('a');
    const about = { job_id: null, project_id: 'a', role: 'project', model: 'm', phase_id: null, notes: [] } as const;
    await world.store.commit({ type: 'session_started', id: 1, ...about });
    const call = { provider: 'simulated', model: 'm', day: '2026-11-21', micro_usd: 1, price_version: '1' } as const;
    await world.store.commit({ type: 'call_reserved', id: 1, session_id: 1, ...call });
    const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0 };
    await world.store.commit({ type: 'call_settled', id: 1, usage, micro_usd: 1, tool_calls: 0 });
  }
  const looked = (): boolean => world.thread('a').state !== null;

  test('is left alone by the next owner where its journal has the answer', async () => {
    await afterItsAnswer();
    await world.kill();
    await world.open();
    await settled(world);
    expect(looked()).toBe(false);
  });

  test('is gone on with by the next owner where its journal does not have it', async () => {
    await afterItsAnswer();
    await world.kill();
    world.openEnded.add('a');
    await world.open();
    await settled(world);
    expect(looked()).toBe(true);
  });

  test('is gone on with after a suspension that came before its journal had it', async () => {
    await afterItsAnswer();
    await world.requests.suspendProject({ project: 'a', reason: '', by: 'steward' });
    await settled(world);
    world.openEnded.add('a');
    await world.requests.resumeProject({ project: 'a', by: 'steward' });
    await settled(world);
    expect(looked()).toBe(true);
  });
});

describe('a thread that dies', () => {
  test('is told in its conversation and started again; the others never notice', async () => {
    await world.create('a');
    await world.create('b');
    await die('a');
    expect(live('a')).toBe(1);
    expect(said('a')).toEqual([expect.stringContaining('planted')]);
    expect(world.threads.filter(({ start }) => start.projectId === 'b')).toHaveLength(1);
  });

  test('three times in a row parks its project with a question, whose answer starts it again', async () => {
    await world.create('a');
    await world.create('b');
    const job = await world.job('a');
    for (let death = 0; death < 3; death++) await die('a');
    expect(live('a')).toBe(0);
    expect(live('b')).toBe(1);
    expect(world.store.state.projects.get('a')?.parked).toContain('died 3 times in a row');
    expect(world.store.state.jobs.get(job)?.status).toBe('paused');
    const [asked] = [...world.store.state.approvals.values()];
    expect(asked).toMatchObject({ kind: 'project', project_id: 'a', job_id: null, choices: ['try_again'] });
    const id = await world.say('a');
    await settled(world);
    expect(live('a')).toBe(0);

    const answer = { decision: 'approved', choice: 'try_again', feedback: null, by: 'steward' } as const;
    await world.store.commit({ type: 'approval_decided', id: asked?.id ?? 0, ...answer });
    await settled(world);
    expect(world.store.state.projects.get('a')?.parked).toBeNull();
    expect(world.journals.get('a')).toEqual([id]);
  });

  test('three times in a row with something committed in between is not parked', async () => {
    await world.create('a');
    await die('a');
    await die('a');
    await world.thread('a').owner.commit({ type: 'messages_read', project_id: 'a', direction: 'in', up_to: 0 });
    await die('a');
    expect(live('a')).toBe(1);
  });

  test('of the main agent says so, is not parked, and is tried again with the next message', async () => {
    await world.say('main');
    await settled(world);
    world.fate = 'dies_before';
    await world.say('main');
    for (let wait = 0; wait < 4; wait++) {
      await settled(world);
      clock.advance(5_000);
    }
    expect(live('main')).toBe(0);
    expect(said('main').at(-1)).toContain('The next message starts another attempt');
    world.fate = 'lives';
    await world.say('main');
    await settled(world);
    const sent = [...world.store.state.messages.values()].filter((row) => row.direction === 'in');
    expect(sent).toHaveLength(3);
    expect(world.journals.get('main')).toEqual(sent.map((row) => row.id));
  });
});

test('the main agent alone has its tools, whatever a thread asks for', async () => {
  await world.create('a');
  await world.say('main');
  await settled(world);
  const ask = (project: string) => world.thread(project).owner.mainTool('create_project', { name: 'b', goal: 'x' });
  expect(await ask('a')).toMatchObject({ failure: { code: 'NOT_PERMITTED' } });
  expect(await ask('main')).toEqual({ value: '' });
});

test('a thread that answers is left to its work, however long that takes', async () => {
  await world.create('a');
  await world.job('a');
  const [working] = world.threads;
  for (let minute = 0; minute < 30; minute++) {
    for (let part = 0; part < 4; part++) {
      clock.advance(15_000);
      await settled(world);
    }
  }
  expect(working?.isGone).toBe(false);
  working?.end();
  await settled(world);
});

test('a thread that answers no more is ended after a minute, and its message answered by the next', async () => {
  await world.create('a');
  world.fate = 'hangs';
  const id = await world.say('a');
  await settled(world);
  const [hanging] = world.threads;
  clock.advance(15_000 + 59_000);
  await settled(world);
  expect(hanging?.isGone).toBe(false);
  clock.advance(1_000);
  await settled(world);
  expect(hanging?.isGone).toBe(true);
  world.fate = 'lives';
  clock.advance(1_000);
  await settled(world);
  expect(world.journals.get('a')).toEqual([id]);
  expect(said('a')).toEqual([expect.stringContaining('it did not answer for 60 s')]);
});

test('a trusted workdir is where the thread works; another one replaces it as soon as it has nothing in hand', async () => {
  await world.create('a');
  await world.requests.defineProject({ project: 'a', workdir: '/x' });
  await settled(world);
  expect(live('a')).toBe(0);
  const [id = 0] = world.store.nextIds('approvals', 1);
  const asked = newApproval({
    id,
    job_id: null,
    project_id: 'a',
    kind: 'workdir',
    subject: subjectOf({ of: 'workdir', path: '/x' }),
  });
  await world.store.commit({ type: 'approval_requested', approval: asked });
  const answer = { decision: 'approved', choice: null, feedback: null, by: 'steward' } as const;
  await world.store.commit({ type: 'approval_decided', id, ...answer });
  await settled(world);
  expect(world.thread('a').start).toMatchObject({ projectDir: '/x', workspaceDir: '/w' });

  await world.job('a');
  const busy = world.thread('a');
  await world.requests.defineProject({ project: 'a', workdir: null });
  await settled(world);
  expect(busy.isGone).toBe(false);
  busy.end();
  await settled(world);
  expect(busy.isGone).toBe(true);
  expect(world.thread('a').start.projectDir).toBe('/w');
});
