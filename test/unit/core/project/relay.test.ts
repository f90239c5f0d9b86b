/** How what one project says reaches another: by rules, by the steward's word, through a crash, and never in circles. */

import { afterEach, describe, expect, test } from 'vitest';
import { pendingApprovals } from '../../../../src/core/approval/stewardship.ts';
import { unfinishedConversations } from '../../../../src/core/project/conversations.ts';
import { plainDefinition } from '../../../../src/core/project/reduceProjects.ts';
import { deliveryText, hopsOf, type RelayMode } from '../../../../src/core/project/relay.ts';
import { unheardByMain } from '../../../../src/core/project/replies.ts';
import { need, projectMessages } from '../../../../src/core/state/rows.ts';
import { type Relay, startRelay } from '../../../../src/engine/project/relay.ts';
import { amount } from '../../../support/suite/proof.ts';
import { fc } from '../../../support/suite/property.ts';
import { type MainAgentWorld, mainAgentWorld } from '../../../support/world/mainAgentWorld.ts';

const open: Relay[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((relay) => relay.close()));
});

interface RelayWorld extends MainAgentWorld {
  relay: Relay;
  /** Another owner takes over. */
  restart(): Promise<void>;
  /** What was passed on to a project: whose words, and which. */
  heard(project: string): (readonly [string, string])[];
  answer(choice: string | null): Promise<void>;
}

async function relayWorld(mode: RelayMode = 'rules', ...names: string[]): Promise<RelayWorld> {
  const world = await mainAgentWorld();
  for (const name of names.length === 0 ? ['api', 'app', 'site'] : names) {
    await world.call('create_project', { name, goal: 'x' });
  }
  const failed = (thrown: unknown): void => {
    throw thrown;
  };
  const begin = (): Relay => {
    const relay = startRelay({ store: world.world.store, clock: world.world.clock, mode: () => mode, failed });
    open.push(relay);
    return relay;
  };
  const made: RelayWorld = {
    ...world,
    relay: begin(),
    async restart() {
      await made.relay.close();
      made.relay = begin();
      await made.relay.settled();
    },
    heard: (project) =>
      projectMessages(world.state, project)
        .filter((row) => row.relayed_from !== null)
        .map((row) => [need(world.state, 'messages', row.relayed_from ?? 0).project_id, row.text] as const),
    async answer(choice) {
      const [asked] = pendingApprovals(world.state);
      const given = choice === null ? { decision: 'rejected', feedback: 'no' } : { decision: 'approved', choice };
      await world.tools.request('decide', { approvalId: asked?.id ?? 0, ...given } as never);
      await made.relay.settled();
    },
    async say(project, text, concerns) {
      const id = await world.say(project, text, concerns);
      await made.relay.settled();
      return id;
    },
  };
  return made;
}

const asked = ({ state }: RelayWorld) =>
  pendingApprovals(state).map(({ detail, choices }) => [detail, choices] as const);

test('a message is passing until another project has it, and no longer while the steward is asked', async () => {
  const world = await relayWorld();
  const passing: (readonly string[])[] = [];
  const unsubscribe = world.world.store.subscribe(({ type }) => {
    if (type === 'message_sent' || type === 'approval_requested') passing.push(world.relay.passing);
  });
  await world.say('api', 'The field is gone', 'app');
  expect(passing).toEqual([['api'], ['api']]);
  expect(world.relay.passing).toEqual([]);
  await world.say('api', 'The field of app is gone', null);
  expect(world.relay.passing).toEqual([]);
  unsubscribe();
});

describe('a reply to the main agent', () => {
  async function replied(mode: RelayMode, concerns: string | null) {
    const world = await relayWorld(mode);
    await world.call('message_project', { project: 'api', text: 'How far are you?' });
    const question = projectMessages(world.state, 'api').find(({ sender }) => sender === 'main')?.id ?? 0;
    const { store } = world.world;
    await store.commit({
      type: 'project_created',
      project: { id: 'main', model: null, workdir: null, definition: plainDefinition() },
    });
    const [id = 0] = store.nextIds('messages', 1);
    const said = { project_id: 'api', direction: 'out', sender: 'project', relayed_from: null } as const;
    const message = { ...said, id, text: 'Half way.', concerns, session_id: null, reply_to: question };
    await store.commit({ type: 'message_sent', message });
    await world.relay.settled();
    return world;
  }

  test.each(['rules', 'off'] as const)('starts a turn of it, once over a restart, with %s', async (mode) => {
    const world = await replied(mode, null);
    await world.restart();
    expect(world.heard('main')).toEqual([['api', 'Half way.']]);
    expect(unheardByMain(world.state)).toEqual([]);
  });

  test('reaches the project that it concerns too', async () => {
    const world = await replied('rules', 'app');
    expect([world.heard('main'), world.heard('app')]).toEqual([[['api', 'Half way.']], [['api', 'Half way.']]]);
  });
});

describe('what a notice is told of its delivery', () => {
  const delivery = (world: RelayWorld, id: number, mode: RelayMode = 'rules') =>
    deliveryText(world.state, 'api', id, mode);

  test('names who got it, before and after it was passed on', async () => {
    const world = await relayWorld();
    await world.call('suspend_project', { name: 'site' });
    const app = await world.say('api', 'The field is gone', 'app');
    const site = await world.say('api', 'The page is gone', 'site');
    const nobody = await world.say('api', 'All is well', null);
    expect(delivery(world, app)).toBe('Sent: the steward and the main agent get it. Delivered to app.');
    expect(delivery(world, site)).toMatch(/Delivered to site, which reads it when it resumes\.$/);
    expect(delivery(world, nobody)).toBe('Sent: the steward and the main agent get it.');
    const again = await world.say('api', 'The field is gone', 'app');
    expect(delivery(world, again)).toMatch(/app was given the same text within a day/);
  });

  test('says that the steward is asked, or that nothing passes', async () => {
    const asks = await relayWorld('ask');
    expect(delivery(asks, await asks.say('api', 'Look', 'app'), 'ask')).toMatch(/The steward is asked/);
    const off = await relayWorld('off');
    expect(delivery(off, await off.say('api', 'Look', 'app'), 'off')).toMatch(/app does not get it/);
  });
});

describe('by rules', () => {
  test('what names an active or suspended project is passed on word for word, once', async () => {
    const world = await relayWorld();
    await world.call('suspend_project', { name: 'site' });
    await world.say('api', ' The field "name"\nis gone ', 'app');
    await world.say('api', 'Also here', 'site');
    await world.restart();
    expect(world.heard('app')).toEqual([['api', ' The field "name"\nis gone ']]);
    expect(world.heard('site')).toEqual([['api', 'Also here']]);
    expect(asked(world)).toEqual([]);
  });

  test('information starts no turn of the project that gets it', async () => {
    const world = await relayWorld();
    const { store } = world.world;
    const [id = 0] = store.nextIds('messages', 1);
    const said = { project_id: 'api', direction: 'out', sender: 'project', relayed_from: null } as const;
    const message = { ...said, id, text: 'Merged.', concerns: 'app', session_id: null, level: 'info' } as const;
    await store.commit({ type: 'message_sent', message });
    await world.relay.settled();
    expect(projectMessages(world.state, 'app').at(-1)).toMatchObject({ text: 'Merged.', level: 'info', read_at: null });
    expect(unfinishedConversations(world.state).has('app')).toBe(false);
    expect(deliveryText(world.state, 'api', id, 'rules')).toMatch(
      /Delivered to app, which reads it with its next turn\.$/,
    );
    await world.say('api', 'The field is gone', 'app');
    expect(unfinishedConversations(world.state).has('app')).toBe(true);
  });

  test('what concerns no other project stays where it is', async () => {
    const world = await relayWorld();
    await world.say('api', 'Done with the first part');
    await world.say('api', 'My own api is fine, by default', 'api');
    await world.say('api', 'For you', 'main');
    await world.say('api', 'The application is applied');
    expect(world.state.messages.size).toBe(4);
    expect(asked(world)).toEqual([]);
  });

  test('the steward is asked where it is not sure, and his word is carried out', async () => {
    const world = await relayWorld();
    await world.say('api', 'Whoever uses APP: look');
    expect(asked(world)).toEqual([['Whoever uses APP: look', ['app', 'nobody']]]);
    await world.answer('app');
    await world.answer('app').catch(() => undefined);
    expect(world.heard('app')).toEqual([['api', 'Whoever uses APP: look']]);
    await world.say('api', 'The mobile one breaks', 'mobile');
    expect(asked(world)).toEqual([['The mobile one breaks', ['nobody', 'app', 'site']]]);
    await world.answer(null);
    await world.say('api', 'site again');
    await world.answer('nobody');
    expect(world.heard('site')).toEqual([]);
  });

  test('a completed project is told nothing', async () => {
    const world = await relayWorld();
    await world.call('complete_project', { name: 'app' });
    await world.say('api', 'It is gone', 'app');
    expect(asked(world)).toEqual([['It is gone', ['site', 'nobody']]]);
    expect(projectMessages(world.state, 'app')).toEqual([]);
  });

  test('what a project found last is asked about still when that project is completed', async () => {
    const world = await relayWorld();
    await world.say('api', 'Whoever uses APP: look');
    await world.call('complete_project', { name: 'api' });
    expect(asked(world)).toEqual([['Whoever uses APP: look', ['app', 'nobody']]]);
    await world.answer('app');
    expect(world.heard('app')).toEqual([['api', 'Whoever uses APP: look']]);
  });

  test('a project that was made later is none that an earlier word concerns', async () => {
    const world = await relayWorld('rules', 'api', 'site');
    await world.relay.close();
    await world.say('api', 'The mobile one breaks', 'mobile');
    world.world.clock.advance(1_000);
    await world.call('create_project', { name: 'mobile', goal: 'x' });
    await world.restart();
    expect(world.heard('mobile')).toEqual([]);
    expect(asked(world)).toEqual([['The mobile one breaks', ['site', 'nobody']]]);
  });

  test('a project alone is asked about nothing', async () => {
    const world = await relayWorld('rules', 'api');
    await world.say('api', 'Somebody should know', 'app');
    expect(asked(world)).toEqual([]);
  });

  test('somebody who talks to the main agent has it asked first about what is not sure', async () => {
    const world = await relayWorld();
    await world.tools.request('sendMessage', { project: 'main', text: 'hello' });
    const id = await world.say('api', 'Does the app know?');
    await world.say('api', 'This is for the app', 'app');
    expect(world.heard('main')).toEqual([['api', 'Does the app know?']]);
    expect(world.heard('app')).toEqual([['api', 'This is for the app']]);
    await world.call('message_project', { project: 'app', relay: id });
    expect(world.heard('app').at(-1)).toEqual(['api', 'Does the app know?']);
    world.world.clock.advance(16 * 60_000);
    await world.say('api', 'And now, app?');
    expect(asked(world)).toEqual([['And now, app?', ['app', 'nobody']]]);
  });
});

describe('the other modes', () => {
  test('ask: the steward about each', async () => {
    const world = await relayWorld('ask');
    await world.say('api', 'For the app', 'app');
    expect(world.heard('app')).toEqual([]);
    expect(asked(world)).toEqual([['For the app', ['app', 'nobody']]]);
  });

  test('main: the main agent about each, the steward while there is none', async () => {
    const world = await relayWorld('main');
    await world.say('api', 'First', 'app');
    expect(asked(world)).toHaveLength(1);
    await world.tools.request('sendMessage', { project: 'main', text: 'hello' });
    world.world.clock.advance(60 * 60_000);
    await world.say('api', 'Second', 'app');
    expect(world.heard('main')).toEqual([['api', 'Second']]);
  });

  test('off: nothing passes', async () => {
    const world = await relayWorld('off');
    await world.say('api', 'First', 'app');
    expect([world.heard('app'), asked(world)]).toEqual([[], []]);
  });
});

describe('in circles', () => {
  test('the same words reach a project once a day', async () => {
    const world = await relayWorld();
    for (let times = 0; times < 3; times++) await world.say('api', 'Look', 'app');
    expect(world.heard('app')).toHaveLength(1);
    world.world.clock.advance(25 * 60 * 60_000);
    await world.say('api', 'Look', 'app');
    expect(world.heard('app')).toHaveLength(2);
  });

  test('an answer goes back, but not for ever', async () => {
    const world = await relayWorld();
    for (let turn = 0; turn < 4; turn++) {
      const [from, to] = turn % 2 === 0 ? (['api', 'app'] as const) : (['app', 'api'] as const);
      const id = await world.say(from, `turn ${turn}`, to);
      expect(hopsOf(world.state, need(world.state, 'messages', id))).toBe(turn);
    }
    expect(world.heard('app').length + world.heard('api').length).toBe(3);
    expect(asked(world).map(([text]) => text)).toEqual(['turn 3']);
    await world.answer('api');
    await world.say('api', 'turn 4', 'app');
    expect(asked(world).map(([text]) => text)).toEqual(['turn 4']);
    world.world.clock.advance(61 * 60_000);
    await world.say('api', 'much later', 'app');
    expect(world.heard('app').at(-1)).toEqual(['api', 'much later']);
  });

  test('much within an hour is asked about, and no more than a few questions at once', async () => {
    const world = await relayWorld();
    for (let count = 0; count < 20; count++) await world.say('api', `finding ${count}`, 'app');
    expect(world.heard('app')).toHaveLength(10);
    expect(asked(world)).toHaveLength(5);
    for (let count = 0; count < 10; count++) await world.answer('nobody');
    expect(asked(world)).toEqual([]);
    expect([...world.state.approvals.values()].filter(({ kind }) => kind === 'relay')).toHaveLength(10);
  });
});

test('what was decided before a crash is carried out after it', async () => {
  const world = await relayWorld();
  await world.say('api', 'Does the app know?');
  await world.relay.close();
  // The owner dies with the answer on the disk, and with a message that it had no time for.
  await world.tools.request('decide', {
    approvalId: pendingApprovals(world.state)[0]?.id ?? 0,
    decision: 'approved',
    choice: 'app',
  });
  await world.say('api', 'One more', 'site');
  await world.restart();
  expect(world.heard('app')).toEqual([['api', 'Does the app know?']]);
  expect(world.heard('site')).toEqual([['api', 'One more']]);
  await world.restart();
  expect(world.heard('app').length + world.heard('site').length).toBe(2);
});

const NAMES = ['api', 'app', 'site'] as const;
const act = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('say' as const),
      from: fc.constantFrom(...NAMES),
      concerns: fc.constantFrom(null, ...NAMES, 'nobody-knows'),
      words: fc.constantFrom('done', 'the app breaks', 'api or site?'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('answer' as const), choice: fc.constantFrom(null, 0, 1) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('end' as const), project: fc.constantFrom(...NAMES) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('restart' as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('wait' as const), minutes: fc.integer({ min: 1, max: 120 }) }),
  },
);

test('whatever is said and answered: word for word, to one that takes it, never back to its sender, never twice', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(act, { maxLength: 30 }),
      fc.constantFrom<RelayMode>('rules', 'ask'),
      async (acts, mode) => {
        const world = await relayWorld(mode);
        for (const one of acts) {
          world.world.clock.advance(1_000);
          if (one.kind === 'say' && need(world.state, 'projects', one.from).status === 'active') {
            await world.say(one.from, one.words, one.concerns);
          } else if (one.kind === 'answer') {
            const [first] = pendingApprovals(world.state);
            if (first !== undefined)
              await world.answer(one.choice === null ? null : (first.choices[one.choice] ?? null));
          } else if (one.kind === 'end' && need(world.state, 'projects', one.project).status === 'active') {
            await world.tools.request('stopTurn', { project: one.project });
            await world.call('complete_project', { name: one.project });
          } else if (one.kind === 'restart') {
            await world.restart();
          } else if (one.kind === 'wait') {
            world.world.clock.advance(one.minutes * 60_000);
          }
        }
        const passed = [...world.state.messages.values()].filter((row) => row.relayed_from !== null);
        for (const row of passed) {
          const origin = need(world.state, 'messages', row.relayed_from ?? 0);
          expect(row).toMatchObject({ direction: 'in', sender: 'project', text: origin.text });
          expect(row.project_id).not.toBe(origin.project_id);
          const ended = need(world.state, 'projects', row.project_id).completed_at;
          expect(ended === null || ended >= row.at).toBe(true);
        }
        const ways = passed.map((row) => `${row.relayed_from} ${row.project_id}`);
        expect(new Set(ways).size).toBe(ways.length);
        await world.restart();
        expect([...world.state.messages.values()].filter((row) => row.relayed_from !== null)).toHaveLength(
          passed.length,
        );
        await world.relay.close();
      },
    ),
    { numRuns: amount({ short: 40, long: 5000 }) },
  );
});
