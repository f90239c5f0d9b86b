/** Jobs of several projects at once, one of them a step of a task, and several features at once in each of them. */
import { expect, test } from 'vitest';
import { need } from '../../../src/core/state/rows.ts';
import { attempt, report, write } from '../../support/demo/briefs.ts';
import type { EngineWorld } from '../../support/world/engineWorld.ts';
import { laneWorld, waits } from '../../support/world/laneWorld.ts';

const worker = (name: string, gate: number) => ({
  name,
  attempts: [attempt(waits(gate), write('{{featureId}}.txt', name), report('done'))],
});

/** Answers yes to every command of a step's job, which has no list of allowed ones, until it is so. */
async function allowing(world: EngineWorld, what: string, isSo: () => boolean): Promise<void> {
  const asked = new Set<number>();
  const answers: Promise<unknown>[] = [];
  await world.until(what, () => {
    for (const { id, status } of world.state.approvals.values()) {
      if (status !== 'pending' || asked.has(id)) continue;
      asked.add(id);
      answers.push(world.owner.request('decide', { approvalId: id, decision: 'approved' }));
    }
    return isSo();
  });
  await Promise.all(answers);
}

test('two projects and a task work in two lanes each, and everything is merged', async () => {
  const { world, allowedCommands, go } = await laneWorld([{ features: [worker('A', 1), worker('B', 2)] }]);
  await using _ = world;
  const { owner } = world;
  for (const name of ['one', 'two']) await owner.request('createProject', { name, body: 'Work.' });
  for (const project of ['one', 'two']) await world.submit({ project, lanes: 2, allowedCommands });
  const { taskId } = await owner.request('createTask', {
    start: true,
    definition: {
      name: 'Build it',
      completionBehavior: 'SILENT',
      steps: [{ name: 'Build', action: 'run_brief', params: { brief: 'Build it.', gates: [] } }],
    },
  });
  const jobs = await world.until('three jobs are filed', () => {
    const ids = [...world.state.jobs.keys()];
    return ids.length === 3 && ids;
  });
  const ofTask = [...world.state.task_steps.values()].find(({ task_id }) => task_id === taskId)?.job_id ?? '';
  await owner.request('resumeJob', { jobId: ofTask, lanes: 2 });
  const started = () => world.happened('attempt_started').filter(({ feature_id }) => feature_id !== null);
  await allowing(world, 'every lane works', () => started().length === 6);
  for (const id of jobs)
    expect(
      started()
        .flatMap(({ job_id, lane }) => (job_id === id ? [lane] : []))
        .toSorted(),
    ).toEqual([0, 1]);
  go(1);
  go(2);
  await allowing(world, 'every job is over', () =>
    jobs.every((id) => need(world.state, 'jobs', id).status === 'completed'),
  );
  await world.until('the task is over', () => world.state.tasks.get(taskId)?.status === 'COMPLETED');
  const files = world.git('ls-tree', '--name-only', 'main').split('\n');
  const features = [...world.state.features.values()];
  expect(features).toHaveLength(6);
  expect(files).toEqual(expect.arrayContaining(features.map(({ id }) => `${id}.txt`)));
  expect(world.git('log', '--format=%s', '--first-parent', 'main').match(/^Merge /gm)).toHaveLength(3);
  for (const { commit } of features) expect(world.git('merge-base', '--is-ancestor', commit ?? '', 'main')).toBe('');
  expect(world.owner.problems).toEqual([]);
});
