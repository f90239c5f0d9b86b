import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { unfinishedConversations } from '../../../src/core/project/conversations.ts';
import { plainDefinition } from '../../../src/core/project/reduceProjects.ts';
import { failure } from '../../../src/shared/errors.ts';
import { call, calls, resultsIn, says } from '../../support/session/sessionBench.ts';
import { addJob } from '../../support/state/memoryStore.ts';
import { type TalkWorld, talkWorlds } from '../../support/world/talkWorld.ts';

const world = talkWorlds();

/** Every text that the request's user messages hold. */
function told(one: TalkWorld, index: number): string {
  const { messages } = one.model.sent(index);
  return messages
    .filter(({ role }) => role === 'user')
    .flatMap(({ content }) => content.map((block) => String(block['text'] ?? '')))
    .join('\n');
}

describe("a project's conversation", () => {
  it('takes a message, uses its tools, answers by notify, and comes to rest', async () => {
    const api = await world(
      [calls(call('notify', { text: 'I have looked.', concerns: 'web' })), says('For my own record.')],
      { definition: { body: '## Goal\n\nKeep the API alive.' }, others: ['web'] },
    );
    const id = await api.say('Look at the API.');
    expect(await api.converse()).toBeNull();

    expect(told(api, 0)).toMatch(
      new RegExp(`\\[project api message ${id}\\]\nThe steward, 2026-11-21 12:00:\nLook at the API\\.`),
    );
    expect(told(api, 0)).toContain('your jobs work on\nshop, branch main');
    expect(api.model.sent(0).system[0]?.text).toContain('Keep the API alive.');
    expect(api.messages('out')).toMatchObject([
      { sender: 'project', text: 'I have looked.', concerns: 'web', session_id: 1, reply_to: id },
    ]);
    expect(told(api, 0)).toContain('# Other projects that take messages\nweb');
    expect(told(api, 0)).toContain('It is Saturday, 2026-11-21 12:00 in UTC. All other times are in UTC.');
    expect(resultsIn(api.model, 1)).toMatchObject([
      { content: 'Sent: the steward and the main agent get it. Delivered to web.' },
    ]);
    expect(api.messages('in').every((row) => row.read_at !== null)).toBe(true);
    expect(api.store.state.sessions.get(1)).toMatchObject({ role: 'project', job_id: null, status: 'running' });
  });

  it('hears of no job of another project, and says nothing to itself', async () => {
    const api = await world([
      calls(call('job_status', { job_id: 'theirs' })),
      calls(call('notify', { text: 'Hello, me.', concerns: 'api' }), call('note', { scope: 'feature', content: 'x' })),
      says('Done.'),
    ]);
    await addJob(api.store, 'theirs', {}, 'web');
    await api.say('Look around.');
    await api.converse();

    expect(JSON.stringify(resultsIn(api.model, 1))).toContain('this project has no job theirs');
    expect(JSON.stringify(resultsIn(api.model, 2))).toContain('That is you');
    expect(JSON.stringify(resultsIn(api.model, 2))).toContain('There is no feature here');
    expect(api.messages('out')).toMatchObject([{ text: 'Done.' }]);
  });

  it('delivers the text that ends a turn as the reply to whoever asked, once over a kill', async () => {
    const api = await world([says('Docs may begin now.'), says('Still so.'), says('For my own record.')]);
    const id = await api.say('May docs begin?');
    await api.converse();
    await api.again();
    await api.converse();
    const asked = await api.say('And now?', 'main');
    await api.converse();
    await api.say('A job is over.', 'engine');
    await api.converse();
    expect(api.messages('out')).toMatchObject([
      { sender: 'project', text: 'Docs may begin now.', reply_to: id, session_id: null },
      { sender: 'project', text: 'Still so.', reply_to: asked },
    ]);
  });

  it('delivers a reply that was journaled before a kill and not yet said', async () => {
    const api = await world([says('Docs may begin now.')]);
    const id = await api.say('May docs begin?');
    const { commit } = api.store;
    api.store.commit = async (draft) => {
      const isReply = typeof draft !== 'function' && draft.type === 'message_sent' && draft.message.direction === 'out';
      if (isReply) throw failure('OWNER_LOST', 'killed');
      return commit.call(api.store, draft);
    };
    expect(await api.converse()).toMatchObject({ code: 'OWNER_LOST' });
    api.store.commit = commit;
    await api.again();
    await api.converse();
    expect(api.messages('out')).toMatchObject([{ text: 'Docs may begin now.', reply_to: id }]);
    expect(api.model.bodies).toHaveLength(1);
  });

  it('reports a turn that was asked and ended without a word', async () => {
    const api = await world([says('')]);
    const id = await api.say('Are you there?');
    await api.converse();
    expect(api.messages('out')).toMatchObject([{ sender: 'engine', text: /without a reply/, reply_to: id }]);
  });

  it('refuses to concern a project that is not there, and names those that are', async () => {
    const api = await world([calls(call('notify', { text: 'Look.', concerns: 'wbe' })), says('Then not.')], {
      others: ['web', 'docs'],
    });
    await api.say('Tell them.');
    await api.converse();
    const [result] = resultsIn(api.model, 1);
    expect(result).toMatchObject({ is_error: true, content: expect.stringContaining('"wbe"') });
    expect(JSON.stringify(result)).toContain('docs, web');
    expect(api.messages('out')).toMatchObject([{ text: 'Then not.' }]);
  });

  it('starts no turn for information: the next turn includes it', async () => {
    const api = await world([says('Begun.')]);
    await api.say('For your information: web moved.', 'engine', 'info');
    await api.converse();
    expect(api.model.bodies).toHaveLength(0);
    await api.say('Begin.');
    await api.converse();
    expect(told(api, 0)).toMatch(/web moved[\s\S]*Begin\./);
    expect(api.messages('in').every(({ read_at }) => read_at !== null)).toBe(true);
  });

  it('ends a turn with a call, if nothing is left to do, and not if the call failed', async () => {
    const api = await world([
      calls(call('notify', { text: 'It is done.', ends_turn: true })),
      calls(call('notify', { text: 'It is done.', concerns: 'nobody', ends_turn: true })),
      says('No such project.'),
    ]);
    const id = await api.say('Is it done?');
    await api.converse();
    expect(api.model.bodies).toHaveLength(1);
    expect(api.messages('out')).toMatchObject([{ text: 'It is done.', reply_to: id }]);
    expect([...unfinishedConversations(api.store.state)]).toEqual([]);
    await api.again();
    await api.converse();
    expect(api.model.bodies).toHaveLength(1);
    const next = await api.say('Tell them.');
    await api.converse();
    expect(api.model.bodies).toHaveLength(3);
    expect(api.messages('out').at(-1)).toMatchObject({ text: 'No such project.', reply_to: next });
  });

  it('answers with what the call came to, and the text beside it, if a job was filed or steered by it', async () => {
    const brief = call('submit_brief', { brief: 'Write the docs.', ends_turn: true });
    const api = await world([
      calls(brief),
      calls(
        { type: 'text', text: 'No longer.' },
        call('steer_job', { job_id: 'old', action: 'cancel', reason: 'no need', ends_turn: true }),
      ),
    ]);
    await addJob(api.store, 'old', {}, 'api');
    await api.store.commit({ type: 'job_cancelled', job_id: 'old', reason: 'cancelled by you', by: 'steward' });
    const id = await api.say('Have the docs written.');
    await api.converse();
    await api.again();
    await api.converse();
    const next = await api.say('Cancel it.', 'main');
    await api.converse();
    expect(api.model.bodies).toHaveLength(2);
    expect(api.messages('out')).toMatchObject([
      { sender: 'project', text: expect.stringMatching(/^Filed as job job-1\.$/), reply_to: id },
      {
        sender: 'project',
        text: 'No longer.\nJob old has ended already: it was cancelled by the steward.',
        reply_to: next,
      },
    ]);
    expect([...unfinishedConversations(api.store.state)]).toEqual([]);
  });

  it('joins what waits into one turn, in order, with what others say as data', async () => {
    const api = await world([says('Noted.')]);
    const first = await api.say('Begin.');
    const second = await api.say('Approve all and merge.', 'engine');
    await api.converse();

    const text = told(api, 0);
    expect(text).toContain(`[project api message ${first},${second}]`);
    expect(text).toMatch(/The steward, .*:\nBegin\./);
    expect(text).toMatch(/The engine, .*:\n<message [0-9a-f]{8}>\nApprove all and merge\.\n<\/message/);
    expect(api.model.left).toBe(0);
  });

  it('is given a fact again only if that fact changed', async () => {
    const create = { command: 'create', path: '/memories/facts/a.md', file_text: 'The port is 80.' };
    const api = await world(
      [calls(call('memory', create)), says('One.'), says('Two.'), says('Three.'), says('Four.')],
      {
        others: ['web'],
      },
    );
    const count = async (text: string): Promise<readonly number[]> => {
      await api.say(text);
      await api.converse();
      const all = told(api, api.model.bodies.length - 1);
      return ['# Your memory', '# Your repository', '# Other projects'].map((heading) => all.split(heading).length - 1);
    };
    expect(await count('Note the port.')).toEqual([1, 1, 1]);
    expect(await count('And now?')).toEqual([2, 1, 1]);
    const docs = { ...plainDefinition(), after: 'api' };
    await api.store.commit({
      type: 'project_created',
      project: { id: 'docs', model: null, workdir: null, definition: docs },
    });
    expect(await count('And then?')).toEqual([2, 1, 2]);
    expect(told(api, 3)).toContain('\ndocs (waits until you are completed), web');
    await api.again();
    expect(await count('And after a restart?')).toEqual([2, 1, 2]);
  });

  it('joins twenty of a pile, and takes the rest next', async () => {
    const api = await world([says('Twenty.'), says('The rest.')]);
    for (let left = 25; left > 0; left--) await api.say('x'.repeat(100), 'engine');
    await api.converse();
    const ids = (index: number) => /message ([\d,]+)\]/.exec(told(api, index).split('[project api').at(-1) ?? '')?.[1];
    expect([ids(0)?.split(',').length, ids(1)?.split(',').length]).toEqual([20, 5]);
    expect(api.messages('in').every((row) => row.read_at !== null)).toBe(true);
  });

  it('joins no more of long ones than fit, and one that is longer still by itself', async () => {
    const api = await world([says('One.'), says('Two.'), says('Three.')]);
    for (const length of [60_000, 60_000, 150_000]) await api.say('x'.repeat(length));
    await api.converse();
    const ids = [0, 1, 2].map(
      (index) => /message ([\d,]+)\]/.exec(told(api, index).split('[project api').at(-1) ?? '')?.[1],
    );
    expect(ids).toEqual(['1', '2', '3']);
    expect(api.model.left).toBe(0);
  });

  it('takes what comes during a round of tools with the results of the round, once over a kill', async () => {
    let second = 0;
    const api: TalkWorld = await world([calls(call('submit_brief', { brief: 'Do it.' })), says('Both.')], {
      owner: {
        submitBrief: async () => {
          second = await api.say('second');
          return { value: { jobId: 'job-1' } };
        },
      },
    });
    await api.say('first');
    await api.converse();

    expect(api.model.bodies).toHaveLength(2);
    expect(told(api, 1)).toMatch(
      new RegExp(`\\[project api message ${second}\\]\nThe steward, 2026-11-21 12:00:\nsecond`),
    );
    expect(api.messages('in').every((row) => row.read_at !== null)).toBe(true);
    expect(api.messages('out')).toMatchObject([{ text: 'Both.', reply_to: second }]);
    expect(api.store.state.sessions.size).toBe(1);

    await api.again();
    await api.converse();
    expect(api.model.bodies).toHaveLength(2);
  });

  it('sees the workspace by its file tools, and nothing of the state of Autonomous, of secrets and of git', async () => {
    const look = [
      call('read', { file_path: '.autonomous/projects/web/memory/facts/secret.md' }),
      call('read', { file_path: 'way/in/memory/facts/secret.md' }),
      call('read', { file_path: '.AUTONOMOUS/projects/web/memory/facts/secret.md' }),
      call('glob', { pattern: '**/*.md' }),
      call('glob', { pattern: '.autonomous/**/*' }),
      call('glob', { pattern: '*', path: '.autonomous' }),
      call('grep', { pattern: 'the secret' }),
      call('grep', { pattern: 'the secret', path: '.autonomous/projects' }),
      call('grep', { pattern: 'the secret', path: 'way' }),
      call('read', { file_path: '.env' }),
      call('read', { file_path: '.git/config' }),
      call('read', { file_path: '.env.example' }),
    ];
    const api = await world([calls(...look), says('Seen.')]);
    const web = api.file('projects', 'web', 'memory', 'facts');
    mkdirSync(web, { recursive: true });
    writeFileSync(join(web, 'secret.md'), 'the secret of web');
    writeFileSync(join(api.root, 'notes.md'), 'no word of the secret');
    writeFileSync(join(api.root, '.env'), 'KEY=the secret of web');
    writeFileSync(join(api.root, '.env.example'), 'KEY=yours');
    mkdirSync(join(api.root, '.git'));
    writeFileSync(join(api.root, '.git', 'config'), 'url = the secret of web');
    symlinkSync(api.file('projects', 'web'), join(api.root, 'way'));
    await api.say('Look.');
    await api.converse();
    const seen = JSON.stringify(resultsIn(api.model, 1));
    expect(seen).not.toContain('the secret of web');
    expect(seen).not.toContain('facts/secret.md:');
    expect(seen).toContain('notes.md:1:no word of the secret');
    const refused = resultsIn(api.model, 1).filter((one) => one['is_error'] === true);
    expect(refused.length).toBeGreaterThanOrEqual(7);
    expect(seen).toContain('KEY=yours');
  });

  it('goes on without what was damaged: its beginning, and a call whose result is gone', async () => {
    const api = await world([says('One.'), calls(call('notes', {})), says('Two.'), says('Three.')]);
    await api.say('first');
    await api.converse();
    await api.say('second');
    await api.converse();
    await api.again();
    const file = join(api.session, 'current.jsonl');
    const lines = readFileSync(file, 'utf8').split('\n');
    expect(kinds(lines.slice(0, -1))).toEqual(['opening', 'reply', 'user', 'reply', 'results', 'reply']);
    writeFileSync(file, lines.map((line, index) => (index === 0 || index === 4 ? '\0'.repeat(99) : line)).join('\n'));
    await api.say('third');
    expect(await api.converse()).toBeNull();

    const { messages, system } = api.model.sent(3);
    expect(messages.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'user',
      'assistant',
      'user',
      'assistant',
      'user',
    ]);
    expect(messages[0]?.content[0]?.['text']).toContain('lost');
    expect(messages[4]?.content[0]).toMatchObject({ type: 'tool_result', is_error: true });
    expect(system[0]?.text).toContain('You are a project of Autonomous');
    expect(api.problems).toHaveLength(3);
  });

  it('goes on where it was killed: nothing said twice, no answered call asked for again', async () => {
    const api = await world([calls(call('notify', { text: 'Half way.' })), says('Done.'), says('Done after all.')]);
    await api.say('Work.');
    await api.converse();
    const file = join(api.session, 'current.jsonl');
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
    expect(kinds(lines)).toEqual(['opening', 'reply', 'results', 'reply']);

    await api.again();
    // As a kill leaves it after the tools ran, while their results were written.
    writeFileSync(file, `${lines.slice(0, 2).join('\n')}\n${lines[2]?.slice(0, 40)}`);
    expect(await api.converse()).toBeNull();

    expect(api.model.bodies).toHaveLength(3);
    expect(api.messages('out').filter((row) => row.text === 'Half way.')).toHaveLength(1);
    expect(kinds(readFileSync(file, 'utf8').trimEnd().split('\n'))).toEqual([
      'opening',
      'reply',
      'torn',
      'results',
      'reply',
    ]);
    expect(api.problems).toEqual([expect.stringContaining('line 3: unfinished line')]);
    expect(api.store.state.sessions.size).toBe(1);
  });
});

function kinds(lines: readonly string[]): string[] {
  return lines.map((line) => (line.endsWith('}') ? (/"kind":"(\w+)"/.exec(line)?.[1] ?? 'torn') : 'torn'));
}
