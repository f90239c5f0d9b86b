/** A plan that asks, installs and checks each feature by itself, in a real owner over a restart. What each field leads to: test/unit/engine/job/gates.test.ts. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Plan } from '../../../src/shared/job/plan.ts';
import { scenarioOf } from '../../support/demo/briefs.ts';
import { EngineWorld } from '../../support/world/engineWorld.ts';

const FILES = {
  '.gitignore': 'tool\n',
  'install.sh': 'echo installed > tool\n',
  // Passes only with the dependencies and with both features.
  'check.sh': 'cat tool A.txt B.txt\n',
};

function carrying(): ReturnType<typeof scenarioOf> {
  const scenario = scenarioOf([{ verify: ['sh check.sh'], features: [{ name: 'A' }, { name: 'B', after: ['A'] }] }]);
  const [phase] = scenario.plan.phases;
  const features = phase?.features.map((row) => (row.name === 'A' ? { ...row, verify_commands: ['cat A.txt'] } : row));
  const plan = {
    ...scenario.plan,
    phases: [{ ...phase, features }],
    setup: ['sh install.sh'],
    questions: ['Which licence?'],
    assumptions: ['Plain shell'],
    findings: 'check.sh reads tool.',
  } as Plan;
  return { ...scenario, plan };
}

test('a plan asks before any work, installs what it needs after the grant, and hands over what it found', async () => {
  await using world = await EngineWorld.open({
    scenario: carrying(),
    files: FILES,
    allowed: [['sh', 'install.sh']],
  });
  await world.submit({ gates: [], setup: null });
  const asked = await world.asked('plan');
  const clone = (): string => world.job.clone_dir ?? '';
  expect(asked.detail).toMatch(/\? Which licence\?[\s\S]*\$ sh install\.sh[\s\S]*\$ cat A\.txt/);
  expect(existsSync(join(clone(), 'tool'))).toBe(false);
  await world.restart();
  await world.owner.request('resumeJob', { jobId: world.jobId });
  await world.approve('plan', { feedback: 'MIT.' });
  const job = await world.is('completed');
  expect(job.setup_ran).toEqual([{ command: 'sh install.sh', exitCode: 0 }]);
  expect(existsSync(join(clone(), 'tool'))).toBe(true);
  const evidence = world.happened('attempt_ended').map((event) => event.evidence.map(({ command }) => command));
  expect(evidence).toEqual([['cat A.txt'], ['sh check.sh'], ['sh check.sh']]);
  const opening = world.opening('worker', 0, 'A');
  expect(opening).toContain('check.sh reads tool.');
  expect(opening).toContain('- Plain shell');
  for (const name of ['A', 'B']) expect(world.opening('worker', 0, name)).toMatch(/1\. Which licence\?\n.*: MIT\./);
});
