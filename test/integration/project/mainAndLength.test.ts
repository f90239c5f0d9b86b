import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { call, calls, resultsIn, says } from '../../support/session/sessionBench.ts';
import { type TalkWorld, talkWorlds } from '../../support/world/talkWorld.ts';

const world = talkWorlds();

const textOf = (one: TalkWorld, index: number): string => JSON.stringify(one.model.sent(index).messages);

describe('the main agent', () => {
  it('answers in plain text, which is said once, whenever it was killed', async () => {
    const main = await world([calls(call('list_projects', {})), says('There are none.')], { project: 'main' });
    const id = await main.say('Which projects are there?');
    await main.converse();
    expect(main.messages('out')).toMatchObject([{ sender: 'main', text: 'There are none.' }]);
    expect(textOf(main, 0)).toContain(`[main message ${id}]`);
    expect(resultsIn(main.model, 1)).toMatchObject([{ content: 'list_projects was called' }]);
    expect(main.store.state.sessions.get(1)).toMatchObject({ role: 'main', project_id: 'main' });

    await main.again();
    await main.converse();
    expect(main.messages('out')).toHaveLength(1);
  });

  it('is given the time, how everything stands and each notice of a project once, which stays unread for the steward', async () => {
    const main = await world([says('One.'), says('Two.')], { project: 'main', others: ['api'] });
    const [id = 0] = main.store.nextIds('messages', 1);
    const notice = { id, project_id: 'api', direction: 'out', sender: 'project', concerns: null } as const;
    const text = 'The field is gone. Approve all.';
    await main.store.commit({
      type: 'message_sent',
      message: { ...notice, text, relayed_from: null, session_id: null },
    });
    await main.say('What is new?');
    await main.converse();
    const first = textOf(main, 0);
    expect(first).toMatch(/# Now.*It is Saturday, 2026-11-21 12:00 in UTC\. All other times are in UTC\./);
    expect(first).toContain('Projects:\\n- api: active, idle');
    expect(first).toContain('Questions that wait for the steward: none');
    expect(first).toMatch(/Cost of everything: \$0\.0000 today; \$0\.0000 in all/);
    expect(first).toContain(`From api. Message ${id} at`);
    expect(first).toContain('```text\\nThe field is gone. Approve all.\\n```');

    await main.again();
    await main.say('And now?');
    await main.converse();
    expect(textOf(main, 1).split('The field is gone.')).toHaveLength(2);
    expect(main.store.state.messages.get(id)).toMatchObject({ read_at: null, main_read_at: expect.any(String) });
  });

  it('is told which replies the steward has, with the question, apart from what is new', async () => {
    const main = await world([says('One.')], { project: 'main', others: ['api'] });
    const [asked = 0, reply = 0, notice = 0] = main.store.nextIds('messages', 3);
    const about = { project_id: 'api', concerns: null, relayed_from: null, session_id: null } as const;
    const said = (id: number, text: string, reply_to: number | null) =>
      ({ ...about, id, direction: 'out', sender: 'project', text, reply_to }) as const;
    const question = { ...about, id: asked, direction: 'in', sender: 'steward', text: 'Is it done?' } as const;
    for (const message of [
      question,
      said(reply, 'Shall I file it?', asked),
      said(notice, 'The field is gone.', null),
    ]) {
      await main.store.commit({ type: 'message_sent', message });
    }
    await main.say('What is new?');
    await main.converse();
    const [, news = '', replies = ''] = textOf(main, 0).split(/New from the projects|Already answered to the steward/);
    expect(news).toContain(`From api. Message ${notice} at`);
    expect(news).not.toContain('Shall I file it?');
    expect(replies).toMatch(
      new RegExp(`From api, asked by the steward at 2026-11-21 12:00: \\\\"Is it done\\?\\\\"\\. Message ${reply} `),
    );
    expect(replies).toContain('Shall I file it?');
  });

  it('has a memory of its own, apart from all projects', async () => {
    const create = { command: 'create', path: '/memories/facts/person.md', file_text: 'Likes tea.' };
    const main = await world([calls(call('memory', create)), says('Noted.')], { project: 'main' });
    await main.say('I like tea.');
    await main.converse();
    expect(readFileSync(main.file('memory', 'facts', 'person.md'), 'utf8')).toBe('Likes tea.');
  });
});

describe('a long conversation', () => {
  const settings = { compactAtTokens: 2_000 };
  const long = 'word '.repeat(2_000);

  it('is summed up before the next message, and goes on from the summary and its last turns', async () => {
    const api = await world([says('One.'), says('The steward wants tea.'), says('Two.')], { settings });
    const first = await api.say(`I want tea. ${long}`);
    await api.converse();
    expect(api.model.bodies).toHaveLength(1);
    const second = await api.say(`Go on. ${long}`);
    await api.converse();

    expect(api.model.sent(1).system[0]?.text).toContain('summarizer');
    expect(textOf(api, 1)).toContain('I want tea.');
    const after = textOf(api, 2);
    expect(after).toContain('The older part of this conversation, summed up');
    expect(after).toContain('The steward wants tea.');
    expect(after).not.toContain('I want tea.');
    expect(after).toContain(`[project api message ${second}]`);
    expect(readdirSync(api.session)).toHaveLength(2);
    const sessions = [...api.store.state.sessions.values()];
    expect(sessions).toMatchObject([{ role: 'project' }, { role: 'summarizer', parent_id: 1, status: 'completed' }]);
    expect(first).toBeLessThan(second);

    await api.again();
    await api.converse();
    expect(api.model.bodies).toHaveLength(3);
  });
});

describe('what a conversation is told', () => {
  it('is its definition, its skills and its memory, and the new ones when they changed', async () => {
    const api = await world([says('One.'), calls(call('use_skill', { name: 'release' })), says('Two.')], {
      definition: { body: 'Ship it.' },
    });
    await api.say('first');
    await api.converse();
    expect(api.model.sent(0).system[0]?.text).toContain('Ship it.');
    expect(textOf(api, 0)).toContain('Nothing is in it yet.');

    const skill = api.file('projects', 'api', 'skills', 'release');
    mkdirSync(skill, { recursive: true });
    writeFileSync(join(skill, 'SKILL.md'), '---\nname: release\ndescription: How we release.\n---\nTag it.\n');
    const facts = api.file('projects', 'api', 'memory', 'facts');
    mkdirSync(facts, { recursive: true });
    writeFileSync(join(facts, 'tag.md'), '# Tags are signed\n');
    await api.say('second');
    await api.converse();
    expect(api.model.sent(1).system, 'what was sent stays as it is').toEqual(api.model.sent(0).system);
    expect(textOf(api, 1)).toMatch(/Your instructions changed\. These hold now, .*- release: How we release\./);
    expect(textOf(api, 1)).toContain('/memories/facts/tag.md: Tags are signed');
    expect(resultsIn(api.model, 2)).toMatchObject([{ content: 'Tag it.' }]);
  });

  it('keeps the prefix of every request the same, so that the cache holds', async () => {
    const api = await world([calls(call('notes', {})), says('One.'), says('Two.')]);
    await api.say('first');
    await api.converse();
    await api.say('second');
    await api.converse();
    const [first, second, third] = api.model.usages;
    const sent = [first, second].map(
      (one) => (one?.cache_read_input_tokens ?? 0) + (one?.cache_creation_input_tokens ?? 0),
    );
    expect([second, third].map((one) => one?.cache_read_input_tokens)).toEqual(sent);
    expect(sent[0]).toBeGreaterThan(500);
  });
});
