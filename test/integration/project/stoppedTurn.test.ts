/** A turn that a person stops: the call ends, its cost is booked, and the conversation stays one that a provider takes. */
import { expect, test } from 'vitest';
import { call, calls, says } from '../../support/session/sessionBench.ts';
import { EngineWorld } from '../../support/world/engineWorld.ts';
import { type TalkWorld, talkWorlds } from '../../support/world/talkWorld.ts';

const talk = talkWorlds();

const stop = (api: TalkWorld, upTo: number) =>
  api.store.commit({ type: 'turn_ended', project_id: 'api', up_to: upTo, by: 'steward' });

/** Ids of calls in a request, and ids of results, each in their order. */
function paired(api: TalkWorld, index: number): { readonly uses: unknown[]; readonly results: unknown[] } {
  const blocks = api.model.sent(index).messages.flatMap(({ content }) => content);
  return {
    uses: blocks.filter(({ type }) => type === 'tool_use').map(({ id }) => id),
    results: blocks.filter(({ type }) => type === 'tool_result').map(({ tool_use_id }) => tool_use_id),
  };
}

test('between a call of a tool and its result: nothing more is asked, and the next turn is told', async () => {
  let asked = 0;
  const api = await talk([calls(call('submit_brief', { brief: 'Change it.' })), says('What else?'), says('Fine.')], {
    owner: {
      submitBrief: async () => {
        await stop(api, asked);
        return { value: { jobId: 'job-1' } };
      },
    },
  });
  asked = await api.say('Have it changed.');
  await api.converse();
  expect(api.model.bodies).toHaveLength(1);
  expect(api.messages('out')).toMatchObject([{ sender: 'engine', text: 'The turn was stopped.', reply_to: asked }]);

  // A process that died since begins nothing of it again.
  await api.again();
  await api.converse();
  expect(api.model.bodies).toHaveLength(1);
  const next = await api.say('Something else.');
  await api.converse();
  const { uses, results } = paired(api, 1);
  expect(uses).toHaveLength(1);
  expect(results).toEqual(uses);
  const text = JSON.stringify(api.model.sent(1).messages);
  expect(text).toContain('Your last turn was stopped by a person');
  expect(api.messages('out').at(-1)).toMatchObject({ text: 'What else?', reply_to: next });
  await api.say('Good.');
  await api.converse();
  expect(JSON.stringify(api.model.sent(2).messages).split('Your last turn was stopped')).toHaveLength(2);
});

test('a kill between the stop and the journal, and a turn that had not begun', async () => {
  const api = await talk([calls(call('job_status', {})), says('Both are read.')]);
  const first = await api.say('Look at the jobs.');
  await stop(api, first);
  await api.converse();
  expect(api.model.bodies).toHaveLength(0);
  expect(api.messages('out')).toMatchObject([{ text: 'The turn was stopped.', reply_to: first }]);
  await api.say('And now look.');
  api.begin();
  await api.until(() => api.model.bodies.length === 1);
  await api.again();
  await stop(api, api.messages('in').at(-1)?.id ?? 0);
  await api.converse();
  await api.say('Well?');
  await api.converse();
  const text = JSON.stringify(api.model.sent(-1).messages);
  expect(text).toMatch(/Look at the jobs[\s\S]*And now look[\s\S]*Well\?/);
  expect(paired(api, -1).results).toEqual(paired(api, -1).uses);
  expect(api.messages('out').map((row) => row.text)).toEqual([
    'The turn was stopped.',
    'The turn was stopped.',
    'Both are read.',
  ]);
});

test('while the model answers, in a real thread: the call is cut off and booked, and the next message is answered', async () => {
  let isSilent = true;
  await using world = await EngineWorld.open({
    faults: ({ path }) => (isSilent && !path.includes('count_tokens') ? { kind: 'stall', afterEvents: 1 } : null),
  });
  const { owner } = world;
  await owner.request('createProject', { name: 'api', body: 'Talk.' });
  expect(await owner.request('stopTurn', { project: 'api' })).toEqual({ stopped: false });
  await owner.request('sendMessage', { project: 'api', text: 'How far are you?' });
  await world.until('a call is in flight', () => world.requests.length > 0);
  expect(world.requests[0]?.body).toMatch(/your jobs work on\\nrepo, branch (main|master)/);
  expect(await owner.request('stopTurn', { project: 'api' })).toEqual({ stopped: true });
  const out = () => [...world.state.messages.values()].filter(({ direction }) => direction === 'out');
  await world.until('the stop is reported', () => out().length === 1);
  await world.until('the call is booked', () =>
    [...world.state.spends.values()].every((row) => row.status !== 'reserved'),
  );
  expect([...world.state.spends.values()]).toMatchObject([{ status: 'unsettled', job_id: null }]);
  expect(await owner.request('stopTurn', { project: 'api' })).toEqual({ stopped: false });
  isSilent = false;
  const { messageId } = await owner.request('sendMessage', { project: 'api', text: 'And now?' });
  await world.until('it is answered', () => out().some(({ reply_to }) => reply_to === messageId));
  expect(out().at(-1)).toMatchObject({ sender: 'project' });
});
