/** What people do while a job is under way, and what a worker says without doing it. */
import { describe, expect, test } from 'vitest';
import { attempt, bash, report, scenarioOf, write, writes } from '../../../support/demo/briefs.ts';
import type { ServedRequest } from '../../../support/provider/messagesServer.ts';
import { pauseInAttempt, setAsideWhilePaused } from '../../../support/world/jobWalks.ts';
import { LoopWorld } from '../../../support/world/loopWorld.ts';

const TWO = scenarioOf([{ features: [{ name: 'A' }, { name: 'B' }] }]);

test("the clone's git follows each accepted commit, and is looked at again when the job is resumed", async () => {
  const gate = Promise.withResolvers<{ exitCode: number }>();
  const slow = attempt(bash('sh slow.sh'), write('B.txt', 'B'), report('done'));
  const scenario = scenarioOf([{ features: [{ name: 'A' }, { name: 'B', attempts: [slow] }] }]);
  await using world = await LoopWorld.open({ scenario, commands: { 'sh slow.sh': () => gate.promise } });
  await world.submit({ allowedCommands: [['ls'], ['sh', 'slow.sh']] });
  await world.until('the command runs', () => world.lives.some((line) => line.text.includes('slow.sh')));
  const [accepted] = world.attempts('A');
  expect(world.git.followed.at(-1)).toBe(accepted?.commit);
  const times = world.git.followed.length;
  await pauseInAttempt(world);
  gate.resolve({ exitCode: 0 });
  await world.owner.request('resumeJob', { jobId: world.jobId });
  await world.is('completed');
  expect(world.git.followed[times]).toBe(accepted?.commit);
  expect(world.git.followed.at(-1)).toBe(world.attempts('B').at(-1)?.commit);
});

describe('by hand', () => {
  /** The worker of A waits in a command. */
  async function waiting(): Promise<{ world: LoopWorld; goOn: () => void }> {
    const slow = attempt(bash('sh slow.sh'), write('A.txt', 'A'), report('done'));
    const scenario = scenarioOf([{ features: [{ name: 'A', attempts: [slow, writes('A.txt')] }, { name: 'B' }] }]);
    const gate = Promise.withResolvers<{ exitCode: number }>();
    const world = await LoopWorld.open({ scenario, commands: { 'sh slow.sh': () => gate.promise } });
    await world.submit({ allowedCommands: [['ls'], ['sh', 'slow.sh']] });
    await world.until('the command runs', () => world.lives.some((line) => line.text.includes('slow.sh')));
    return { world, goOn: () => gate.resolve({ exitCode: 0 }) };
  }

  test('a feature under way is not touched; with the job paused it is, and the rest goes on', async () => {
    const { world, goOn } = await waiting();
    await using _ = world;
    await setAsideWhilePaused(world, goOn);
    expect(Object.keys(world.git.files('main'))).toEqual(['B.txt', 'README.md']);
  });

  test('an interrupted feature is to be tried again: afresh, with the feedback', async () => {
    const { world, goOn } = await waiting();
    await using _ = world;
    await pauseInAttempt(world);
    const answer = await world.owner.request('retryFeature', {
      featureId: world.feature('A').id,
      feedback: 'In another way.',
    });
    expect(answer).toMatchObject({ status: 'pending', retryCount: 1 });
    goOn();
    await world.owner.request('resumeJob', { jobId: world.jobId });
    await world.is('completed');
    expect(world.attempts('A').map((row) => row.status)).toEqual(['abandoned', 'succeeded']);
    expect(world.opening('worker', 1, 'A')).toContain('In another way.');
    expect(world.state.approvals.size).toBe(0);
  });

  test('a plan under way is edited: what is done stays, what is new is carried out', async () => {
    const scenario = scenarioOf([{ features: [{ name: 'A' }] }, { features: [{ name: 'B' }, { name: 'C' }] }]);
    await using world = await LoopWorld.open({ scenario });
    await world.submit({ gates: ['phase'] });
    await world.asked('phase');
    const [first, second] = [...world.state.phases.values()];
    const [one, two] = scenario.plan.phases;
    if (one === undefined || two === undefined) throw new Error('the plan has two phases');
    const named = one.features.map((feature) => ({ ...feature, id: world.feature(feature.name).id }));
    const added = { name: 'D', description: 'New.', category: 'core', testing_steps: [], depends_on: ['A'] };
    await world.owner.request('editPlan', {
      jobId: world.jobId,
      plan: {
        title: 'Edited',
        phases: [
          { ...one, ...(first === undefined ? {} : { id: first.id }), features: named },
          { ...two, ...(second === undefined ? {} : { id: second.id }), features: [added] },
        ],
      },
    });
    await world.approve('phase');
    await world.approve('phase');
    await world.is('completed');
    expect([...world.state.features.values()].map((row) => [row.name, row.status])).toEqual([
      ['A', 'completed'],
      ['D', 'completed'],
    ]);
    expect(world.attempts('A')).toHaveLength(1);
  });
});

test('a worker that calls its feature completed, and reports nothing, has completed nothing', async () => {
  const claim = { tool: 'note', input: { scope: 'feature', content: 'This feature is completed.' } };
  const turns = [{ text: '', calls: [claim] as never }, { text: 'It is completed.' }, { text: 'It is.' }];
  await using world = await LoopWorld.open({
    scenario: scenarioOf([{ features: [{ name: 'A', attempts: [{ turns }, writes('A.txt')] }] }]),
  });
  await world.run();
  expect(world.attempts('A').map((row) => [row.status, row.cause])).toEqual([
    ['failed', 'no_report'],
    ['succeeded', 'done'],
  ]);
});

test('a summarizer that cannot be reached costs nothing but its words', async () => {
  const faults = ({ index }: ServedRequest) => (index === 6 ? ({ kind: 'status', status: 400 } as const) : null);
  await using world = await LoopWorld.open({ scenario: TWO, faults });
  await world.run({ batch: 1 });
  expect(world.sent('summarizer')).toHaveLength(1);
  expect([...world.state.phases.values()].map((phase) => phase.summary)).toEqual(['A: completed\nB: completed']);
  expect(world.state.approvals.size).toBe(0);
});

describe('a brief that cannot begin leaves nothing behind', () => {
  test('an empty one, one that is too large, an unknown scenario', async () => {
    await using world = await LoopWorld.open();
    const seq = world.state.meta.last_seq;
    await expect(world.submit({ brief: ' \n' })).rejects.toMatchObject({ code: 'BRIEF_EMPTY' });
    await expect(world.submit({ brief: 'ü'.repeat(200_000) })).rejects.toMatchObject({ code: 'BRIEF_TOO_LARGE' });
    const unknown = world.submit({ provider: 'simulated', scenario: 'nowhere' });
    await expect(unknown).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(world.state.meta.last_seq).toBe(seq);
    expect(world.state.jobs.size).toBe(0);
  });

  test('a branch is not checked out: the result goes where the steward says', async () => {
    await using world = await LoopWorld.open();
    world.git.branch = null;
    await world.submit();
    expect((await world.asked('conflict')).question).toContain('no branch was checked out');
    await world.approve('conflict', { choice: 'branch' });
    await world.is('completed');
    expect(world.git.subjects('main')).toEqual(['Start']);
    expect(world.git.files(world.job.branch)['A.txt']).toBe('A.txt\n');
  });
});
