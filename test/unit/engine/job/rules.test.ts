/** Rules over whole jobs: a kind of work that was always approved earns an offer, a rule approves its gate, and a person can revoke it. */
import { expect, test } from 'vitest';
import { MIN_APPROVALS, ruleOffers } from '../../../../src/core/rule/offers.ts';
import { ruleUses } from '../../../../src/core/rule/ruleViews.ts';
import { approves, scenarioOf, writes } from '../../../support/demo/briefs.ts';
import { LoopWorld } from '../../../support/world/loopWorld.ts';

/** Every job writes the same files again: the user's branch gets them only by the merge. */
const docs = scenarioOf([
  {
    verify: ['sh check.sh'],
    features: [{ name: 'A', attempts: [writes('guide.md', 'One line.\n')] }],
    reviews: [approves],
  },
]);

async function approveOne(world: LoopWorld, gate: 'phase' | 'merge'): Promise<void> {
  await world.submit({ gates: [gate], mergeMode: 'patch' });
  await world.approve(gate, gate === 'merge' ? { choice: 'patch' } : {});
  await world.is('completed');
}

async function earned(world: LoopWorld, gate: 'phase' | 'merge'): Promise<number> {
  for (let nth = 0; nth < MIN_APPROVALS; nth++) {
    expect(ruleOffers(world.state)).toEqual([]);
    await approveOne(world, gate);
  }
  const [offer] = ruleOffers(world.state);
  if (offer === undefined) throw new Error('nothing is offered');
  expect(offer).toMatchObject({ gate, work: 'docs', provider: 'anthropic', categories: ['core'], max_lines: 50 });
  await expect(
    world.owner.request('createRule', { offer: offer.id, text: 'approve everything' }),
  ).rejects.toMatchObject({ code: 'NOT_PERMITTED' });
  const { ruleId } = await world.owner.request('createRule', { offer: offer.id, text: offer.text });
  return ruleId;
}

test.each(['phase', 'merge'] as const)(
  'a %s gate of plain documents is approved by a rule until it is revoked',
  async (gate) => {
    await using world = await LoopWorld.open({ scenario: docs });
    const ruleId = await earned(world, gate);
    expect(ruleOffers(world.state)).toEqual([]);
    await world.run({ gates: [gate], mergeMode: 'patch' });
    const [use] = ruleUses(world.state, { jobId: world.jobId });
    expect(use).toMatchObject({ ruleId, jobId: world.jobId });
    expect(world.state.approvals.get(use?.questionId ?? 0)).toMatchObject({
      kind: gate,
      status: 'approved',
      decided_by: 'rule',
      rule_id: ruleId,
      feedback: null,
    });
    expect(world.events.filter(({ type }) => type === 'rule_used')).toHaveLength(1);
    const approved = world.events.find((event) => event.type === 'phase_approved' && event.job_id === world.jobId);
    expect(approved).toMatchObject({ by: gate === 'phase' ? 'rule' : 'reviewer' });
    await world.owner.request('revokeRule', { ruleId });
    await world.submit({ gates: [gate], mergeMode: 'patch' });
    await world.asked(gate);
    // What was approved before the revocation earns nothing again.
    expect(ruleOffers(world.state)).toEqual([]);
  },
);

test.each([
  ['files that would execute', writes('package.json', '{"scripts":{"postinstall":"x"}}\n')],
  ['code', writes('a.js', 'x\n')],
  ['a change that is too large', writes('guide.md', 'x\n'.repeat(600))],
] as const)('%s earn nothing, however often they were approved', async (_, made) => {
  const features = [{ name: 'A', attempts: [made] }];
  const scenario = scenarioOf([{ verify: ['sh check.sh'], features, reviews: [approves] }]);
  await using world = await LoopWorld.open({ scenario });
  for (let nth = 0; nth < MIN_APPROVALS; nth++) await approveOne(world, 'merge');
  expect(ruleOffers(world.state)).toEqual([]);
});
