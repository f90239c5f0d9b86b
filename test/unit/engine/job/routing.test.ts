/** Which model an attempt uses on the way through a job: after a question, a failure, a pause, and at the last attempt. */
import { expect, test } from 'vitest';
import { approves, scenarioOf, stuck, writes } from '../../../support/demo/briefs.ts';
import { LoopWorld } from '../../../support/world/loopWorld.ts';

const [HAIKU, SONNET, OPUS] = ['claude-haiku-5-5', 'claude-sonnet-5-5', 'claude-opus-5-5'];

const modelsOf = (world: LoopWorld): readonly (string | undefined)[] =>
  world.attempts('A').map(({ session_id }) => world.state.sessions.get(session_id)?.model);

/** Of the sessions of the workers, in order, without repetitions. */
const sentModels = (world: LoopWorld): readonly string[] => [
  ...new Set(world.sent('worker').map(({ body }) => String(JSON.parse(body).model))),
];

test('a question keeps the model, a failure moves up, and the last attempt uses the strongest one', async () => {
  // Each failure differs: a repeated one is a question to the steward.
  let checks = 0;
  const commands = {
    'sh check.sh': () =>
      world.attempts('A').length < 4 ? { exitCode: 3, output: `${++checks} of 3` } : { exitCode: 0 },
  };
  const attempts = [stuck('Which port?'), writes('a.txt', '1\n'), writes('a.txt', '2\n'), writes('a.txt', '3\n')];
  const scenario = scenarioOf([{ verify: ['sh check.sh'], features: [{ name: 'A', attempts }], reviews: [approves] }]);
  await using world = await LoopWorld.open({ scenario, commands });
  await world.submit({ routing: 'on' });
  await world.approve('stuck', { feedback: '8080' });
  await world.is('completed');
  expect(modelsOf(world)).toEqual([HAIKU, HAIKU, SONNET, OPUS]);
  expect(world.attempts('A').map(({ route }) => route?.reason)).toEqual([
    `${HAIKU}: no results for \`core\` yet, so the cheapest model starts, and a failed attempt moves up`,
    `${HAIKU}: the model of the attempt before, which did not fail`,
    `${SONNET}: attempt 2 with ${HAIKU} failed`,
    `${OPUS}: the last attempt uses the strongest model`,
  ]);
  expect(sentModels(world)).toEqual([HAIKU, SONNET, OPUS]);
});

test('an attempt that was paused resumes with its stored model and route', async () => {
  let paused: Promise<unknown> | null = null;
  await using world = await LoopWorld.open({
    faults: ({ body }) => {
      if (paused !== null || !body.includes('Assignment: worker')) return null;
      paused = world.owner.request('pauseJob', { jobId: world.jobId });
      return { kind: 'stall', afterEvents: 0 };
    },
  });
  await world.submit({ routing: 'on' });
  await world.is('paused');
  await world.until('the attempt is interrupted', () => world.attempts('A')[0]?.status === 'interrupted');
  const [before] = world.attempts('A');
  expect(before).toMatchObject({ status: 'interrupted', route: { model: HAIKU } });
  await world.owner.request('resumeJob', { jobId: world.jobId });
  await world.is('completed');
  const [after] = world.attempts('A');
  expect(after).toMatchObject({ id: before?.id, status: 'succeeded', route: before?.route });
  expect(sentModels(world)).toEqual([HAIKU]);
});

test('the results of ended jobs decide about the next one', async () => {
  await using world = await LoopWorld.open();
  await world.run({ routing: 'on', mergeMode: 'patch' });
  await world.run({ routing: 'on', mergeMode: 'patch' });
  expect(world.attempts('A')[0]?.route?.reason).toMatch(
    new RegExp(`^${HAIKU}: 1 of 1 feature of \`core\` passed at \\$[0-9.]+ each; a passed feature would cost \\$`),
  );
});
