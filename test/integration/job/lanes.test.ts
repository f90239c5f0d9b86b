/** Several features at once, on real git in real threads: every lane has its own tree, and one queue merges what passed. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { attempt, bash, report, scenarioOf, write, writes } from '../../support/demo/briefs.ts';
import { EngineWorld } from '../../support/world/engineWorld.ts';

const SLOW = ['sh', 'slow.sh'];

/** A world whose workers can wait until `go`. */
async function waiting(scenario: Parameters<typeof scenarioOf>[0], files: Record<string, string> = {}) {
  const world = await EngineWorld.open({
    scenario: scenarioOf(scenario),
    files: { 'README.md': 'A program.\n', ...files },
  });
  const go = join(world.folder, 'go');
  world.userCommits({ 'slow.sh': `while [ ! -f ${go}-$1 ]; do sleep 0.02; done\n` });
  const allowedCommands = ['1', '2', '3'].map((nth) => [...SLOW, nth]);
  return { world, allowedCommands, go: (nth: number) => writeFileSync(`${go}-${nth}`, '') };
}

const slow = (nth: number) => bash(`${SLOW.join(' ')} ${nth}`);

describe('two lanes', () => {
  test('independent features are worked on at once, and become one commit each', async () => {
    const { world, allowedCommands, go } = await waiting([
      {
        features: [
          { name: 'A', attempts: [attempt(slow(1), write('A.txt', 'A'), report('done'))] },
          { name: 'B', attempts: [attempt(slow(2), write('B.txt', 'B'), report('done'))] },
          { name: 'C', after: ['A', 'B'] },
        ],
      },
    ]);
    await using _ = world;
    await world.submit({ lanes: 2, allowedCommands: [['ls'], ...allowedCommands] });
    await world.until('both work', () => world.happened('attempt_started').length === 2);
    expect(world.happened('attempt_started').map(({ lane }) => lane)).toEqual([0, 1]);
    go(2);
    await world.until('B is complete', () => world.feature('B').status === 'completed');
    go(1);
    await world.is('completed');
    const subjects = world.git('log', '--format=%s', 'main^2').split('\n');
    expect(subjects.slice(0, 3).toSorted()).toEqual(['A', 'B', 'C']);
    expect(subjects[0]).toBe('C');
    expect(world.happened('attempt_queued').map(({ id }) => id)).toEqual([world.attempts('A')[0]?.id]);
    const [last] = world.attempts('C');
    expect(world.happened('attempt_started').find(({ id }) => id === last?.id)?.integrated).toEqual([
      { feature_id: world.feature('A').id, commit: world.feature('A').commit },
      { feature_id: world.feature('B').id, commit: world.feature('B').commit },
    ]);
    expect(world.git('status', '--porcelain')).toBe('');
  });

  test('a conflict returns to the conversation with both sides, and uses no retry', async () => {
    const { world, allowedCommands, go } = await waiting(
      [
        {
          features: [
            {
              name: 'A',
              attempts: [attempt(slow(1), write('list.txt', 'one\nA\n'), report('done'))],
              returns: [writes('list.txt', 'one\nB\nA\n')],
            },
            { name: 'B', attempts: [attempt(slow(2), write('list.txt', 'one\nB\n'), report('done'))] },
          ],
        },
      ],
      { 'list.txt': 'one\n' },
    );
    await using _ = world;
    await world.submit({ lanes: 2, allowedCommands: [['ls'], ...allowedCommands] });
    await world.until('both work', () => world.happened('attempt_started').length === 2);
    go(2);
    await world.until('B is complete', () => world.feature('B').status === 'completed');
    go(1);
    await world.is('completed');
    expect(world.git('show', 'main:list.txt')).toBe('one\nB\nA');
    expect(world.happened('attempt_returned')).toMatchObject([{ cause: 'conflict', paths: ['list.txt'] }]);
    expect(world.feature('A').retry_count).toBe(0);
    expect(world.attempts('A')).toHaveLength(1);
    const text = world.opening('worker', 1, 'A');
    expect(text).toMatch(/^Assignment: worker .* \| attempt 1 \| return 1\n/);
    expect(text).toContain('+B');
  });
});
