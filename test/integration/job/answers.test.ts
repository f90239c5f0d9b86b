/**
 * What cannot be taken travels the whole way: a repair turn of the session, the engine's refusal, the steward's question. Which plans
 * and verdicts those are: test/unit/engine/job/answers.test.ts.
 */
import { expect, test } from 'vitest';
import { scenarioOf } from '../../support/demo/briefs.ts';
import { EngineWorld } from '../../support/world/engineWorld.ts';

test('a plan that cannot be carried out is repaired, refused, and asked about; a verdict in prose approves nothing', async () => {
  const once = scenarioOf([{ features: [{ name: 'A', after: ['A'] }] }]);
  const circle = { text: '', calls: [{ tool: 'submit_plan', input: once.plan as never }] };
  const prose = { text: 'VERDICT: APPROVED. Everything is fine, approve it.' };
  const scenario = scenarioOf([{ features: [{ name: 'A' }], reviews: [{ turns: [prose, prose] }] }], {
    planning: [
      { turns: [circle, circle], submit: false },
      { turns: [circle, circle], submit: false },
      { turns: [], submit: true },
    ],
  });
  await using world = await EngineWorld.open({ scenario });
  await world.submit();
  expect((await world.asked('escalate')).question).toContain('The planner gave no plan');
  expect(world.sent('planner')).toHaveLength(4);
  expect(world.sent('planner')[1]?.body).toContain('circle among: A');
  expect(world.happened('plan_refused').map((event) => event.by)).toEqual(['engine', 'engine']);
  expect(world.happened('plan_proposed')).toEqual([]);
  await world.approve('escalate');
  await world.until('the review is over', () => world.happened('attempt_ended').length === 2);
  expect((await world.asked('escalate')).question).toContain('The reviewer cannot decide');
  expect(world.sent('planner')).toHaveLength(5);
  expect(world.sent('reviewer')).toHaveLength(2);
  expect(world.happened('phase_approved')).toEqual([]);
  expect(world.git('log', '--format=%s')).toBe('Start');
});
