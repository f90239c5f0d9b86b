/**
 * Every question of one job, answered as a person may, over a restart: what he says arrives where it counts. What each answer leads to:
 * test/unit/engine/job/gates.test.ts.
 */
import { expect, test } from 'vitest';
import { jobFeatures } from '../../../src/core/state/rows.ts';
import { approves, escalates, scenarioOf, stuck, writes } from '../../support/demo/briefs.ts';
import { EngineWorld } from '../../support/world/engineWorld.ts';

test('a job asks at its gates and where it is at a loss, and goes on as it is told', async () => {
  const attempts = [stuck('Tabs or spaces?'), writes('.github/workflows/ci.yml')];
  const scenario = scenarioOf([
    { features: [{ name: 'A', attempts }], reviews: [escalates('Is a rewrite wanted?'), approves] },
    { features: [{ name: 'B' }] },
  ]);
  await using world = await EngineWorld.open({ scenario });
  await world.submit({ gates: ['plan', 'phase', 'merge'] });

  await world.reject('plan', 'Smaller features, please.');
  await world.until('it is planned again', () => world.job.plan_version === 2);
  expect(world.opening('planner', 1)).toContain('Smaller features, please.');
  expect(world.opening('planner', 1)).toContain('# The newest plan, version 1');
  const first = await world.asked('plan');
  await world.restart();
  await world.owner.request('editPlan', { jobId: world.jobId, plan: { ...scenario.plan, title: 'Edited' } });
  expect(world.state.approvals.get(first.id)?.status).toBe('void');
  const refused = world.owner.request('decide', { approvalId: first.id, decision: 'approved' });
  await expect(refused).rejects.toMatchObject({ code: 'NOT_PERMITTED' });
  await world.approve('plan');

  const { id } = await world.asked('stuck');
  expect(world.job).toMatchObject({ title: 'Edited', plan_version: 3 });
  const waved = world.owner.request('decide', { approvalId: id, decision: 'approved', by: 'yes_flag' });
  await expect(waved).rejects.toMatchObject({ code: 'NOT_PERMITTED' });
  const bare = world.owner.request('decide', { approvalId: id, decision: 'approved' });
  await expect(bare).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  await world.approve('stuck', { feedback: 'Spaces, four of them.' });
  expect((await world.approve('escalate', { feedback: 'It is wanted.' })).detail).toContain('Is a rewrite wanted?');
  expect(world.opening('worker', 1, 'A')).toContain('Spaces, four of them.');
  expect(world.opening('reviewer')).toMatch(/# Decisions of the steward\n(?:.*\n)+.*: Spaces, four of them\./);
  await world.approve('phase');

  const merge = await world.reject('merge', 'A licence is missing.');
  expect(merge.executables).toEqual(['.github/workflows/ci.yml']);
  await world.approve('phase');
  const again = await world.asked('merge');
  expect(again.commit).not.toBe(merge.commit);
  expect(world.sent('worker').some(({ body }) => body.includes('A licence is missing.'))).toBe(true);
  expect(world.git('log', '--format=%s')).toBe('Start');
  await world.approve('merge');
  await world.is('completed');
  expect(world.happened('phase_approved').map(({ by }) => by)).toEqual(['steward', 'steward', 'steward']);
  expect(jobFeatures(world.state, world.jobId).map(({ status }) => status)).toEqual([
    'completed',
    'completed',
    'completed',
  ]);
  expect(world.git('rev-parse', 'main^2')).toBe(again.commit);
  expect(world.git('ls-tree', '--name-only', 'main')).toBe('.github\nB.txt\nREADME.md\nfix.txt');
});
