/** What the lists show of jobs on which no process works, or one that cannot be reached. */
import { expect, test } from 'vitest';
import { statedWork } from '../../../src/core/workspace/work/statedWork.ts';
import { lookingAt } from '../../support/editor/fakeWorkspace.ts';
import { attemptRow, featureRow, JOB_ID, jobRow, phaseRow, stateOf } from '../../support/state/builders.ts';
import { json, terminalWorld } from '../../support/world/terminalWorld.ts';

const LOOKS = [['jobs'], ['job', 'show'], ['board'], ['attempts']] as const;

test('a job that no process works on is shown so by each list, whether a process owns the workspace or not', async () => {
  const state = stateOf({
    jobs: [jobRow()],
    phases: [phaseRow()],
    features: [featureRow({ status: 'in_progress' })],
    attempts: [attemptRow({ status: 'running', cause: null })],
  });
  const looking = (ownerAlive: boolean, jobs: readonly string[]) => {
    const atWork = ownerAlive ? { works: true, jobs, turns: [] } : null;
    return terminalWorld({ workspace: lookingAt(state, atWork) });
  };
  const still = /no owner|not resumed|No process works/;
  const left = [
    [true, /not resumed|No process works/],
    [false, /no owner|No process works/],
  ] as const;
  for (const look of LOOKS) {
    const worked = await looking(true, [JOB_ID]);
    await worked.run(...look);
    expect(worked.out).not.toMatch(still);
    for (const [owned, words] of left) {
      const world = await looking(owned, []);
      await world.run(...look);
      expect(world.out).toMatch(words);
      world.clear();
      await world.run(...look, '--json');
      expect(json(world)).toMatchObject({ owned, atWork: [] });
    }
  }
});

test('a job of an owner that cannot be reached is shown by its status, with a warning', async () => {
  const state = stateOf({ jobs: [jobRow()], phases: [phaseRow()], features: [featureRow()] });
  const silent = { message: 'process 7 works on this workspace and cannot be reached', hint: 'Try again later.' };
  const owner = async () => ({ owned: null, atWork: statedWork(state), silent });
  const workspace = { ...lookingAt(state), owner };
  for (const look of LOOKS) {
    const world = await terminalWorld({ workspace });
    await world.run(...look);
    expect(world.err).toContain(
      'process 7 works on this workspace and cannot be reached: this is what it stored last. Try again later.',
    );
    expect(world.out).not.toMatch(/no owner|not resumed|No process works/);
    world.clear();
    await world.run(...look, '--json');
    expect(json(world)).toMatchObject({ owned: null, atWork: [JOB_ID] });
  }
});

test('a verb that only reads the state does not look for an owner', async () => {
  const state = stateOf({ jobs: [jobRow()] });
  const owner = () => Promise.reject(new Error('looked for an owner'));
  const world = await terminalWorld({ workspace: { ...lookingAt(state), owner } });
  expect(await world.run('approvals')).toBe(0);
  expect(await world.run('jobs')).toBe(1);
});
