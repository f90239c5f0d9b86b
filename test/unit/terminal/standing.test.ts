/** What the lists show of jobs on which no process works, or one that cannot be reached. */
import { expect, test } from 'vitest';
import { statedWork } from '../../../src/core/workspace/work/statedWork.ts';
import { lookingAt } from '../../support/editor/fakeWorkspace.ts';
import { attemptRow, featureRow, JOB_ID, jobRow, phaseRow, stateOf } from '../../support/state/builders.ts';
import { terminalWorld } from '../../support/world/terminalWorld.ts';

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
  const looks = [['jobs'], ['job', 'show'], ['board'], ['attempts']] as const;
  const still = /no owner|not resumed|No process works/;
  for (const look of looks) {
    const worked = await looking(true, [JOB_ID]);
    await worked.run(...look);
    expect(worked.out).not.toMatch(still);
    const left = await looking(true, []);
    await left.run(...look);
    expect(left.out).toMatch(/not resumed|No process works/);
    left.clear();
    await left.run(...look, '--json');
    expect(JSON.parse(left.out)).toMatchObject({ owned: true, atWork: [] });
    const without = await looking(false, []);
    await without.run(...look);
    expect(without.out).toMatch(/no owner|No process works/);
    without.clear();
    await without.run(...look, '--json');
    expect(JSON.parse(without.out)).toMatchObject({ owned: false, atWork: [] });
  }
});

test('a job of an owner that cannot be reached is shown by its status, with a warning', async () => {
  const state = stateOf({ jobs: [jobRow()], phases: [phaseRow()], features: [featureRow()] });
  const silent = { message: 'process 7 works on this workspace and cannot be reached', hint: 'Try again later.' };
  const owner = async () => ({ owned: null, atWork: statedWork(state), silent });
  const workspace = { ...lookingAt(state), owner };
  for (const look of [['jobs'], ['job', 'show'], ['board'], ['attempts']]) {
    const world = await terminalWorld({ workspace });
    await world.run(...look);
    expect(world.err).toContain(
      'process 7 works on this workspace and cannot be reached: this is what it stored last. Try again later.',
    );
    expect(world.out).not.toMatch(/no owner|not resumed|No process works/);
    world.clear();
    await world.run(...look, '--json');
    expect(JSON.parse(world.out)).toMatchObject({ owned: null, atWork: [JOB_ID] });
  }
});

test('a verb that only reads the state does not look for an owner', async () => {
  const state = stateOf({ jobs: [jobRow()] });
  const owner = () => Promise.reject(new Error('looked for an owner'));
  const world = await terminalWorld({ workspace: { ...lookingAt(state), owner } });
  expect(await world.run('approvals')).toBe(0);
  expect(await world.run('jobs')).toBe(1);
});
