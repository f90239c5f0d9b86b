/** Budgets below what the longest answers may cost. */
import { expect, test } from 'vitest';
import { countedMicroUsd } from '../../../src/core/state/rows.ts';
import { attempt, ONE_FEATURE, report, scenarioOf, write } from '../../support/demo/briefs.ts';
import { jobOptions } from '../../support/state/builders.ts';
import { EngineWorld } from '../../support/world/engineWorld.ts';

test('a job with a budget of $0.25 is done without a question, and never holds more than that', async () => {
  await using world = await EngineWorld.open({ scenario: ONE_FEATURE });
  let most = 0;
  world.owner.follow({
    event: () => {
      const held = [...world.state.spends.values()].reduce((sum, row) => sum + countedMicroUsd(row), 0);
      most = Math.max(most, held);
    },
  });
  await world.run({ budgetMicroUsd: 250_000 });
  expect(world.happened('approval_requested')).toEqual([]);
  const [planned] = world.sent('planner').map(({ body }) => JSON.parse(body) as { max_tokens: number });
  expect(planned?.max_tokens).toBeGreaterThanOrEqual(4_000);
  expect(planned?.max_tokens).toBeLessThan(16_000);
  expect(most).toBeGreaterThan(100_000);
  expect(most).toBeLessThanOrEqual(250_000);
});

test('an attempt that its own budget stops is reported as that, and the next one goes on from its work', async () => {
  // About 2,000 tokens, $0.02: after it $0.06 do not pay for the shortest useful answer.
  const text = `${'a line of text\n'.repeat(540)}`;
  const first = { turns: [...attempt(write('big.txt', text)).turns, ...attempt(report('done')).turns] };
  const features = [{ name: 'Big', attempts: [first, attempt(report('done'))] }];
  await using world = await EngineWorld.open({ scenario: scenarioOf([{ features }]) });
  await world.submit({ attempt: { ...jobOptions().attempt, microUsd: 60_000 } });
  const asked = await world.asked('limit');
  expect(asked.question).toMatch(/^Attempt 1 at "Big" was stopped by its own budget\./);
  expect(world.attempts('Big')).toMatchObject([{ status: 'blocked', cause: 'attempt_budget', summary: asked.detail }]);
  expect(world.feature('Big').retry_count).toBe(0);
  await world.approve('limit', { choice: 'raise' });
  await world.is('completed');
  expect(world.attempts('Big').map(({ status }) => status)).toEqual(['blocked', 'succeeded']);
  expect(world.feature('Big').retry_count).toBe(0);
  expect(`${world.git('show', 'main:big.txt')}\n`).toBe(text);
});

test('each session is given the smallest limit on its money, apart from what the sessions of the job share', async () => {
  const features = ['A', 'B'].map((name) => ({ name }));
  await using world = await EngineWorld.open({ scenario: scenarioOf([{ features }]) });
  await world.run({ budgetMicroUsd: 1_000_000, batch: 1 });
  const texts = (body: string): readonly string[] =>
    (JSON.parse(body) as { messages: { content: { text: string }[] }[] }).messages[0]?.content.map(
      ({ text }) => text,
    ) ?? [];
  const given = [world.sent('planner')[0], world.sent('worker', 'A')[0], world.sent('worker', 'B')[0]].map((call) =>
    texts(call?.body ?? ''),
  );
  const [, ofA, ofB] = given;
  expect(ofA?.slice(0, 2)).toEqual(ofB?.slice(0, 2));
  const lefts = given.map((parts) => {
    const own = parts.at(-1);
    expect(parts[0]).toBe(given[0]?.[0]);
    for (const shared of parts.slice(0, -1)) expect(shared).not.toContain('$');
    return /\n- Money: at most (\$0\.\d\d|\$1\.00)[.,] ?.*the job limit/.exec(own ?? '')?.[1] ?? '';
  });
  expect(lefts[0]).toBe('$1.00');
  // What the sessions before spent is taken off.
  for (const left of lefts.slice(1)) expect(left).toMatch(/^\$0\.\d\d$/);
});
