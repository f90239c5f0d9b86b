/** Several features at once, on real git in real threads: every lane has its own tree, and one queue merges what passed. */
import { describe, expect, test } from 'vitest';
import { attempt, bash, report, write, writes } from '../../support/demo/briefs.ts';
import { laneWorld, mergeSecondFirst, waits } from '../../support/world/laneWorld.ts';

describe('two lanes', () => {
  test('independent features are worked on at once, and become one commit each', async () => {
    const { world, allowedCommands, go } = await laneWorld([
      {
        features: [
          { name: 'A', attempts: [attempt(waits(1), write('A.txt', 'A'), report('done'))] },
          { name: 'B', attempts: [attempt(waits(2), write('B.txt', 'B'), report('done'))] },
          { name: 'C', after: ['A', 'B'] },
        ],
      },
    ]);
    await using _ = world;
    await world.submit({ lanes: 2, allowedCommands });
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

  test('a conversation learns what was merged beside its work, and replaces no such file from memory', async () => {
    const read = { tool: 'read', input: { file_path: 'B.txt' } };
    const turns = [write('B.txt', 'from memory'), read, write('B.txt', 'B and C'), report('done')];
    const { world, allowedCommands, go } = await laneWorld([
      {
        features: [
          { name: 'A', attempts: [attempt(waits(1), write('A.txt', 'A'), report('done'))] },
          { name: 'B', attempts: [attempt(waits(2), write('B.txt', 'B'), report('done'))] },
          { name: 'C', after: ['A', 'B'], attempts: [{ turns: turns.flatMap((call) => attempt(call).turns) }] },
        ],
      },
    ]);
    await using _ = world;
    await world.submit({ lanes: 2, allowedCommands });
    await mergeSecondFirst({ world, go });
    await world.is('completed');
    // A was merged onto B by the queue, and its conversation took C.
    const [a, c] = ['A', 'C'].map((name) => world.attempts(name)[0]);
    expect([c?.session_id, c?.lane]).toEqual([a?.session_id, 0]);
    const sent = world.requests.map(({ body }) => body).filter((body) => body.includes('Other features were merged'));
    expect(sent[0]).toMatch(/Other features were merged since you saw the tree[^<]*<files \w+>\\nB\.txt\\n<\/files/);
    expect(sent.at(-1)).toContain('B.txt was changed by another feature: read it with the tool read first');
    expect(world.git('show', 'main:B.txt')).toBe('B and C');
  });

  test('a conflict returns to the conversation with both sides, and uses no retry', async () => {
    const { world, allowedCommands, go } = await laneWorld(
      [
        {
          features: [
            {
              name: 'A',
              attempts: [attempt(waits(1), write('list.txt', 'one\nA\n'), report('done'))],
              returns: [writes('list.txt', 'one\nB\nA\n')],
            },
            { name: 'B', attempts: [attempt(waits(2), write('list.txt', 'one\nB\n'), report('done'))] },
          ],
        },
      ],
      { files: { 'list.txt': 'one\n' } },
    );
    await using _ = world;
    await world.submit({ lanes: 2, allowedCommands });
    await mergeSecondFirst({ world, go });
    await world.is('completed');
    expect(world.git('show', 'main:list.txt')).toBe('one\nB\nA');
    expect(world.happened('attempt_returned')).toMatchObject([{ cause: 'conflict', paths: ['list.txt'] }]);
    expect(world.feature('A').retry_count).toBe(0);
    expect(world.attempts('A')).toHaveLength(1);
    const text = world.opening('worker', 1, 'A');
    expect(text).toMatch(/^Assignment: worker .* \| attempt 1 \| return 1\n/);
    expect(text).toContain('+B');
  });

  test('a file that one feature renames and another one edits has both changes', async () => {
    const lines = Array.from({ length: 20 }, (_, at) => `line ${at}`).join('\n');
    const edited = `${lines}\nB\n`;
    const { world, allowedCommands, go } = await laneWorld(
      [
        {
          features: [
            { name: 'A', attempts: [attempt(waits(1), bash('sh rename.sh'), report('done'))] },
            { name: 'B', attempts: [attempt(waits(2), write('list.txt', edited), report('done'))] },
          ],
        },
      ],
      { files: { 'list.txt': `${lines}\n`, 'rename.sh': 'git mv list.txt names.txt\n' } },
    );
    await using _ = world;
    await world.submit({ lanes: 2, allowedCommands: [...allowedCommands, ['sh', 'rename.sh']] });
    await mergeSecondFirst({ world, go });
    await world.is('completed');
    expect(world.happened('attempt_returned')).toEqual([]);
    expect(world.git('show', 'main:names.txt')).toBe(edited.trim());
    expect(world.git('ls-tree', '--name-only', 'main').split('\n')).not.toContain('list.txt');
  });

  test('conflict markers that an attempt leaves are never merged, by no later attempt either', async () => {
    const idle = attempt(write('other.txt', 'x'), report('done'));
    const features = [
      {
        name: 'A',
        attempts: [
          attempt(waits(1), write('list.txt', 'one\nA\n'), report('done')),
          attempt(write('more.txt', 'x'), report('done')),
          writes('list.txt', 'one\nB\nA\n'),
        ],
        returns: [idle],
      },
      { name: 'B', attempts: [attempt(waits(2), write('list.txt', 'one\nB\n'), report('done'))] },
    ];
    const { world, allowedCommands, go } = await laneWorld([{ features }], { files: { 'list.txt': 'one\n' } });
    await using _ = world;
    await world.submit({ lanes: 2, allowedCommands });
    await mergeSecondFirst({ world, go });
    await world.approve('stuck');
    await world.is('completed');
    expect(world.attempts('A').map(({ cause }) => cause)).toEqual(['conflict_markers', 'same_error', 'done']);
    expect(world.git('show', 'main:list.txt')).toBe('one\nB\nA');
  });

  test('features that pass alone and fail together: the second one returns with the output of the command', async () => {
    const { world, allowedCommands, go } = await laneWorld(
      [
        {
          verify: ['sh check.sh'],
          features: [
            {
              name: 'A',
              attempts: [attempt(waits(1), write('A.txt', 'A'), report('done'))],
              returns: [writes('both.txt')],
            },
            { name: 'B', attempts: [attempt(waits(2), write('B.txt', 'B'), report('done'))] },
          ],
        },
      ],
      {
        files: {
          'check.sh': 'if [ -f A.txt ] && [ -f B.txt ] && [ ! -f both.txt ]; then echo "not ok both"; exit 1; fi\n',
        },
      },
    );
    await using _ = world;
    await world.submit({ lanes: 2, allowedCommands });
    await mergeSecondFirst({ world, go });
    await world.is('completed');
    expect(world.happened('attempt_returned')).toMatchObject([{ cause: 'verify_failed', paths: [] }]);
    const text = world.opening('worker', 1, 'A');
    expect(text).toContain('There is no conflict, but it fails:');
    expect(text).toContain('not ok both');
    expect(text).toContain('feature 2: B');
    expect(world.feature('A').retry_count).toBe(0);
    expect(world.git('ls-tree', '--name-only', 'main').split('\n')).toEqual(
      expect.arrayContaining(['A.txt', 'B.txt', 'both.txt']),
    );
  });

  test('a pause ends every lane, and both continue after it; fewer lanes apply to what starts next', async () => {
    const { world, allowedCommands, go } = await laneWorld([
      {
        features: [
          { name: 'A', attempts: [attempt(waits(1), write('A.txt', 'A'), report('done'))] },
          { name: 'B', attempts: [attempt(waits(2), write('B.txt', 'B'), report('done'))] },
          { name: 'C' },
          { name: 'D' },
        ],
      },
    ]);
    await using _ = world;
    await world.submit({ lanes: 2, allowedCommands });
    await world.until('both work', () => world.happened('attempt_started').length === 2);
    await world.owner.request('pauseJob', { jobId: world.jobId, by: 'steward' });
    await world.until('both are interrupted', () => world.happened('attempt_interrupted').length === 2);
    go(1);
    go(2);
    await world.owner.request('resumeJob', { jobId: world.jobId, lanes: 1 });
    await world.is('completed');
    const started = world.happened('attempt_started').filter(({ feature_id }) => feature_id !== null);
    expect(started.map(({ lane }) => lane)).toEqual([0, 1, 0, 0]);
    expect(started.filter(({ feature_id }) => feature_id === world.feature('A').id)).toHaveLength(1);
    expect(world.git('log', '--format=%s', 'main^..main^2').split('\n').toSorted()).toEqual(['A', 'B', 'C', 'D']);
  });
});
