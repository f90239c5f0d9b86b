/** The chat with the main agent at the terminal. */
import { describe, expect, test } from 'vitest';
import { need } from '../../../../../src/core/state/rows.ts';
import { projectQuestion } from '../../../../../src/engine/approval/questions.ts';
import { answering, json, said, say } from '../../../../support/demo/saying.ts';
import { addJob } from '../../../../support/state/memoryStore.ts';
import { newestJob, terminalWorld } from '../../../../support/world/terminalWorld.ts';

describe('chat', () => {
  test('without a terminal: one message, its reply', async () => {
    const world = await terminalWorld({ stdin: 'What is open?\n' });
    answering(world, (text) => `You said: ${text.trim()} \u001b[2J`);
    expect(await say(world, 'chat', '--provider', 'simulated')).toBe('You said: What is open? <U+001B>[2J\n');
    expect(world.store.state.projects.get('main')?.provider).toBe('simulated');
    await say(world, 'chat', '--message', 'And now?', '--json');
    expect(json(world)).toMatchObject({ version: 1, reply: { text: expect.stringContaining('And now?') } });
    expect([...world.store.state.messages.values()].every(({ read_at }) => read_at !== null)).toBe(true);
    expect(world.open).toBe(0);
  });

  test('exits 3 when a question stands before the reply, 1 when it is stopped, 2 for nothing', async () => {
    const dumb = await terminalWorld({ stdin: '' });
    Object.assign(dumb.deps.io, { stdinIsTTY: true });
    expect(await dumb.run('chat')).toBe(2);
    expect(dumb.err).toMatch(/^Reading one message from the terminal\. .*Ctrl-D\.\n/);
    const world = await terminalWorld({ stdin: ' ' });
    expect(await world.run('chat')).toBe(2);
    expect(await world.run('chat', '-m', 'x', '--provider', 'anthropic', '--scenario', 'demo')).toBe(2);
    const running = world.run('chat', '--message', 'Hello');
    await world.until(() => world.store.state.messages.size === 1);
    await world.store.commit({
      type: 'approval_requested',
      approval: {
        ...{ id: 1, job_id: null, project_id: 'main', kind: 'provider', subject: 'provider', question: 'No key' },
        ...{ detail: '', phase_id: null, feature_id: null, commit: null, executables: [], choices: [] },
      },
    });
    expect(await running).toBe(3);
    expect(world.out).toMatch(/No key[\s\S]*autonomous approve 1/);
    await say(world, 'approve', '1');
    const again = world.run('chat', '--message', 'Hello?');
    await world.until(() => world.store.state.messages.size === 2);
    world.stop();
    expect(await again).toBe(1);
    expect(world.open).toBe(0);
  });

  test('at a terminal: lines in, replies and the projects’ messages out, until the input ends', async () => {
    const world = await terminalWorld({
      tty: true,
      typed: ['', '/projects', '/status', '/fly', 'Hello', '/help'],
    });
    await say(world, 'project', 'new', 'api', 'x');
    await said(world, 'main', 'Something from before', { sender: 'main' }).catch(() => undefined);
    answering(world, (text) => `Reply to ${text}`);
    world.clear();
    const chatting = world.run('chat', '--provider', 'simulated');
    await world.until(() => world.out.includes('Reply to Hello'));
    await said(world, 'api', 'A finding', { concerns: 'app' });
    await world.store.commit({ type: 'project_suspended', project_id: 'api', reason: 'idle', by: 'engine' });
    await world.until(() => world.out.includes('suspended: idle'));
    world.stop();
    expect(await chatting).toBe(0);
    expect(world.out).toMatch(/^You talk to the main agent/);
    expect(world.out).toMatch(/api +active +idle/);
    expect(world.out).toContain('0 open jobs, 0 questions');
    expect(world.out).toContain('There is no /fly.');
    expect(world.out).toContain('api (message 4, concerns app): A finding');
    expect([...world.store.state.messages.values()].filter(({ read_at }) => read_at === null)).toEqual([]);
    expect(world.open).toBe(0);
  });

  test('begins with the end of the conversation and unread messages, each once, with words whole', async () => {
    const world = await terminalWorld({ tty: true, columns: 40, typed: [] });
    answering(world, (text) => `Reply to ${text}`);
    await say(world, 'chat', '--message', 'Hello', '--provider', 'simulated');
    await say(world, 'project', 'new', 'api', 'x');
    const text = 'The field that holds the name of the customer is gone.';
    const id = await said(world, 'api', text);
    world.clear();
    const chatting = world.run('chat', '--provider', 'simulated');
    await world.until(() => world.out.includes('gone.'));
    const relayed = { concerns: null, relayed_from: id, session_id: null } as const;
    const [next = 0] = world.store.nextIds('messages', 1);
    const passed = { id: next, project_id: 'api', direction: 'in', sender: 'project', text, ...relayed } as const;
    await world.store.commit({ type: 'message_sent', message: passed });
    await world.until(() => world.out.includes(`api got message ${id} of api.`));
    world.stop();
    expect(await chatting).toBe(0);
    expect(world.out).toMatch(/> Hello\n[\s\S]*Reply to Hello\n/);
    expect(world.out).toContain('api: The field that holds the name of\nthe customer is gone.');
    expect(world.out.split('gone.')).toHaveLength(2);
    expect(world.store.state.messages.get(id)).toMatchObject({ read_at: expect.any(String), main_read_at: null });
  });

  test('Ctrl-C stops the turn first; without a turn it ends the chat', async () => {
    const world = await terminalWorld({ tty: true, typed: ['Look at everything.'] });
    const chatting = world.run('chat', '--provider', 'simulated');
    await world.until(() => world.store.state.messages.size === 1);
    world.interrupt();
    await world.until(() => world.store.state.projects.get('main')?.ended_turn === 1);
    expect(world.out).toContain('Stopping the turn. Press Ctrl-C again to end the chat.');
    expect(world.open).toBe(1);
    world.interrupt();
    expect(await chatting).toBe(0);
    const again = world.run('chat', '--provider', 'simulated');
    await world.store.commit({ type: 'messages_read', project_id: 'main', direction: 'in', up_to: 1 });
    world.interrupt();
    expect(await again).toBe(0);
  });

  test('answers questions inside it', async () => {
    const typed = [
      '/approve 1 later',
      '/approve',
      '/reject 1',
      '/approve 1 nobody',
      '/approve 1',
      '/reject 2 No money',
      '/quit',
    ];
    const world = await terminalWorld({ tty: true, typed });
    for (const name of ['api', 'app']) await say(world, 'project', 'new', name, 'x');
    const about = { job_id: null, project_id: 'api', phase_id: null, feature_id: null, commit: null, executables: [] };
    for (const subject of ['relay:1', 'relay:2']) {
      const [id = 0] = world.store.nextIds('approvals', 1);
      const asked = {
        id,
        kind: 'relay',
        subject,
        question: `Who ${id}?`,
        detail: '',
        choices: ['app', 'nobody'],
      } as const;
      await world.store.commit({ type: 'approval_requested', approval: { ...about, ...asked } });
    }
    world.clear();
    expect(await world.run('chat', '--provider', 'simulated')).toBe(0);
    expect(world.out).toContain('has the choices app, nobody, not "later"');
    expect(world.out).toContain('missing question ID: /approve ID');
    expect(world.out).toContain('a rejection needs its reason');
    expect(world.out).toContain('Approved: Who 1?');
    expect(world.out).toContain('question 1 is approved already');
    expect(need(world.store.state, 'approvals', 1)).toMatchObject({ status: 'approved', choice: 'nobody' });
    expect(need(world.store.state, 'approvals', 2)).toMatchObject({ status: 'rejected', feedback: 'No money' });
  });

  test('approves no files that would execute: they are confirmed at a verb of their own', async () => {
    const world = await terminalWorld({ tty: true, typed: ['/approve 1', '/quit'] });
    await say(world, 'project', 'new', 'api', 'x');
    const about = { job_id: null, project_id: 'api', phase_id: null, feature_id: null, commit: null };
    const asked = { id: 1, kind: 'relay', subject: 'relay:1', question: 'Who?', detail: '', choices: ['app'] } as const;
    await world.store.commit({
      type: 'approval_requested',
      approval: { ...about, ...asked, executables: ['package.json'] },
    });
    await world.run('chat', '--provider', 'simulated');
    expect(world.out).toContain('Confirm them: autonomous approve 1');
    expect(need(world.store.state, 'approvals', 1).status).toBe('pending');
  });

  test('tells of tasks: what they say, what they ask, and where they are', async () => {
    const world = await terminalWorld({ tty: true, typed: [] });
    const engine = await world.workspace.open({ work: 'nothing' });
    const steps = [{ name: 'Ask', action: 'approval', params: { question: 'Publish?' } }];
    const { taskId } = await engine.request('createTask', { definition: { name: 'Market', steps }, start: true });
    await engine.close();
    const chatting = world.run('chat', '--provider', 'simulated');
    await world.until(() => world.out.includes('You talk to the main agent'));
    const of = { project_id: 'default', task_id: taskId } as const;
    const message = { id: 900, direction: 'out', sender: 'task', text: 'Half is done.', concerns: null } as const;
    await world.store.commit({
      type: 'task_progressed',
      task_id: taskId,
      message: { ...of, ...message, relayed_from: null, session_id: null, level: 'info' },
    });
    const [step_id = 0] = world.store.state.tasks.get(taskId)?.steps ?? [];
    const about = { of: 'task', taskId, stepId: step_id } as const;
    const asked = { kind: 'task', about, question: 'Publish?', detail: '', choices: [] } as const;
    const approval = { ...projectQuestion('default', 7, asked), task_id: taskId };
    const started = [{ step_id, wake_at: null, job_id: null, approval }];
    await world.store.commit({ type: 'task_stepped', task_id: taskId, ended: [], skipped: [], started, message: null });
    await world.until(() => world.out.includes('Publish?'));
    world.stop();
    expect(await chatting).toBe(0);
    expect(world.out).toContain('default, task Market: Half is done.');
    expect(world.out).toContain(`  Task:     ${taskId} (Market)\n  Approve:  /approve 7`);
    expect(world.store.state.messages.get(900)?.read_at).not.toBeNull();
  });

  test('names the job that ends, its result and its cost', async () => {
    const world = await terminalWorld({ tty: true, typed: [], columns: 200 });
    const { store } = world;
    await addJob(store, 'job-b');
    await store.commit({ type: 'job_paused', job_id: 'job-b', reason: 'paused by you', by: 'steward' });
    const chatting = world.run('chat', '--provider', 'simulated');
    await world.until(() => world.out.includes('You talk to the main agent'));
    await store.commit({ type: 'job_cancelled', job_id: 'job-b', reason: 'cancelled by you', by: 'steward' });
    await world.until(() => world.out.includes('Job job-b'));
    world.stop();
    expect(await chatting).toBe(0);
    expect(world.out).toContain(
      'Job job-b "job-b" is cancelled: cancelled by you. Result: not merged. Cost: $0.0000.\n',
    );
  });

  test('resumes what was running; /quit names what stops, and quits when it is typed again', async () => {
    const typed = ['/quit', '/status', '/quit', '/quit', 'never read'];
    const world = await terminalWorld({ tty: true, typed, script: { waitMs: 60_000 } });
    const engine = await world.workspace.open({ work: 'nothing' });
    const { jobId } = await engine.request('submitBrief', { brief: 'Build it' });
    await engine.close();
    expect(await say(world, 'project', 'list')).toMatch(/^default +active +(waiting|no owner)/m);
    expect(await world.run('chat')).toBe(0);
    expect(world.out).toMatch(new RegExp(`^Resumed: job ${jobId} \\(\\w+\\): Build it$`, 'm'));
    const asked = world.out.split('Type /quit again to quit.');
    expect(asked).toHaveLength(3);
    expect(asked[0]).toMatch(new RegExp(`This process works on:\n {2}job ${jobId} \\(\\w+\\): Build it\nIf you quit`));
    expect([world.store.state.messages.size, world.open, world.err]).toEqual([0, 0, '']);
  });

  test('a chat whose input ends names what stops with it', async () => {
    const world = await terminalWorld({ tty: true, typed: [], script: { waitMs: 60_000 } });
    const engine = await world.workspace.open({ work: 'nothing' });
    const { jobId } = await engine.request('submitBrief', { brief: 'Build it' });
    await engine.close();
    const chatting = world.run('chat');
    await world.until(() => world.out.includes('Resumed:'));
    world.stop();
    expect(await chatting).toBe(0);
    expect(world.err).toMatch(
      new RegExp(`^autonomous: warning: stopped with this process: job ${jobId} .*To resume: autonomous chat`),
    );
  });

  test('one message resumes no job', async () => {
    const world = await terminalWorld({ script: { waitMs: 60_000 } });
    answering(world, () => 'Hello');
    const engine = await world.workspace.open({ work: 'nothing' });
    await engine.request('submitBrief', { brief: 'Build it' });
    await engine.close();
    const before = newestJob(world);
    await say(world, 'chat', '--message', 'Hello');
    expect(newestJob(world)).toEqual(before);
  });

  test('/quit ends it, and what is wrong is said', async () => {
    const world = await terminalWorld({ tty: true, typed: ['x'.repeat(70_000), '/quit', 'never read'] });
    expect(await world.run('chat')).toBe(0);
    expect(world.out).toMatch(/sendMessage: text .*65536/);
    expect([world.store.state.messages.size, world.open]).toEqual([0, 0]);
  });
});
