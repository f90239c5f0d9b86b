/** The verify commands before any work, in a real owner with real checkouts. What each role is given: test/unit/engine/job/actions/baseline.test.ts. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scenarioOf, stuck, writes } from '../../support/demo/briefs.ts';
import { EngineWorld } from '../../support/world/engineWorld.ts';

test('they run once in a fresh checkout, leave nothing in the clone, and do not run again after a restart', async () => {
  const attempts = [stuck('Which name?'), writes('A.txt')];
  const verify = ['sh check.sh', 'no-such-tool --check'];
  const scenario = scenarioOf([
    { verify: ['sh check.sh'], features: [{ name: 'A', attempts }] },
    { verify, features: [{ name: 'B' }] },
  ]);
  await using world = await EngineWorld.open({
    scenario,
    files: { 'check.sh': 'echo ran > trace\n[ -f A.txt ]\n' },
    sandbox: 'needed',
  });
  await world.submit({ allowedCommands: [['sh', 'check.sh']] });
  await world.asked('stuck');
  await world.restart();
  await world.owner.request('resumeJob', { jobId: world.jobId });
  const { baseline, baseline_checks: checks, clone_dir } = world.job;
  expect(checks?.map(({ command, exitCode, commit }) => [command, exitCode, commit])).toEqual([
    ['sh check.sh', 1, baseline],
    ['no-such-tool --check', 127, baseline],
  ]);
  expect(existsSync(join(clone_dir ?? '', 'trace'))).toBe(false);
  await world.approve('stuck', { feedback: 'A.txt' });
  const asked = await world.asked('stuck');
  expect(asked.question).toContain('needs a tool that is not installed');
  expect(world.happened('baseline_checked')).toHaveLength(1);
  // The first attempt knew it before the money was spent.
  expect(world.opening('worker')).toMatch(/`no-such-tool --check`: exit code 127\n<output [\s\S]*not found/);
});
