/** What people and other agents do while several features are worked on at once: the plan changes, an agent never ends, the base moves. */
import { expect, test } from 'vitest';
import { editablePlan } from '../../../src/core/job/plan/planEditing.ts';
import type { Plan, PlanFeature } from '../../../src/shared/job/plan.ts';
import { attempt, bash, report, write } from '../../support/demo/briefs.ts';
import type { EngineWorld } from '../../support/world/engineWorld.ts';
import { isAt, laneWorld, waits } from '../../support/world/laneWorld.ts';

const writesAfter = (gate: number, name: string) => attempt(waits(gate), write(`${name}.txt`, name), report('done'));
const filesOf = (world: EngineWorld, at: string): string[] => world.git('ls-tree', '--name-only', at).split('\n');

/** The plan as the steward gets it to edit, with other features in its only phase. */
function edited(world: EngineWorld, change: (features: readonly PlanFeature[]) => readonly PlanFeature[]): Plan {
  const plan = editablePlan(world.state, world.job);
  const [phase] = plan?.phases ?? [];
  if (plan === null || phase === undefined) throw new Error('there is no plan');
  return { ...plan, phases: [{ ...phase, features: [...change(phase.features)] }] };
}

const without = (name: string) => (features: readonly PlanFeature[]) =>
  features
    .filter((row) => row.name !== name)
    .map((row) => ({ ...row, depends_on: row.depends_on?.filter((on) => on !== name) ?? [] }));

test('a feature in a lane or in the merge queue stays in the plan; one that is added starts in the free lane', async () => {
  const { world, allowedCommands, go } = await laneWorld(
    [
      {
        verify: ['sh check.sh 3'],
        features: [
          { name: 'A', attempts: [writesAfter(1, 'A')] },
          { name: 'B', attempts: [writesAfter(2, 'B')] },
          { name: 'C', after: ['A'] },
        ],
      },
    ],
    // Only the merge of A with B waits at gate 3.
    { files: { 'check.sh': 'if [ -f A.txt ] && [ -f B.txt ]; then sh slow.sh $1; fi\n' } },
  );
  await using _ = world;
  await world.submit({ lanes: 2, allowedCommands: [...allowedCommands, ['sh', 'check.sh', '3']] });
  const edit = (plan: Plan) => world.owner.request('editPlan', { jobId: world.jobId, plan });
  const refused = { code: 'ILLEGAL_TRANSITION', message: 'feature 1 is in_progress: it stays in the plan' };
  await world.until('both work', () => isAt(world, 1) && isAt(world, 2));
  await expect(edit(edited(world, without('A')))).rejects.toMatchObject(refused);
  go(2);
  await world.until('B is complete', () => world.feature('B').status === 'completed');
  // C depends on A: nothing is left for the second lane.
  expect(world.attempts('C')).toEqual([]);
  await edit(
    edited(world, (rows) => [...rows, { name: 'D', description: 'Make D.', category: 'core' } as PlanFeature]),
  );
  await world.until('D works', () => world.attempts('D').length === 1);
  expect(world.attempts('D')).toMatchObject([{ lane: 1 }]);
  expect(world.feature('A').status).toBe('in_progress');
  go(1);
  await world.until('A is queued', () => world.attempts('A')[0]?.status === 'queued');
  await expect(edit(edited(world, without('A')))).rejects.toMatchObject(refused);
  // One that nobody has started may go.
  await edit(edited(world, without('C')));
  go(3);
  await world.is('completed');
  expect(world.git('log', '--format=%s', 'main^..main^2').split('\n').toSorted()).toEqual(['A', 'B', 'D']);
  expect(world.attempts('A')).toMatchObject([{ status: 'succeeded', number: 1 }]);
});

test('a feature that is removed while its lane is prepared does not start, and nobody is asked', async () => {
  const { world, allowedCommands, go } = await laneWorld(
    [{ features: [{ name: 'A', attempts: [writesAfter(1, 'A')] }, { name: 'B' }] }],
    {
      // The setup of the second lane waits.
      files: { 'setup.sh': 'case $PWD in *-2) sh slow.sh 2;; esac\n' },
    },
  );
  await using _ = world;
  await world.submit({ lanes: 2, setup: ['sh setup.sh'], allowedCommands: [...allowedCommands, ['sh', 'setup.sh']] });
  await world.until(
    'the second lane is prepared',
    () => isAt(world, 1) && world.lives.some(({ text }) => text.includes('setup of lane 2')),
  );
  await world.owner.request('editPlan', { jobId: world.jobId, plan: edited(world, without('B')) });
  go(2);
  go(1);
  await world.is('completed');
  expect(world.happened('attempt_started').map(({ feature_id }) => feature_id)).toEqual([world.feature('A').id, null]);
  expect(world.happened('approval_requested')).toEqual([]);
  expect(world.failures).toEqual([]);
  expect([...world.state.sessions.values()].filter(({ status }) => status === 'running')).toEqual([]);
});

test('an agent that never ends is ended by its limits, while the work of the other lane is merged', async () => {
  const turns = Array.from({ length: 40 }, (__, at) => attempt(bash(at === 0 ? 'sh slow.sh 1' : 'ls')).turns).flat();
  const { world, allowedCommands, go } = await laneWorld([
    {
      features: [
        { name: 'A', attempts: [{ turns }, attempt(bash('cat A.txt'), write('A.txt', 'A'), report('done'))] },
        { name: 'B', attempts: [writesAfter(2, 'B')] },
      ],
    },
  ]);
  await using _ = world;
  await world.submit({ lanes: 2, allowedCommands: [...allowedCommands, ['cat', 'A.txt']], attempt: { turns: 6 } });
  await world.until('both work', () => isAt(world, 1) && isAt(world, 2));
  go(2);
  await world.until('B is complete', () => world.feature('B').status === 'completed');
  expect(world.attempts('A')).toMatchObject([{ status: 'running' }]);
  go(1);
  await world.is('completed');
  const [endless, second] = world.attempts('A');
  expect(endless).toMatchObject({ status: 'failed', cause: 'turns' });
  // The retry starts on the work that was merged meanwhile.
  expect(second).toMatchObject({ status: 'succeeded', base_commit: world.feature('B').commit });
  expect(world.feature('A').retry_count).toBe(1);
  expect(filesOf(world, 'main')).toEqual(expect.arrayContaining(['A.txt', 'B.txt']));
});

test('a base that moves while two lanes work is merged at the gate with the work of both, and a conflict is asked about', async () => {
  const { world, allowedCommands, go } = await laneWorld([
    {
      features: [
        { name: 'A', attempts: [writesAfter(1, 'A')] },
        { name: 'B', attempts: [writesAfter(2, 'B')] },
      ],
    },
  ]);
  await using _ = world;
  await world.submit({ lanes: 2, allowedCommands });
  await world.until('both work', () => isAt(world, 1) && isAt(world, 2));
  const theirs = world.userCommits({ 'theirs.txt': 'theirs\n' });
  go(2);
  await world.until('B is complete', () => world.feature('B').status === 'completed');
  // The same file as A, with other content.
  world.userCommits({ 'A.txt': 'theirs\n' });
  go(1);
  const asked = await world.asked('conflict');
  expect(asked.detail).toContain('A.txt');
  // The branch of the job has both features and nothing else.
  const [a, b] = ['A', 'B'].map((name) => world.feature(name).commit);
  expect(world.job.head).toBe(a);
  expect(filesOf(world, 'main')).not.toContain('B.txt');
  world.git('revert', '--no-edit', 'HEAD');
  await world.approve('conflict', { choice: 'retry' });
  await world.is('completed');
  expect(world.happened('base_merged')).toHaveLength(1);
  expect(filesOf(world, 'main')).toEqual(expect.arrayContaining(['A.txt', 'B.txt', 'theirs.txt']));
  expect(world.git('show', 'main:A.txt')).toBe('A');
  for (const commit of [a, b, theirs]) expect(world.git('merge-base', '--is-ancestor', commit ?? '', 'main')).toBe('');
  expect(world.git('status', '--porcelain')).toBe('');
});
