/** `rules`: what is offered, created, used and revoked at a terminal. */
import { expect, test } from 'vitest';
import { MIN_APPROVALS } from '../../../../src/core/rule/offers.ts';
import type { GateFacts } from '../../../../src/shared/rule/rules.ts';
import { newApproval } from '../../../support/state/builders.ts';
import { newestJob, terminalWorld, type World } from '../../../support/world/terminalWorld.ts';

const FACTS: GateFacts = {
  provider: 'anthropic',
  work: 'docs',
  files: 1,
  lines: 12,
  categories: ['docs\u001b[2j'],
  microUsd: 20_000,
  verified: true,
};

const gate = (world: World, id: number) =>
  newApproval({ id, job_id: newestJob(world).id, kind: 'phase', subject: `phase:${id}`, facts: FACTS });

/** A job with gates that a person approved. */
async function approvedOften(): Promise<World> {
  const world = await terminalWorld();
  await world.run('plan', 'x');
  for (let id = 100; id < 100 + MIN_APPROVALS; id++) {
    await world.store.commit({ type: 'approval_requested', approval: gate(world, id) });
    const answer = { decision: 'approved', choice: null, feedback: null, by: 'steward' } as const;
    await world.store.commit({ type: 'approval_decided', id, ...answer });
  }
  return world;
}

async function say(world: World, ...words: readonly string[]): Promise<string> {
  const before = world.out.length;
  expect(await world.run(...words)).toBe(0);
  return world.out.slice(before);
}

test('a rule is offered, created, listed with every use, and revoked', async () => {
  const empty = await terminalWorld();
  expect(await say(empty, 'rules')).toBe('No rules, and none is offered.\n');
  const world = await approvedOften();
  const offered = await say(world, 'rules');
  expect(offered).toContain('at most 50 lines and $0.05, categories: docs<U+001B>[2j: 10 of 10 approved. Skip it?\n');
  expect(offered).toContain('To create the rule: autonomous rules create default:phase:docs:anthropic\n');
  expect(await say(world, 'rules', 'create', 'default:phase:docs:anthropic')).toContain(
    'To revoke it: autonomous rules revoke 1\n',
  );
  await world.store.commit({ type: 'rule_used', rule_id: 1, approval: gate(world, 200), choice: null });
  const { id } = newestJob(world);
  expect(await say(world, 'rules')).toMatch(
    new RegExp(`after 10 approvals; used 1 time\\n  .* question 200, job ${id}:`),
  );
  expect(JSON.parse(await say(world, 'rules', '--json'))).toMatchObject({
    rules: [{ id: 1, revokedAt: null, uses: [{ questionId: 200, jobId: id }] }],
    offers: [],
  });
  expect(await say(world, 'job', 'show')).toContain('rule 1 approved: ');
  expect(JSON.parse(await say(world, 'job', 'show', '--json')).job.ruleUses).toHaveLength(1);
  expect(await say(world, 'rules', 'revoke', '1')).toBe('Rule 1 is revoked.\n');
  expect(world.store.state.rules.get(1)?.revoked_at).not.toBeNull();
  const used = { type: 'rule_used', rule_id: 1, approval: gate(world, 201), choice: null } as const;
  await expect(world.store.commit(used)).rejects.toMatchObject({ code: 'ILLEGAL_TRANSITION' });
});

test('a rule that is not offered cannot be created', async () => {
  const world = await terminalWorld();
  expect(await world.run('rules', 'create', 'default:merge:docs:anthropic')).not.toBe(0);
  expect(world.store.state.rules.size).toBe(0);
});
