/** Commands of planner and reviewer: in a copy that is thrown away, in the sandbox, without a question to the steward. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { approves, bash, rejects, scenarioOf, writes } from '../../support/demo/briefs.ts';
import { toolAnswers } from '../../support/session/toolAnswers.ts';
import { EngineWorld } from '../../support/world/engineWorld.ts';

type Turn = ReturnType<typeof writes>['turns'][number];

const turn = (...calls: readonly { readonly tool: string; readonly input: unknown }[]): Turn => ({
  text: '',
  calls: calls as never,
});
const read = (file_path: string) => ({ tool: 'read', input: { file_path } });
const submitsPlan = { turns: [], submit: true };

const copyOf = (world: EngineWorld): string => join(world.job.job_dir, 'fresh', 'tree');

const FILES = {
  '.gitignore': 'node_modules\n',
  'README.md': 'A program.\n',
  'setup.sh': 'mkdir -p node_modules && echo installed > node_modules/mark && echo changed > README.md\n',
};

describe('with a sandbox', () => {
  test('planner and reviewer run commands in a copy of the commit; nothing of it reaches the clone or stays', async () => {
    const spoil = 'cat README.md node_modules/mark; echo spoilt > README.md; echo new > made.txt; git add -A; ls';
    const reviewer = `${spoil}; cat A.txt; which autonomous; touch "$CLONE/x"; pwd`;
    const scenario = scenarioOf(
      [{ features: [{ name: 'A' }], reviews: [{ turns: [turn(bash(reviewer), read('made.txt'))], ...approves }] }],
      { planning: [{ turns: [turn(bash(`${spoil}; cat A.txt`))], submit: true }] },
    );
    await using world = await EngineWorld.open({ scenario, files: FILES, sandbox: 'needed' });
    await world.submit({ setup: ['sh setup.sh'], gates: ['merge'] });
    await world.asked('merge');

    const [planned] = toolAnswers(world, 'planner');
    // As committed, with the setup repeated.
    expect(planned).toContain('A program.');
    expect(planned).toContain('installed');
    expect(planned).toContain('made.txt');
    expect(planned).toMatch(/A\.txt: No such file/);
    const [ran, looked] = toolAnswers(world, 'reviewer');
    expect(ran).toContain('A program.');
    expect(ran).toContain('A.txt');
    expect(ran).toContain(copyOf(world));
    expect(ran).not.toContain('bin/autonomous');
    expect(looked).toContain('made.txt');
    expect(looked).toMatch(/there is no/);

    expect(existsSync(join(world.job.clone_dir ?? '', 'made.txt'))).toBe(false);
    expect(existsSync(copyOf(world))).toBe(false);
    expect([...world.state.approvals.values()].map(({ kind }) => kind)).toEqual(['merge']);
    await world.approve('merge', { choice: 'merge' });
    await world.is('completed');
    expect(world.git('ls-tree', '-r', '--name-only', 'main').split('\n').sort()).toEqual([
      '.gitignore',
      'A.txt',
      'README.md',
      'setup.sh',
    ]);
    expect(world.git('show', 'main:README.md')).toBe('A program.');
  });

  test('the reviewer of one feature gets the commit that it judges; its commands reach no network and no other folder', async () => {
    const tries =
      'cat A.txt; echo x > ../../escaped; for d in ../../work/*; do echo x > $d/escaped; done; curl -sS -m 5 http://192.0.2.1/ || echo no network';
    const features = [{ name: 'A', reviews: [{ turns: [turn(bash(tries))], ...approves }] }];
    await using world = await EngineWorld.open({ scenario: scenarioOf([{ features }]), sandbox: 'needed' });
    await world.submit({ reviewEachFeature: true });
    const ran = await world.until('the reviewer ran it', () => toolAnswers(world, 'reviewer')[0]);
    expect(ran).toContain('A.txt');
    expect(ran).toContain('no network');
    await world.is('completed');
    // Where the sandbox shows a folder of its own in the place of the job's, the write stays in there.
    for (const folder of [world.job.job_dir, world.job.clone_dir ?? ''])
      expect(existsSync(join(folder, 'escaped'))).toBe(false);
  });

  test('a copy that a killed process left is removed, and the session is told that its files are gone', async () => {
    const planning = [{ turns: [turn(bash('echo one > one.txt; ls')), turn(bash('ls'))], submit: true }];
    const scenario = scenarioOf([{ features: [{ name: 'A' }] }], { planning });
    await using world = await EngineWorld.open({
      scenario,
      sandbox: 'needed',
      faults: { 1: { kind: 'stall', afterEvents: 1 } },
    });
    await world.submit({ gates: ['plan'] });
    await world.until('the planner ran a command', () => world.sent('planner').length === 2);
    expect(existsSync(join(copyOf(world), 'one.txt'))).toBe(true);
    await world.owner.request('pauseJob', { jobId: world.jobId });
    await world.until('it is removed', () => !existsSync(copyOf(world)));
    // As a kill leaves it.
    mkdirSync(copyOf(world), { recursive: true });
    writeFileSync(join(copyOf(world), 'left.txt'), 'left');
    await world.owner.request('resumeJob', { jobId: world.jobId });
    await world.asked('plan');
    const [first, second] = toolAnswers(world, 'planner');
    expect(first).toContain('one.txt');
    expect(second).toContain('The copy was created again');
    expect(second).not.toMatch(/one\.txt|left\.txt/);
    await world.until('that is removed', () => !existsSync(copyOf(world)));
    await world.owner.request('cancelJob', { jobId: world.jobId, reason: 'seen' });
  });
});

test('without a sandbox a command that is not allowed is refused at once, and the steward is not asked', async () => {
  const scenario = scenarioOf(
    [
      {
        features: [{ name: 'A', attempts: [writes('A.txt', 'one\n'), writes('A.txt', 'two\n')] }],
        reviews: [rejects('Do it.', ['A']), { turns: [turn(bash('ls'))], ...approves }],
      },
    ],
    { planning: [{ ...submitsPlan, turns: [turn(bash('cat README.md'))] }] },
  );
  await using world = await EngineWorld.open({ scenario });
  await world.run();
  expect(toolAnswers(world, 'planner')[0]).toMatch(
    /no sandbox, so only commands that the job allows run here: `ls`,.*No person is asked/,
  );
  expect(toolAnswers(world, 'reviewer')[0]).toContain('A.txt');
  expect([...world.state.approvals.values()]).toEqual([]);
  expect(existsSync(copyOf(world))).toBe(false);
});
