/** What a failed attempt leads to: another one that knows why, a phase that is done again, or an end. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { approves, attempt, bash, rejects, report, scenarioOf, write, writes } from '../../../support/demo/briefs.ts';
import { lastMessage } from '../../../support/world/jobWorld.ts';
import { LoopWorld, type Outcomes } from '../../../support/world/loopWorld.ts';

/** Holds once good.txt is there; shows what is instead. */
const CHECK: Outcomes = {
  'sh check.sh': (cwd) => {
    const texts = readdirSync(cwd).map((name) => readFileSync(join(cwd, name), 'utf8'));
    if (existsSync(join(cwd, 'good.txt'))) return { exitCode: 0 };
    return { exitCode: 3, output: `${texts.join('')}good.txt is not there\n` };
  },
};

describe('a verify command that fails', () => {
  test('three times: the feature has failed, and is never picked again', async () => {
    const bad = Array.from({ length: 3 }, (_, nth) => writes('bad.txt', `try ${nth}\n`));
    const scenario = scenarioOf([{ verify: ['sh check.sh'], features: [{ name: 'A', attempts: bad }] }]);
    await using world = await LoopWorld.open({ scenario, commands: CHECK });
    await world.submit({ gates: ['phase'] });
    await world.asked('escalate');
    expect(world.feature('A')).toMatchObject({ status: 'failed', retry_count: 3 });
    expect(world.attempts('A').map((row) => [row.status, row.cause])).toEqual([
      ['failed', 'verify_failed'],
      ['failed', 'verify_failed'],
      ['failed', 'verify_failed'],
    ]);
    const [first] = world.attempts('A');
    expect(first?.evidence).toMatchObject([{ command: 'sh check.sh', exitCode: 3, ended: null }]);
    for (const nth of [1, 2]) {
      expect(world.opening('worker', nth)).toContain('good.txt is not there');
      expect(world.opening('worker', nth)).toContain('exit code 3');
    }
    expect(world.opening('worker', 0)).not.toContain('good.txt is not there');
    expect(world.sent('worker')).toHaveLength(6);
  });

  test('once: the second attempt continues the conversation, on the tree of the first', async () => {
    const scenario = scenarioOf([
      {
        verify: ['sh check.sh'],
        features: [{ name: 'A', attempts: [writes('half.txt'), writes('good.txt')] }, { name: 'B' }],
      },
    ]);
    await using world = await LoopWorld.open({ scenario, commands: CHECK });
    await world.run();
    expect(world.feature('A')).toMatchObject({ status: 'completed', retry_count: 1 });
    const [failed, succeeded] = world.attempts('A');
    expect(failed?.session_id).toBe(succeeded?.session_id);
    expect(world.state.sessions.get(failed?.session_id ?? 0)).toMatchObject({
      status: 'completed',
      features_completed: 2,
    });
    expect(succeeded?.start).toBe(failed?.left);
    const again = world.opening('worker', 1);
    expect(again).toMatch(
      /## Attempt 1: failed \(verify_failed\)\n\nWhy it was not accepted: .*good\.txt is not there/s,
    );
    expect(again).toMatch(/the work of attempt 1, which is not accepted.*\(1\):\n<files \w+>\nhalf\.txt\n/s);
    expect(again).not.toContain('# Brief');
    expect(world.sent('worker')[2]?.body).toContain('# Brief');
    expect(Object.keys(world.git.files('main'))).toEqual(['B.txt', 'README.md', 'good.txt', 'half.txt']);
    expect(world.git.subjects('main^2')).toEqual(['B', 'A', 'Start']);
  });
});

describe('a feature that is done without a change', () => {
  const done = (reason: { no_change_reason?: string }) =>
    attempt({ tool: 'report', input: { outcome: 'done', summary: 'Nothing to do.', ...reason } });

  test('fails unless its report says why none was needed', async () => {
    const attempts = [done({}), done({ no_change_reason: 'The README says so already.' })];
    await using world = await LoopWorld.open({ scenario: scenarioOf([{ features: [{ name: 'A', attempts }] }]) });
    await world.run();
    const [failed, succeeded] = world.attempts('A');
    expect(failed).toMatchObject({ status: 'failed', cause: 'done_without_change', evidence: [] });
    expect(world.opening('worker', 1)).toContain('say why in no_change_reason');
    expect(succeeded).toMatchObject({
      status: 'succeeded',
      cause: 'done_without_change',
      summary: 'Nothing to do.\n\nNo change was needed: The README says so already.',
    });
  });
});

test('without a report an attempt fails, and says so to the next one', async () => {
  const scenario = scenarioOf([
    {
      features: [
        { name: 'A', attempts: [{ turns: [{ text: 'I think it is fine.' }, { text: 'Really.' }] }, writes('A.txt')] },
      ],
    },
  ]);
  await using world = await LoopWorld.open({ scenario });
  await world.run();
  expect(world.attempts('A').map((row) => row.cause)).toEqual(['no_report', 'done']);
  expect(world.feature('A').retry_count).toBe(1);
});

test('with a review of each feature, its rejection is a failed attempt', async () => {
  const scenario = scenarioOf([
    {
      features: [
        {
          name: 'A',
          attempts: [writes('A.txt', 'one\n'), writes('A.txt', 'two\n')],
          reviews: [rejects('Say two.'), approves],
        },
      ],
    },
  ]);
  await using world = await LoopWorld.open({ scenario });
  await world.run({ reviewEachFeature: true });
  expect(world.attempts('A').map((row) => row.cause)).toEqual(['review_rejected', 'done']);
  expect(world.opening('worker', 1)).toContain('Say two.');
  expect(world.git.files('main')['A.txt']).toBe('two\n');
  expect(world.sent('reviewer')).toHaveLength(3);
});

test('a phase that is rejected three times fails, and its job with it', async () => {
  const reviews = ['Wrong.', 'Not yet.', 'Still wrong.'].map((words) => rejects(words, ['A']));
  const attempts = ['one', 'two', 'three'].map((content) => writes('a.txt', content));
  const scenario = scenarioOf([{ features: [{ name: 'A', attempts }], reviews }]);
  await using world = await LoopWorld.open({ scenario });
  const job = await world.run({}, 'failed');
  expect(job.reason).toContain('rejected 3 times');
  expect(job.reason).toContain('Still wrong.');
  expect([...world.state.phases.values()].map((phase) => phase.status)).toEqual(['failed']);
  expect(world.happened('phase_rejected')).toHaveLength(3);
  expect(world.sent('worker')).toHaveLength(6);
  expect(world.opening('worker', 1)).toMatch(
    /Attempt 1 at this feature was accepted\. Then the feature was opened again\..*Wrong\./s,
  );
  expect(world.opening('worker', 2)).toContain('Not yet.');
  expect(world.git.subjects('main')).toEqual(['Start']);
});

describe('a batch', () => {
  const three = [{ name: 'A' }, { name: 'B' }, { name: 'C' }];

  test('takes several features in one conversation, each with a commit of its own', async () => {
    await using world = await LoopWorld.open({ scenario: scenarioOf([{ features: three }]) });
    await world.run({ batch: 3 });
    const sessions = three.map(({ name }) => world.attempts(name)[0]?.session_id);
    expect(new Set(sessions).size).toBe(1);
    expect(world.git.subjects('main^2')).toEqual(['C', 'B', 'A', 'Start']);
    expect(world.sent('worker').at(-1)?.body).toContain('Your feature 1: A');
  });

  test('ends after as many as it may take', async () => {
    await using world = await LoopWorld.open({ scenario: scenarioOf([{ features: three }]) });
    await world.run({ batch: 2 });
    const [a, b, c] = three.map(({ name }) => world.attempts(name)[0]?.session_id);
    expect(a).toBe(b);
    expect(c).not.toBe(a);
  });

  test('ends when a check took so long that the provider no longer caches the conversation', async () => {
    const clocks: LoopWorld['clock'][] = [];
    const slow: Outcomes = {
      'sh check.sh': () => {
        for (const clock of clocks) clock.advance(5 * 60_000 + 1);
        return { exitCode: 0 };
      },
    };
    const scenario = scenarioOf([{ verify: ['sh check.sh'], features: three }]);
    await using world = await LoopWorld.open({ scenario, commands: slow });
    clocks.push(world.clock);
    await world.run({ batch: 3 });
    expect(new Set(three.map(({ name }) => world.attempts(name)[0]?.session_id)).size).toBe(3);
  });

  test('holds the question of a feature that got stuck: the answer continues it', async () => {
    const features = [
      { name: 'A' },
      { name: 'B', attempts: [attempt(write('B.txt', 'x'), report('stuck', 'Why?')), writes('B.txt')] },
    ];
    await using world = await LoopWorld.open({ scenario: scenarioOf([{ features }]) });
    await world.submit({ batch: 3 });
    await world.approve('stuck', { feedback: 'Because.' });
    await world.is('completed');
    const [first, second] = world.attempts('B');
    expect(first?.session_id).toBe(world.attempts('A')[0]?.session_id);
    expect(second?.session_id).toBe(first?.session_id);
    expect(world.opening('worker', 2)).toMatch(/It asked the steward: Why\?\n\nThe steward answered: Because\./);
    expect(world.opening('worker', 2)).toMatch(/the work of attempt 1.*\nB\.txt\n/s);
  });
});

describe('a new conversation', () => {
  const tries = [writes('one.txt', '1\n'), writes('two.txt', '2\n'), writes('good.txt')];
  const scenario = scenarioOf([{ verify: ['sh check.sh'], features: [{ name: 'A', attempts: tries }] }]);

  test('makes the last try, with a digest of all before it and what they left', async () => {
    await using world = await LoopWorld.open({ scenario, commands: CHECK });
    await world.run();
    const sessions = world.attempts('A').map((row) => row.session_id);
    expect(new Set(sessions).size).toBe(2);
    expect(sessions[0]).toBe(sessions[1]);
    const last = world.opening('worker', 2);
    expect(last).toContain('# Phase 1: ');
    expect(last).toMatch(
      /## Attempt 1: failed \(verify_failed\)\n\nIts report: .*## Attempt 2: failed \(verify_failed\)/s,
    );
    expect(last).toMatch(/# What the tree holds beyond that commit\n<diff \w+>\n.*one\.txt.*two\.txt/s);
    expect(Object.keys(world.git.files('main'))).toEqual(['README.md', 'good.txt', 'one.txt', 'two.txt']);
  });

  test('is begun for every attempt when that is chosen', async () => {
    await using world = await LoopWorld.open({ scenario, commands: CHECK });
    await world.run({ conversation: 'fresh' });
    expect(new Set(world.attempts('A').map((row) => row.session_id)).size).toBe(3);
    expect(world.opening('worker', 1)).toMatch(/## Attempt 1.*good\.txt is not there.*# Phase 1: /s);
  });
});

describe('the work of a feature that waits for the steward', () => {
  const asks = attempt(write('half.txt', 'half\n'), report('stuck', 'Which one?'));

  test('is kept while others are accepted, and is in the tree when it continues', async () => {
    const features = [{ name: 'A', attempts: [asks, writes('A.txt')] }, { name: 'B' }];
    await using world = await LoopWorld.open({ scenario: scenarioOf([{ features }]) });
    await world.submit();
    await world.asked('stuck');
    await world.until('B is completed', () => world.feature('B').status === 'completed');
    expect(world.git.files(world.feature('B').commit ?? '')).not.toHaveProperty('half.txt');
    await world.approve('stuck', { feedback: 'The first.' });
    await world.is('completed');
    expect(world.opening('worker', 2)).toMatch(/the work of attempt 1.*\nhalf\.txt\n/s);
    expect(Object.keys(world.git.files('main'))).toEqual(['A.txt', 'B.txt', 'README.md', 'half.txt']);
  });

  test('that conflicts with what was accepted is not in the tree, and the worker is given the files', async () => {
    const conflicting = attempt(write('same.txt', 'mine\n'), report('stuck', 'Which one?'));
    const features = [
      { name: 'A', attempts: [conflicting, writes('A.txt')] },
      { name: 'B', attempts: [writes('same.txt', 'theirs\n')] },
    ];
    await using world = await LoopWorld.open({ scenario: scenarioOf([{ features }]) });
    await world.submit();
    await world.asked('stuck');
    await world.until('B is completed', () => world.feature('B').status === 'completed');
    await world.approve('stuck', { feedback: 'The first.' });
    await world.is('completed');
    expect(world.opening('worker', 2)).toMatch(/work of attempt 1 is not in it.*\nsame\.txt\n/s);
    expect(world.git.files('main')).toMatchObject({ 'A.txt': expect.any(String), 'same.txt': 'theirs\n' });
  });
});

test('a loop of the same call is ended', async () => {
  const round = { text: '', calls: [bash('ls')] as never };
  const scenario = scenarioOf([
    { features: [{ name: 'A', attempts: [{ turns: Array(8).fill(round) }, writes('A.txt')] }] },
  ]);
  await using world = await LoopWorld.open({ scenario });
  await world.run();
  expect(world.attempts('A').map((row) => row.cause)).toEqual(['loop', 'done']);
  expect(lastMessage(world.sent('worker')[0])).toContain('Assignment: worker');
});
