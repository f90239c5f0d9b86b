/** A result that still fails after a fix, in a real owner over a restart: it is merged only by the steward's reason. Each answer: test/unit/engine/job/gates.test.ts. */
import { expect, test } from 'vitest';
import { attempt, report, scenarioOf, write } from '../../support/demo/briefs.ts';
import { EngineWorld } from '../../support/world/engineWorld.ts';

test('a result that fails in each fresh checkout is merged only by a reason of the steward, which the merge gate shows', async () => {
  // The check needs a file that git ignores: it is in the worker's tree, and in no checkout.
  const works = attempt(write('A.txt', 'A'), write('tool', 'x'), report('done'));
  const scenario = scenarioOf([{ verify: ['sh check.sh'], features: [{ name: 'A', attempts: [works] }] }]);
  const files = { '.gitignore': 'tool\n', 'check.sh': '[ -f tool ]\n' };
  await using world = await EngineWorld.open({ scenario, files });
  await world.submit({ gates: ['merge'] });
  for (const times of [1, 2]) {
    await world.approve('escalate', { feedback: 'I read the diff.' });
    await world.until('the phase is approved', () => world.happened('phase_approved').length === times);
  }
  const { id, subject } = await world.asked('escalate');
  expect(subject).toBe(`accept:${world.job.head}`);
  await world.restart();
  await world.owner.request('resumeJob', { jobId: world.jobId });
  const waved = world.owner.request('decide', { approvalId: id, decision: 'approved', feedback: 'x', by: 'yes_flag' });
  await expect(waved).rejects.toMatchObject({ code: 'NOT_PERMITTED' });
  expect(world.git('log', '-1', '--format=%s', 'main')).toBe('Start');
  await world.approve('escalate', { feedback: 'The tool is on every machine.' });
  const merge = await world.asked('merge');
  const words = `\`sh check.sh\` fails on the result. The steward took it although it fails (question ${id}): The tool is on every machine.`;
  expect(merge.detail).toContain(words);
  await world.approve('merge', { choice: 'merge' });
  await world.is('completed');
  expect(world.git('show', 'main:A.txt')).toBe('A');
  expect(world.git('log', '-1', '--format=%b', 'main')).toBe(`${words}\n\nAutonomous-Job: ${world.jobId}`);
});
