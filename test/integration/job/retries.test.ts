/** What failed is done again, over real commands and commits. When, and with what: test/unit/engine/job/retries.test.ts. */
import { expect, test } from 'vitest';
import { approves, attempt, bash, rejects, report, scenarioOf, write, writes } from '../../support/demo/briefs.ts';
import { EngineWorld } from '../../support/world/engineWorld.ts';
import { lastMessage } from '../../support/world/jobWorld.ts';

const CHECK = {
  'check.sh': 'if [ -f good.txt ]; then exit 0; fi\ncat half.txt\necho "good.txt is not there"\nexit 3\n',
};

test('a failed attempt and a rejected feature continue their conversation, and a batch shares one', async () => {
  const scenario = scenarioOf([
    {
      verify: ['sh check.sh'],
      features: [
        { name: 'A', attempts: [writes('half.txt', 'half\n'), writes('good.txt')] },
        { name: 'B', attempts: [writes('B.txt', 'one\n'), writes('B.txt', 'two\n')] },
        { name: 'C' },
      ],
      reviews: [rejects('Say two.', ['B']), approves],
    },
  ]);
  await using world = await EngineWorld.open({ scenario, files: CHECK });
  await world.run({ batch: 2 });
  const [failed, succeeded] = world.attempts('A');
  expect(failed).toMatchObject({ status: 'failed', cause: 'verify_failed' });
  expect(failed?.evidence).toMatchObject([{ command: 'sh check.sh', exitCode: 3, ended: null }]);
  expect(world.opening('worker', 1, 'A')).toMatch(/exit code 3.*half\ngood\.txt is not there/s);
  expect(world.feature('A')).toMatchObject({ status: 'completed', retry_count: 1 });
  const sessionsOf = (name: string) => world.attempts(name).map((row) => row.session_id);
  expect(failed?.session_id).toBe(succeeded?.session_id);
  expect(succeeded?.start).toBe(failed?.commit);
  expect(sessionsOf('B')[0]).toBe(succeeded?.session_id);
  expect(sessionsOf('C')).not.toContain(succeeded?.session_id);
  expect(world.attempts('B')).toHaveLength(2);
  expect(world.opening('worker', 1, 'B')).toContain('Say two.');
  expect(world.git('show', 'main:B.txt')).toBe('two');
  expect(world.git('ls-tree', '--name-only', 'main').split('\n')).toEqual([
    'B.txt',
    'C.txt',
    'check.sh',
    'good.txt',
    'half.txt',
  ]);
  expect(world.git('log', '--format=%s', 'main^2').split('\n')).toEqual(['C', 'B', 'A', 'Start']);
});

test('the to-do list of a failed attempt is shown to the next conversation, and an interrupted call stores no second one', async () => {
  const items = [
    { text: 'Write good.txt', state: 'in_progress' },
    { text: 'Run check.sh', state: 'pending' },
  ];
  const todo = { tool: 'todo', input: { items } };
  const scenario = scenarioOf([
    {
      verify: ['sh check.sh'],
      features: [
        { name: 'A', attempts: [attempt(todo, todo, write('half.txt', 'half\n'), report('done')), writes('good.txt')] },
      ],
    },
  ]);
  await using world = await EngineWorld.open({ scenario, files: CHECK });
  await world.run({ conversation: 'fresh' });
  const [failed, succeeded] = world.attempts('A');
  expect(failed).toMatchObject({ status: 'failed', todo: items });
  expect(succeeded).toMatchObject({ status: 'succeeded', todo: [] });
  expect(world.events.filter(({ type }) => type === 'attempt_todo_set')).toHaveLength(1);
  expect(world.opening('worker', 1)).toMatch(
    /attempt 1, as it left it\n<todo \w+>\n\[>\] Write good\.txt\n\[ \] Run check/,
  );
});

test('a worker finds the accepted features in its own git, and a stash or a reset takes none of them away', async () => {
  const look = {
    turns: [bash('sh look.sh'), write('B.txt', 'B\n'), report('done')].flatMap((call) => attempt(call).turns),
  };
  const scenario = scenarioOf([{ features: [{ name: 'A' }, { name: 'B', attempts: [look] }] }]);
  await using world = await EngineWorld.open({
    scenario,
    files: {
      'look.sh': [
        'git log --format=%s',
        'git status --porcelain',
        'git stash --include-untracked',
        'git checkout -q .',
        'git reset --hard HEAD',
        'git clean -ffd',
        'ls *.txt',
        '',
      ].join('\n'),
    },
  });
  await world.run({ allowedCommands: [['ls'], ['sh', 'look.sh']] });
  const shown = JSON.parse(world.sent('worker').at(-2)?.body ?? '').messages.at(-1);
  expect(JSON.stringify(shown)).toMatch(/A\\nStart\\nNo local changes to save\\nHEAD is now at [0-9a-f]+ A\\nA\.txt/);
  expect(world.git('ls-tree', '--name-only', 'main').split('\n')).toEqual(['A.txt', 'B.txt', 'look.sh']);
});

test('a file of some GB is left out of the commit: the worker learns it, the attempt fails as any other, and the next one can do better', async () => {
  const [first, second] = [attempt(write('A.txt', 'A\n'), bash('sh large.sh')), attempt(report('done'))];
  const large = { turns: [...first.turns, ...second.turns] };
  const better = attempt(bash('rm -f large.bin'), write('B.txt', 'B\n'), report('done'));
  const scenario = scenarioOf([{ verify: ['cat A.txt'], features: [{ name: 'A', attempts: [large, better] }] }]);
  await using world = await EngineWorld.open({ scenario, sandbox: true });
  world.userCommits({ 'large.sh': 'truncate -s 3000000000 large.bin\n' });
  await world.run({
    allowedCommands: [
      ['cat', 'A.txt'],
      ['sh', 'large.sh'],
      ['rm', '-f', 'large.bin'],
    ],
  });
  expect(world.attempts('A')).toMatchObject([{ status: 'failed', cause: 'too_large' }, { status: 'succeeded' }]);
  expect(world.attempts('A')[0]?.feedback).toMatch(/"large\.bin" \(3\.0 GB\).*\.gitignore/);
  expect(world.opening('worker', 1)).toContain('"large.bin" (3.0 GB)');
  expect(lastMessage(world.sent('worker')[1])).toMatch(/^\[engine\] Too large to commit/);
  expect(world.feature('A').retry_count).toBe(1);
  expect([...world.state.approvals.values()]).toEqual([]);
  expect(world.git('ls-tree', '--name-only', 'main').split('\n')).toEqual(['A.txt', 'B.txt', 'README.md', 'large.sh']);
});
