/** The list of jobs, and what it says about the machine that they run on. */
import { expect, test } from 'vitest';
import { lookingAt } from '../../../support/editor/fakeWorkspace.ts';
import { JOB_ID, jobRow, stateOf } from '../../../support/state/builders.ts';
import { terminalWorld } from '../../../support/world/terminalWorld.ts';

async function listed(awake: { readonly fault: string | null } | undefined) {
  const atWork = { works: true, jobs: [JOB_ID], turns: [], ...(awake === undefined ? {} : { awake }) };
  const world = await terminalWorld({ workspace: lookingAt(stateOf({ jobs: [jobRow()] }), atWork) });
  await world.run('jobs');
  const text = world.out;
  world.clear();
  await world.run('jobs', '--json');
  return { text, awake: (JSON.parse(world.out) as { readonly awake: unknown }).awake };
}

test.each([
  [{ fault: null }, 'This machine is kept awake while work runs.\n'],
  [{ fault: 'caffeinate failed: \u001b[2J' }, 'This machine may sleep while work runs: caffeinate failed: '],
])('says whether the machine is kept awake: %o', async (awake, line) => {
  const { text, awake: json } = await listed(awake);
  expect(text).toContain(line);
  expect(text).not.toContain('\u001b[2J');
  expect(json).toEqual(awake);
});

test('says nothing about a machine that no work needs', async () => {
  const { text, awake } = await listed(undefined);
  expect(text).not.toContain('machine');
  expect(awake).toBeNull();
});
