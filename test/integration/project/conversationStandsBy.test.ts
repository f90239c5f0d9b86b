import { describe, expect, it } from 'vitest';
import { plainDefinition } from '../../../src/core/project/reduceProjects.ts';
import type { ApprovalRow } from '../../../src/shared/approval.ts';
import { failure } from '../../../src/shared/errors.ts';
import { says } from '../../support/session/sessionBench.ts';
import { FakeClock } from '../../support/time/fakeClock.ts';
import { type TalkWorld, talkWorlds } from '../../support/world/talkWorld.ts';

const world = talkWorlds();

const questions = (one: TalkWorld): ApprovalRow[] => [...one.store.state.approvals.values()];

async function decide(one: TalkWorld, decision: 'approved' | 'rejected'): Promise<void> {
  const [asked] = questions(one).slice(-1);
  const by = 'steward';
  await one.store.commit({ type: 'approval_decided', id: asked?.id ?? 0, decision, choice: null, feedback: 'no', by });
}

const limitReached = failure('LIMIT_REACHED', 'the project_day limit of $1.00 is reached', {
  hint: 'Raise the limit to continue.',
  details: { limit: 'project_total', raiseTo: 2_000_000, resetsAt: null },
});
const noKey = failure('KEY_MISSING', 'there is no key');
const away = failure('MODEL_UNAVAILABLE', 'the model is away', { details: { retryAtMs: Date.UTC(2026, 10, 21, 13) } });

describe('a conversation whose model cannot be had', () => {
  it('waits until the time that the provider named, and goes on by itself', async () => {
    const clock = new FakeClock({ skipSleeps: true });
    const api = await world([says('Done.')], { clock, refusals: [away] });
    await api.say('Work.');
    expect(await api.converse()).toBeNull();
    expect(clock.slept).toEqual([3_600_000]);
    expect(questions(api)).toEqual([]);
    expect(api.model.left).toBe(0);
  });

  it('stops waiting when the limits are set', async () => {
    const api = await world([says('Done.')], { refusals: [away] });
    await api.say('Work.');
    const rested = api.rested();
    api.begin();
    await api.until(() => api.clock.pending > 0);
    const { limits } = api.store.state.meta;
    await api.store.commit({ type: 'limits_set', limits, by: 'steward' });
    expect(await rested).toBeNull();
    expect(api.model.left).toBe(0);
  });

  it('asks the steward about a limit, bound to the amount, and goes on with the answer', async () => {
    const api = await world([says('Done.')], { refusals: [limitReached] });
    const id = await api.say('Work.');
    await api.converse();
    expect(questions(api)).toMatchObject([
      { kind: 'limit', job_id: null, project_id: 'api', status: 'pending', subject: 'limit:project_total:1:2000000' },
    ]);
    await api.converse();
    expect(questions(api)).toHaveLength(1);
    expect(api.messages('in')).toMatchObject([{ id, read_at: expect.any(String) }]);

    const rested = api.rested();
    await decide(api, 'approved');
    expect(await rested).toBeNull();
    expect(api.model.left).toBe(0);
    expect(questions(api)).toMatchObject([{ status: 'void' }]);
  });

  it('asks about a missing key; a no holds until something new is said', async () => {
    const api = await world([says('Done.'), says('Tried.')], { refusals: [noKey] });
    await api.say('Work.');
    await api.converse();
    expect(questions(api)).toMatchObject([{ kind: 'provider', subject: 'provider:KEY_MISSING:1' }]);
    const refused = api.rested();
    await decide(api, 'rejected');
    await refused;
    await api.again();
    expect(await api.converse()).toBeNull();
    expect(api.model.bodies).toHaveLength(0);

    api.clock.advance(1_000);
    await api.say('Try now.');
    expect(await api.converse()).toBeNull();
    expect(api.model.left).toBe(0);
  });

  it('tries again when its definition changes, and the question is void', async () => {
    const api = await world([says('Done.')], { refusals: [noKey] });
    await api.say('Work.');
    await api.converse();
    const rested = api.rested();
    const definition = plainDefinition('another-model');
    await api.store.commit({ type: 'project_defined', project_id: 'api', definition, by: 'steward' });
    expect(await rested).toBeNull();
    expect(questions(api)).toMatchObject([{ status: 'void' }]);
    expect(api.model.left).toBe(0);
    expect(JSON.parse(api.model.bodies[0] ?? '')).toMatchObject({ model: 'another-model' });
  });

  it('says that it stopped when the model refuses, and takes the next message', async () => {
    const api = await world([says('I will not.', 'refusal'), says('Gladly.')]);
    await api.say('Do something bad.');
    expect(await api.converse()).toBeNull();
    expect(api.messages('out')).toMatchObject([{ sender: 'engine', text: 'It stopped: I will not. (refusal).' }]);
    await api.again();
    await api.converse();
    expect(api.messages('out')).toHaveLength(1);

    await api.say('Then something good.');
    await api.converse();
    expect(api.model.left).toBe(0);
    expect(api.messages('out').map(({ text }) => text)).toEqual(['It stopped: I will not. (refusal).', 'Gladly.']);
  });

  it('runs nothing of a project that is suspended or parked, and goes on when it is active again', async () => {
    const api = await world([says('Done.')]);
    await api.say('Work.');
    await api.store.commit({ type: 'project_parked', project_id: 'api', reason: 'not trusted', approval: null });
    await api.converse();
    expect(api.model.bodies).toHaveLength(0);
    await api.store.commit({ type: 'project_unparked', project_id: 'api' });
    await api.converse();
    expect(api.model.left).toBe(0);
  });
});
