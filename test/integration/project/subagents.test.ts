import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { failure } from '../../../src/shared/errors.ts';
import { call, calls, resultsIn, says } from '../../support/session/sessionBench.ts';
import { type TalkWorld, talkWorlds } from '../../support/world/talkWorld.ts';

const world = talkWorlds();

const sessions = (one: TalkWorld) => [...one.store.state.sessions.values()];
const spawn = (task: string) => calls(call('spawn_subagent', { task }));
const tools = (one: TalkWorld, index: number) =>
  (one.model.sent(index).tools as { name: string }[] | undefined)?.map(({ name }) => name);

describe('a subagent', () => {
  it('is a session of its own whose last text is the answer', async () => {
    const api = await world([
      spawn('Find the port.'),
      calls(call('read', { file_path: 'port.txt' })),
      says('The port is 8080.'),
      says('Noted.'),
    ]);
    writeFileSync(join(api.root, 'port.txt'), '8080');
    await api.say('Which port?');
    await api.converse();

    expect(sessions(api)).toMatchObject([
      { id: 1, role: 'project', status: 'running' },
      { id: 2, role: 'subagent', parent_id: 1, project_id: 'api', job_id: null, status: 'completed', turns: 2 },
    ]);
    expect(api.model.sent(1).messages[0]?.content[0]?.['text']).toMatch(
      /^\[task for a subagent from session 1 of project api\]\nFind the port\.\n/,
    );
    expect(tools(api, 1)).toEqual(['read', 'glob', 'grep', 'notes', 'spawn_subagent']);
    expect(resultsIn(api.model, 3)).toMatchObject([{ content: 'The port is 8080.' }]);
  });

  it('may ask one more, and that one none', async () => {
    const api = await world([
      spawn('outer'),
      spawn('inner'),
      spawn('innermost'),
      says('I did it myself.'),
      says('inner did it'),
      says('outer heard it'),
    ]);
    await api.say('Go.');
    await api.converse();
    expect(sessions(api).map(({ role, parent_id }) => [role, parent_id])).toEqual([
      ['project', null],
      ['subagent', 1],
      ['subagent', 2],
    ]);
    expect(resultsIn(api.model, 3)).toMatchObject([
      { is_error: true, content: expect.stringContaining('at most 2 deep') },
    ]);
    expect(api.model.left).toBe(0);
  });

  it('that was interrupted is found again by its call, with what it was answered', async () => {
    const limit = failure('LIMIT_REACHED', 'the limit is reached', { details: { limit: 'project_total', raiseTo: 9 } });
    const api = await world([spawn('Look.'), calls(call('glob', { pattern: '*' })), says('Found.'), says('Noted.')], {
      refusals: [null, null, limit],
    });
    await api.say('Go.');
    expect(await api.converse()).toBeNull();
    expect([...api.store.state.approvals.values()]).toMatchObject([{ kind: 'limit', status: 'pending' }]);
    expect(sessions(api)).toMatchObject([{ status: 'running' }, { role: 'subagent', status: 'running' }]);

    await api.again();
    const by = 'steward';
    await api.store.commit({
      type: 'approval_decided',
      id: 1,
      decision: 'approved',
      choice: 'raise',
      feedback: null,
      by,
    });
    expect(await api.converse()).toBeNull();
    expect(sessions(api)).toHaveLength(2);
    expect(sessions(api)[1]).toMatchObject({ status: 'completed', turns: 2 });
    expect(resultsIn(api.model, -1)).toMatchObject([{ content: 'Found.' }]);
    expect(api.model.left).toBe(0);
  });

  it('that was interrupted is found again behind the many that it spawned itself', async () => {
    const limit = failure('LIMIT_REACHED', 'the limit is reached', { details: { limit: 'project_total', raiseTo: 9 } });
    const many = Array.from({ length: 14 }, (_, index) => call('spawn_subagent', { task: `Part ${index}.` }));
    const answers = many.map((_, index) => says(`Part ${index} is done.`));
    const api = await world([spawn('All.'), calls(...many), ...answers, says('All is done.'), says('Noted.')], {
      refusals: [...Array.from({ length: 16 }, () => null), limit],
    });
    await api.say('Go.');
    expect(await api.converse()).toBeNull();
    await api.again();
    const [by, choice] = ['steward', 'raise'] as const;
    await api.store.commit({ type: 'approval_decided', id: 1, decision: 'approved', choice, feedback: null, by });
    expect(await api.converse()).toBeNull();
    expect(sessions(api)).toHaveLength(16);
    expect(resultsIn(api.model, -1)).toMatchObject([{ content: 'All is done.' }]);
    expect(api.model.left).toBe(0);
  });

  it('is none any more in a turn whose subagents used up what a turn may; the next turn has its own', async () => {
    const api = await world([
      spawn('A.'),
      says('A is done.'),
      spawn('B.'),
      says('Noted.'),
      spawn('C.'),
      says('C is done.'),
      says('Fine.'),
    ]);
    api.store.subscribe(({ type }) => {
      const [, first] = sessions(api);
      if (type !== 'session_started' || first === undefined || api.store.state.spends.size > 0) return;
      const call = { id: 1, session_id: first.id, provider: 'simulated', model: 'm', price_version: '1' } as const;
      const usage = { input: 6_000_000, output: 0, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0 };
      void api.store.commit({ type: 'call_reserved', ...call, day: '2026-11-21', micro_usd: 0 });
      void api.store.commit({ type: 'call_settled', id: 1, usage, micro_usd: 0, tool_calls: 0 });
    });
    await api.say('Go.');
    await api.converse();
    expect(resultsIn(api.model, 3)).toMatchObject([{ is_error: true, content: expect.stringContaining('tokens') }]);
    api.clock.advance(1_000);
    await api.say('Again.');
    await api.converse();
    expect(resultsIn(api.model, -1)).toMatchObject([{ content: 'C is done.' }]);
    expect(api.model.left).toBe(0);
  });

  it('that has answered is not asked again, when its project was suspended before the answer was kept', async () => {
    const api = await world([spawn('Look.'), says('Found.'), says('Noted.'), says('Noted again.')]);
    await api.say('Go.');
    await api.converse();
    await api.again();
    const file = join(api.session, 'current.jsonl');
    writeFileSync(file, readFileSync(file, 'utf8').split('\n').slice(0, 2).join('\n'));
    const [project_id, by, reason] = ['api', 'steward', 'later'] as const;
    await api.store.commit({ type: 'project_suspended', project_id, reason, by });
    await api.store.commit({ type: 'project_resumed', project_id, by });
    expect(await api.converse()).toBeNull();
    expect(sessions(api).map(({ role, status }) => [role, status])).toEqual([
      ['project', 'completed'],
      ['subagent', 'completed'],
      ['project', 'running'],
    ]);
    expect(resultsIn(api.model, 3)).toMatchObject([{ content: 'Found.' }]);
  });

  it('that comes to no answer is an error result, and its session has failed', async () => {
    const api = await world([spawn('Look.'), says('', 'refusal'), says('A pity.')]);
    await api.say('Go.');
    await api.converse();
    expect(sessions(api)[1]).toMatchObject({ status: 'failed', error_message: expect.stringContaining('refusal') });
    expect(resultsIn(api.model, 2)).toMatchObject([{ is_error: true }]);
  });
});
