/** Projects and the main agent at the terminal. */
import { describe, expect, test } from 'vitest';
import { subjectOf } from '../../../../src/core/approval/about.ts';
import { need, projectMessages } from '../../../../src/core/state/rows.ts';
import { displayWidth } from '../../../../src/terminal/text/width.ts';
import { json, said, say } from '../../../support/demo/saying.ts';
import { lookingAt } from '../../../support/editor/fakeWorkspace.ts';
import { newestJob, terminalWorld, type World, type WorldOptions } from '../../../support/world/terminalWorld.ts';

async function withProjects(options: WorldOptions = {}): Promise<World> {
  const world = await terminalWorld(options);
  await say(world, 'project', 'new', 'api', 'Move', 'the API');
  await say(world, 'project', 'new', 'app', '--goal', 'Keep it working', '--constraints', 'No new library');
  return world;
}

describe('a project', () => {
  test('is made, listed and shown', async () => {
    const world = await withProjects();
    expect(world.store.state.projects.get('api')?.body).toContain('Move the API');
    const list = await say(world, 'project', 'list');
    expect(list).toMatch(/^PROJECT +STATUS +DOING +UNREAD +TODAY/);
    expect(list).toMatch(/^default +active +idle/m);
    expect(list).toMatch(/^app +active +idle +\$0\.0000/m);
    expect(await say(world, 'project', 'show', 'app')).toMatch(/^Project app: active, idle\n[\s\S]*No new library/);
    await say(world, 'project', 'show', 'app', '--json');
    expect(json(world)).toMatchObject({ version: 1, project: { id: 'app', status: 'active', unread: 0 } });
    expect(await world.run('project', 'show', 'nobody')).toBe(2);
    expect(await world.run('project', 'new', 'api')).toBe(2);
    expect(await world.run('project', 'new', 'A b')).toBe(2);
  });

  test('list fits 60 columns with long names', async () => {
    const world = await withProjects({ tty: true, columns: 60 });
    await say(world, 'project', 'new', 'a-very-long-name-of-a-project-that-goes-on-and-on-and-on', 'x');
    await said(world, 'api', 'hello');
    const lines = (await say(world, 'project', 'list')).trimEnd().split('\n');
    expect(Math.max(...lines.map(displayWidth))).toBeLessThanOrEqual(60);
    expect(lines[0]).toMatch(/UNREAD +TODAY/);
    expect(lines.find((line) => line.startsWith('api'))).toMatch(/ 1 +\$0\.0000/);
  });

  test('goes through its life', async () => {
    const world = await withProjects();
    const status = () => world.store.state.projects.get('api')?.status;
    expect(await say(world, 'project', 'suspend', 'api', '--reason', 'later')).toMatch(/is suspended; nothing is lost/);
    expect(world.store.state.projects.get('api')?.reason).toBe('later');
    await say(world, 'project', 'resume', 'api', '--json');
    expect(json(world)).toEqual({ version: 1, project: { id: 'api', status: 'active', parked: null } });
    await world.store.commit({ type: 'project_parked', project_id: 'api', reason: 'it dies', approval: null });
    expect(await say(world, 'project', 'list')).toMatch(/^api +parked +stopped/m);
    expect(await say(world, 'project', 'unpark', 'api')).toBe('Project api is tried again\n');
    await say(world, 'project', 'complete', 'api', '--reason', 'moved');
    await say(world, 'project', 'archive', 'api');
    expect(status()).toBe('archived');
    expect(await say(world, 'project', 'list')).toMatch(/1 archived project not shown: --all\n$/);
    expect(await say(world, 'project', 'list', '--all')).toMatch(/^api +archived/m);
    expect(await world.run('project', 'suspend', 'api')).toBe(1);
    expect(await world.run('project', 'adopt', 'elsewhere')).toBe(2);
  });

  test('called default is suspended and resumed like any other; a brief without a project says why it is refused', async () => {
    const world = await terminalWorld();
    const refused = async (...argv: string[]): Promise<void> => {
      world.clear();
      expect(await world.run(...argv)).not.toBe(0);
      expect(world.err).toContain('suspended');
      expect(world.err).toContain('Resume the project first: autonomous project resume default');
    };
    expect(await say(world, 'project', 'suspend', 'default')).toBe('Project default is suspended; nothing is lost\n');
    await refused('run', 'Write a stack', '--yes');
    await refused('plan', 'Write a stack');
    expect(world.store.state.jobs.size).toBe(0);
    expect(await say(world, 'project', 'resume', 'default')).toBe('Project default is active\n');
    await world.run('plan', 'Write a stack');
    const job = newestJob(world);
    await say(world, 'project', 'suspend', 'default');
    expect(world.store.state.jobs.get(job.id)?.status).toBe('paused');
    await refused('run', '--resume');
    await refused('job', 'resume');
    expect(world.store.state.jobs.get(job.id)?.status).toBe('paused');
    await say(world, 'project', 'resume', 'default');
    expect(await world.run('run', '--resume', '--yes')).toBe(0);
    world.clear();
    expect(await world.run('project', 'complete', 'default')).not.toBe(0);
    expect(world.err).toContain('suspend it: autonomous project suspend default');
  });

  test('that comes after another one says why it does not run yet, and what starts it', async () => {
    const world = await withProjects();
    const text = await say(world, 'project', 'new', 'docs', 'Document it', '--after', 'api');
    expect(text).toMatch(/^Parked: waits until project api is completed\. .*: autonomous.* project unpark docs$/m);
    const trusted = await say(world, 'project', 'new', 'site', 'Show it', '--after', 'api', '--workdir', '/repos/site');
    expect(trusted).toMatch(/^Parked: waits for your trust in \/repos\/site\. /m);
    expect(trusted).toMatch(
      /^After that it waits until project api is completed\. .*: autonomous.* project unpark site$/m,
    );
  });

  test('that is not there, is there already or is not parked: each is said as it is', async () => {
    const world = await withProjects();
    const fails = async (...argv: string[]): Promise<string> => {
      world.clear();
      expect(await world.run(...argv)).toBe(2);
      return world.err;
    };
    expect(await fails('project', 'show', 'nobody')).toContain('See: autonomous project list --all');
    expect(await fails('project', 'suspend', 'nobody')).toContain('See: autonomous project list --all');
    expect(await fails('project', 'show', 'default')).toContain('is created by its first brief: autonomous run');
    expect(await fails('project', 'show', 'main')).toContain('Talk to it: autonomous chat');
    expect(await say(world, 'project', 'unpark', 'api')).toBe('Project api is not parked: it is active\n');
    world.workspace.project = { found: async () => [] };
    expect(await say(world, 'project', 'list', '--found')).toMatch(/^There is no folder/);
    await say(world, 'project', 'new', 'bare');
    expect(await say(world, 'project', 'show', 'bare')).toMatch(
      /Jobs: +none\n[\s\S]*no goal yet: autonomous project edit/,
    );
  });

  test('neither talks nor works where no owner is', async () => {
    const world = await withProjects();
    await say(world, 'project', 'send', 'api', 'Hello');
    expect(await say(world, 'project', 'list')).toMatch(/^api +active +no owner[\s\S]*Resume: autonomous chat\n$/m);
    expect(await say(world, 'project', 'show', 'api')).toMatch(/^Project api: active, no owner\n/);
    await say(world, 'project', 'list', '--json');
    expect(json(world)).toMatchObject({ owned: false, projects: [{}, { id: 'api', doing: 'stopped' }, {}] });
    const atWork = { works: true, jobs: [], turns: [] };
    Object.assign(world.workspace, lookingAt(world.store.state, atWork));
    expect(await say(world, 'project', 'list')).toMatch(/^api +active +talking(?![\s\S]*Resume:)/m);
  });

  test('is given times as PROJECT.md has them', async () => {
    const world = await withProjects();
    await say(world, 'project', 'edit', 'api', '--idle', '4h', '--heartbeat', '1d');
    expect(world.store.state.projects.get('api')).toMatchObject({ idleMinutes: 240, heartbeat: { minutes: 1440 } });
    await say(world, 'project', 'edit', 'api', '--idle', 'never');
    expect(world.store.state.projects.get('api')).toMatchObject({ idleMinutes: 0 });
    expect(await world.run('project', 'edit', 'api', '--heartbeat', '8d')).toBe(2);
    expect(world.err).toContain('30m, 4h or 1d, at most 7d');
  });

  test('is defined anew by what is given', async () => {
    const world = await withProjects({ files: { '/home/me/project/new.md': '## Goal\n\nOther' } });
    await say(world, 'project', 'edit', 'api', '--file', 'new.md', '--model', 'claude-opus-5-5', '--idle', '30');
    await say(world, 'project', 'edit', 'api', '--heartbeat', '60', '--provider', 'simulated');
    const row = world.store.state.projects.get('api');
    expect(row).toMatchObject({ body: '## Goal\n\nOther', model: 'claude-opus-5-5', idleMinutes: 30 });
    expect(row).toMatchObject({ provider: 'simulated', heartbeat: { minutes: 60 } });
    await say(world, 'project', 'edit', 'api', '--model', 'none', '--heartbeat', 'none', '--idle', 'default');
    expect(world.store.state.projects.get('api')).toMatchObject({ model: null, heartbeat: null, idleMinutes: null });
    expect(await world.run('project', 'edit', 'api')).toBe(2);
    expect(await world.run('project', 'edit', 'api', '--heartbeat-prompt', 'x')).toBe(2);
    expect(await world.run('project', 'edit', 'api', '--idle', '-1')).toBe(2);
  });

  test('is edited in an editor', async () => {
    const world = await withProjects();
    Object.assign(world.deps.io, { edit: async (text: string) => `${text}\nMore.` });
    expect(await say(world, 'project', 'edit', 'api')).toBe('Changed project api\n');
    expect(world.store.state.projects.get('api')?.body).toMatch(/More\.$/);
    Object.assign(world.deps.io, { edit: async (text: string) => text });
    expect(await say(world, 'project', 'edit', 'api')).toBe('Nothing changed.\n');
  });

  test('has limits of its own', async () => {
    const world = await withProjects();
    expect(await say(world, 'project', 'limits', 'api')).toMatch(/api: none$/m);
    await say(world, 'project', 'limits', 'api', '--daily', '2.5', '--tokens', '1000', '--json');
    expect(json(world)).toMatchObject({ limits: { dayUsd: 2.5, totalUsd: null, tokens: 1000, toolCalls: null } });
    await say(world, 'project', 'limits', 'api', '--daily', 'none');
    expect(world.store.state.projects.get('api')?.limits).toMatchObject({ dayMicroUsd: null, tokens: 1000 });
    expect(await world.run('project', 'limits', 'api', '--tokens', '0')).toBe(2);
  });

  test('takes briefs', async () => {
    const world = await withProjects();
    await world.run('plan', 'Write a stack', '--project', 'api');
    expect([...world.store.state.jobs.values()].map(({ project_id }) => project_id)).toEqual(['api']);
    expect(await world.run('plan', 'Write a stack', '--project', 'nobody')).toBe(2);
    expect(await world.run('run', '--resume', '--project', 'api')).toBe(2);
  });

  test('that were not made here are listed with why they cannot be adopted', async () => {
    const world = await withProjects();
    expect(await say(world, 'project', 'list', '--found')).toMatch(
      /^good\nlink<U\+001B>\[2J: it is a link\nTake one over: autonomous project adopt <name>\n$/,
    );
    await say(world, 'project', 'list', '--found', '--json');
    expect(json(world)).toMatchObject({ found: [{ name: 'good', fault: null }, { fault: 'it is a link' }] });
  });

  test('has templates to begin with, and a memory to read', async () => {
    const world = await withProjects();
    expect(await say(world, 'project', 'templates')).toBe(
      'migration\nmy-own\nStart with one: autonomous project new <name> --template <template>\n',
    );
    expect(await say(world, 'project', 'memory', 'api', 'facts/b.md')).toBe('api facts/b.md<U+001B>[2J\n');
    await say(world, 'project', 'memory', 'api', '--json');
    expect(json(world)).toMatchObject({ project: { id: 'api' }, path: null, text: 'api facts/a.md\u001b[2J' });
    expect(await world.run('project', 'memory', '../x')).toBe(2);
  });
});

describe('messages', () => {
  test('go to a project, and are passed on word for word', async () => {
    const world = await withProjects({ stdin: 'from the input\n' });
    await say(world, 'project', 'send', 'api', 'How', 'far?');
    await say(world, 'project', 'send', 'api', '-');
    const id = await said(world, 'api', 'It is gone', { concerns: 'app' });
    expect(await say(world, 'project', 'messages', 'api', '--keep-unread')).toContain(', concerns app, ');
    await say(world, 'project', 'send', 'app', '--relay', String(id));
    expect(await say(world, 'project', 'messages', 'api', '--keep-unread')).toMatch(
      new RegExp(`^<- ${id} the project, passed on to app, `, 'm'),
    );
    expect(projectMessages(world.store.state, 'api').map(({ text }) => text)).toEqual([
      'How far?',
      'from the input\n',
      'It is gone',
    ]);
    expect(projectMessages(world.store.state, 'app')).toEqual([
      expect.objectContaining({ text: 'It is gone', sender: 'project', relayed_from: id }),
    ]);
    expect(await world.run('project', 'send', 'api', '--relay', String(id))).toBe(2);
    expect(await world.run('project', 'send', 'app', 'x', '--relay', String(id))).toBe(2);
    expect(await world.run('project', 'send', 'api', ' ')).toBe(2);
    expect(await world.run('project', 'send', 'nobody', 'x')).toBe(2);
  });

  /** Each time the process has asked the owner, and waits. */
  async function looks(world: World, times: number): Promise<void> {
    for (let left = times; left > 0; left--) {
      await new Promise((resolve) => setImmediate(resolve));
      world.clock.advance(1_000);
    }
  }

  test('are waited for until the conversation rests, however long no model is called', async () => {
    const world = await withProjects();
    const sending = world.run('project', 'send', 'api', 'How', 'far?', '--wait');
    await world.until(() => projectMessages(world.store.state, 'api').length === 1);
    world.beginTurn('api');
    await world.store.commit({ type: 'messages_read', project_id: 'api', direction: 'in', up_to: 1 });
    await said(world, 'api', 'Half\u001b[2J', { reply_to: 1, session_id: 1 });
    await said(world, 'api', 'All', { reply_to: 1, session_id: 1 });
    await looks(world, 120);
    expect(world.out).not.toContain('Half');
    world.endTurn('api');
    expect(await sending).toBe(0);
    expect(world.out).toMatch(/Half<U\+001B>\[2J\nAll\n$/);
    expect(projectMessages(world.store.state, 'api').every(({ read_at }) => read_at !== null)).toBe(true);
    const parked = world.run('project', 'send', 'api', 'And now?', '--wait', '--json');
    await world.until(() => projectMessages(world.store.state, 'api').length === 4);
    await world.store.commit({ type: 'project_parked', project_id: 'api', reason: 'it dies', approval: null });
    expect(await parked).toBe(1);
    expect(world.open).toBe(0);
  });

  test('are shown, and seen then', async () => {
    const world = await withProjects();
    await say(world, 'project', 'send', 'api', 'Hello');
    await said(world, 'api', 'It is \u001b[2Jgone\nfor good', { concerns: 'app' });
    await say(world, 'project', 'messages', 'api', '--keep-unread', '--json');
    expect(json(world)).toMatchObject({
      version: 1,
      project: 'api',
      earlier: 0,
      messages: [{ id: 1 }, { read_at: null }],
    });
    const text = await say(world, 'project', 'messages', 'api');
    expect(text).toMatch(
      /^-> 1 you, .*\n {2}Hello\n<- 2 the project, concerns app, .* \(new\)\n {2}It is <U\+001B>\[2Jgone\n {2}for good\n$/,
    );
    expect(await say(world, 'project', 'messages', 'api')).not.toContain('(new)');
    expect(await say(world, 'project', 'messages', 'app')).toBe('No messages yet.\n');
    expect(await world.run('project', 'messages', 'nobody')).toBe(2);
  });
});

test('a question about a project is shown and answered', async () => {
  const world = await withProjects();
  const [id = 0] = world.store.nextIds('approvals', 1);
  await world.store.commit({
    type: 'approval_requested',
    approval: {
      ...{ id, job_id: null, project_id: 'api', kind: 'relay', subject: 'relay:1', question: 'Who should know?' },
      ...{ detail: 'It is gone', phase_id: null, feature_id: null, commit: null, executables: [] },
      choices: ['app', 'nobody'],
    },
  });
  expect(await say(world, 'approvals')).toMatch(
    /Question 1 \(relay\): Who should know\?[\s\S]*Choices: app \(default\), nobody[\s\S]*Project: {2}api/,
  );
  expect(await say(world, 'approve', String(id), '--choice', 'nobody')).toContain('Continue: autonomous chat');
  expect(need(world.store.state, 'approvals', id)).toMatchObject({ status: 'approved', choice: 'nobody' });
});

test('a trusted project that comes after another one states what it waits for', async () => {
  const world = await withProjects();
  await say(world, 'project', 'new', 'site', 'Show it', '--after', 'api', '--workdir', '/repos/site');
  const about = { job_id: null, project_id: 'site', phase_id: null, feature_id: null, commit: null, executables: [] };
  const asked = {
    id: 1,
    kind: 'workdir',
    subject: subjectOf({ of: 'workdir', path: '/repos/site' }),
    question: 'Trust?',
  } as const;
  const approval = { ...about, ...asked, detail: '', choices: [] };
  await world.store.commit({ type: 'approval_requested', approval });
  expect(await say(world, 'approve', '1')).toBe(
    'Approved: Trust?\nNothing runs yet: project site waits until project api is completed. To start it earlier: autonomous project unpark site\n',
  );
});

test('project stop stops a turn, and says if there is none', async () => {
  const world = await withProjects();
  expect(await say(world, 'project', 'stop', 'api')).toBe('No turn of api is running\n');
  await say(world, 'project', 'send', 'api', 'Look at everything.');
  expect(await say(world, 'project', 'stop', 'api')).toBe('Stopped the turn of api\n');
  await say(world, 'project', 'stop', 'api', '--json');
  expect(json(world)).toMatchObject({ project: { id: 'api' }, stopped: true });
  expect(need(world.store.state, 'projects', 'api').ended_turn).toBe(1);
  expect(await world.run('project', 'stop', 'nobody')).toBe(2);
});

describe('project send --wait', () => {
  /** The project's thread: it takes a message and says these. Its turn ends then, unless it `holds`. */
  function taking(world: World, says: (id: number) => Promise<unknown>, holds = false): void {
    world.store.subscribe((event) => {
      if (event.type !== 'message_sent' || event.message.direction !== 'in') return;
      const { id, project_id } = event.message;
      world.beginTurn(project_id);
      void world.store
        .commit({ type: 'messages_read', project_id, direction: 'in', up_to: id })
        .then(() => says(id))
        .then(() => (holds ? undefined : world.endTurn(project_id)));
    });
  }

  test('prints the reply alone, exits with 0, and leaves other notices unread', async () => {
    const world = await withProjects();
    taking(world, async (id) => {
      await said(world, 'api', 'A notice of an earlier turn', { session_id: 1 });
      await said(world, 'api', 'It is done.', { reply_to: id });
    });
    expect(await say(world, 'project', 'send', 'api', 'How far are you?', '--wait')).toBe('It is done.\n');
    const out = projectMessages(world.store.state, 'api').filter(({ direction }) => direction === 'out');
    expect(out.map(({ read_at }) => read_at === null)).toEqual([true, true]);
    await say(world, 'project', 'send', 'api', 'Again?', '--wait', '--json');
    expect(json(world)).toMatchObject({ replies: [{ text: 'It is done.' }] });
  });

  test('stays after the reply until the turn has ended, and prints what is said meanwhile', async () => {
    const world = await withProjects();
    taking(world, (id) => said(world, 'api', 'I file it.', { reply_to: id }), true);
    world.clear();
    const sending = world.run('project', 'send', 'api', 'File it.', '--wait');
    await world.until(() => world.out === 'I file it.\n');
    await said(world, 'api', 'Filed.', { session_id: 1 });
    world.endTurn('api');
    expect(await sending).toBe(0);
    expect(world.out).toBe('I file it.\nFiled.\n');
  });

  test('exits with 1 if the turn ends without a reply', async () => {
    const world = await withProjects();
    taking(world, (id) => said(world, 'api', 'It ended its turn without a reply.', { sender: 'engine', reply_to: id }));
    world.clear();
    expect(await world.run('project', 'send', 'api', 'How far are you?', '--wait')).toBe(1);
    expect(world.out).toBe('It ended its turn without a reply.\n');
  });
});
