/** Routing in a whole job: a failed attempt moves up the ladder, and every surface shows why. */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { previewJob } from '../../../src/app/open/readOnlyWorkspace.ts';
import { board } from '../../../src/core/job/view/board.ts';
import { approves, ONE_FEATURE, scenarioOf, writes } from '../../support/demo/briefs.ts';
import { resultOf } from '../../support/eval/records.ts';
import { EngineWorld } from '../../support/world/engineWorld.ts';

const CHECK = { 'check.sh': 'if [ -f good.txt ]; then exit 0; fi\necho "good.txt is not there"\nexit 3\n' };
const LADDER = ['claude-haiku-5-5', 'claude-sonnet-5-5', 'claude-opus-5-5'];

const scenario = scenarioOf([
  {
    verify: ['sh check.sh'],
    features: [{ name: 'A', attempts: [writes('half.txt', 'half\n'), writes('good.txt')] }, { name: 'B' }],
    reviews: [approves],
  },
]);

const modelsSent = (world: EngineWorld, role: 'worker' | 'reviewer'): readonly string[] => [
  ...new Set(world.sent(role).map(({ body }) => String(JSON.parse(body).model))),
];

test('the first attempt starts on the cheapest model, its failure moves up, and the card shows why', async () => {
  await using world = await EngineWorld.open({ scenario, files: CHECK });
  await world.run({ routing: 'on', ladders: { worker: LADDER } });
  const attempts = world.attempts('A');
  expect(attempts).toMatchObject([{ status: 'failed' }, { status: 'succeeded' }]);
  expect(attempts.map(({ session_id }) => world.state.sessions.get(session_id)?.model)).toEqual(LADDER.slice(0, 2));
  expect(attempts.map(({ route }) => route)).toEqual([
    {
      mode: 'on',
      model: LADDER[0],
      reason:
        'claude-haiku-5-5: no results for `core` yet, so the cheapest model starts, and a failed attempt moves up',
    },
    { mode: 'on', model: LADDER[1], reason: 'claude-sonnet-5-5: attempt 1 with claude-haiku-5-5 failed' },
  ]);
  expect(modelsSent(world, 'worker')).toEqual(LADDER.slice(0, 2));
  expect(modelsSent(world, 'reviewer')).toEqual(['claude-opus-5-5']);
  const cards = board(world.state).features;
  expect(cards.map(({ model, route }) => [model, route?.reason.split(':')[0]])).toEqual([
    [LADDER[1], LADDER[1]],
    [LADDER[0], LADDER[0]],
  ]);
});

test('the results of an ended job, which the thread of the next one does not have, decide about its start', async () => {
  await using world = await EngineWorld.open({ scenario: ONE_FEATURE });
  await world.run({ routing: 'on', mergeMode: 'patch' });
  await world.run({ routing: 'on', mergeMode: 'patch' });
  expect(world.attempts('A')[0]?.route?.reason).toContain(`${LADDER[0]}: 1 of 1 feature of \`core\` passed at $`);
});

test('after an eval that the cheap model failed and the stronger one passed, a job starts on the stronger one, as its preview shows', async () => {
  await using world = await EngineWorld.open({ scenario: ONE_FEATURE });
  const results = [1, 2, 3, 4, 5].flatMap((at) => [
    resultOf({ task: `t${at}`, model: 'claude-haiku-5-5', outcome: 'failed' }),
    resultOf({ task: `t${at}`, model: 'claude-sonnet-5-5' }),
  ]);
  world.write({ '.autonomous/eval/results.jsonl': results.map((one) => `${JSON.stringify(one)}\n`).join('') });
  const before = join(world.folder, 'before');
  world.owner.follow({
    event: ({ type }) => type === 'phase_started' && cpSync(world.places.stateDir, before, { recursive: true }),
  });
  await world.run({ routing: 'on', ladders: { worker: LADDER }, mergeMode: 'patch' });
  expect(modelsSent(world, 'worker')).toEqual(['claude-sonnet-5-5']);
  expect(world.attempts('A')[0]?.route?.reason).toContain(
    'claude-sonnet-5-5: 5 of 5 features of `core` passed at $0.06 each (5 from evals); a passed feature would cost $',
  );
  const places = { ...world.places, stateDir: before };
  expect((await previewJob({ ...world.ownerOptions, places }, null)).body).toBe(world.sent('worker')[0]?.body);
});

test('with suggest, the role keeps its model, and the choice is shown', async () => {
  await using world = await EngineWorld.open({ scenario, files: CHECK });
  await world.run({ routing: 'suggest', ladders: { worker: LADDER } });
  expect(modelsSent(world, 'worker')).toEqual(['claude-sonnet-5-5']);
  expect(world.attempts('A').map(({ route }) => route)).toMatchObject([
    { mode: 'suggest', model: LADDER[0] },
    { mode: 'suggest', model: LADDER[2], reason: 'claude-opus-5-5: attempt 1 with claude-sonnet-5-5 failed' },
  ]);
});

test('a ladder with a model that has no price is refused before anything is filed', async () => {
  await using world = await EngineWorld.open({ scenario, files: CHECK });
  const filed = world.run({ routing: 'on', ladders: { worker: ['claude-haiku-5-5', 'best-model'] } });
  await expect(filed).rejects.toMatchObject({
    code: 'MODEL_UNPRICED',
    message: 'the ladder of the worker names "best-model", which has no price',
  });
  expect(world.state.jobs.size).toBe(0);
});
