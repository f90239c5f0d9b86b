/** The user's branch moves on before and after a merge, in a real repository. What a job makes of it: test/unit/engine/job/movedBase.test.ts. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { reviewRange } from '../../../src/core/approval/stewardship.ts';
import { approves, attempt, bash, report, scenarioOf, write, writes } from '../../support/demo/briefs.ts';
import { plainGit } from '../../support/git/gitFixture.ts';
import { EngineWorld } from '../../support/world/engineWorld.ts';

test('a maintainer gets one commit per feature, in the style of the repository and in the name of the user', async () => {
  const scenario = scenarioOf([{ features: [{ name: 'Add a parser', attempts: [writes('a.txt')] }] }]);
  await using world = await EngineWorld.open({ scenario });
  for (const [key, value] of Object.entries({ 'user.name': 'Me', 'user.email': 'me@example.org' }))
    plainGit(world.repo, ['config', key, value]);
  for (const subject of ['feat: one', 'fix(core): two'])
    plainGit(world.repo, ['commit', '-q', '--allow-empty', '-m', subject]);
  await world.run();
  const feature = world.feature('Add a parser');
  expect(world.git('log', '--format=%an <%ae>%n%B', 'main^2', '-1')).toBe(
    [
      'Me <me@example.org>',
      'feat: add a parser',
      '',
      'Reported done.',
      '',
      `Autonomous-Job: ${world.jobId}`,
      `Autonomous-Feature: ${feature.id}`,
      'Co-authored-by: Autonomous <autonomous@localhost>',
    ].join('\n'),
  );
  expect(world.git('log', '--format=%an%n%(trailers:key=Autonomous-Job,valueonly)', 'main', '-1')).toBe(
    `Me\n${world.jobId}`,
  );
});

test('a base that moved on is merged in the clone and asked about again; a conflict names both sides, and touches nothing', async () => {
  const scenario = scenarioOf([{ features: [{ name: 'A', attempts: [writes('A.txt', 'ours\n')] }] }]);
  await using world = await EngineWorld.open({ scenario });
  await world.submit({ gates: ['merge'] });
  const first = await world.asked('merge');
  const moved = world.userCommits({ 'B.txt': 'theirs\n' });
  await world.approve('merge');
  await world.until('the base is merged', () => world.happened('base_merged').length === 1);
  const again = await world.asked('merge');
  expect(again.commit).not.toBe(first.commit);
  expect(world.git('rev-parse', 'main')).toBe(moved);

  const theirs = world.userCommits({ 'A.txt': 'theirs\n' });
  await world.approve('merge');
  const asked = await world.asked('conflict');
  await world.is('awaiting_steward');
  expect(asked.detail).toContain(`Theirs: main at ${theirs}`);
  expect(asked.detail).toContain(`Ours: ${world.job.branch} at ${world.job.head}`);
  expect(asked.detail).toContain('A.txt');
  expect(world.git('rev-parse', 'main')).toBe(theirs);
  expect(world.git('status', '--porcelain')).toBe('');

  world.git('revert', '--no-edit', 'HEAD');
  await world.approve('conflict', { choice: 'retry' });
  await world.until('the base is merged', () => world.happened('base_merged').length === 2);
  const last = await world.approve('merge');
  await world.is('completed');
  expect(world.git('rev-parse', 'main^2')).toBe(last.commit);
  expect(world.git('show', 'main:A.txt')).toBe('ours');
  expect(world.git('show', 'main:B.txt')).toBe('theirs');
  expect(world.git('status', '--porcelain')).toBe('');
});

test('a reviewer, the phase gate and the summarizer see what a worker changed in files that the user added to the base', async () => {
  const weakens = attempt(write('nine.test', 'expect ten\n'), bash('rm kept.test'), report('done'));
  const scenario = scenarioOf(
    [{ features: [{ name: 'A' }] }, { features: [{ name: 'B' }], reviews: [approves, approves] }],
    { otherwise: { feature: { attempts: [weakens] } } },
  );
  await using world = await EngineWorld.open({ scenario, sandbox: 'needed' });
  await world.submit({ gates: ['merge', 'phase'] });
  await world.approve('phase');
  await world.until('phase 1 is approved', () => world.happened('phase_approved').length === 1);
  await world.approve('phase');
  await world.asked('merge');
  world.userCommits({ 'nine.test': 'expect nine\n', 'kept.test': 'expect more\n' }, 'Test nine formats');
  await world.approve('merge');
  await world.until('the base is merged', () => world.happened('base_merged').length === 1);
  await world.reject('merge', 'Ten formats.');
  const asked = await world.asked('phase');

  const opening = world.opening('reviewer', 2);
  const [since = '', rest = ''] = opening
    .slice(opening.indexOf('# Changes since that review'))
    .split('# Feedback by which');
  const diff = rest.slice(rest.indexOf('# Diff'));
  for (const part of [since, diff]) {
    expect(part).toContain('-expect nine\n+expect ten');
    expect(part).toContain('-expect more');
  }
  // The work of the phase from before the base moved is still a part of its difference. That of phase 1 is not.
  expect(diff).toContain('+++ b/B.txt');
  expect(diff).not.toContain('A.txt');
  expect(since).not.toContain('B.txt');
  expect(asked.detail).toMatch(/ kept.test \(gone\) \| 1 -\n/);
  expect(asked.detail).toMatch(/ nine.test +\| 2 \+-\n/);
  expect(asked.detail).toContain('B.txt');
  expect(
    world.git(
      '--git-dir',
      join(world.job.job_dir, 'git'),
      'show',
      `${reviewRange(world.state, asked)?.from}:nine.test`,
    ),
  ).toBe('expect nine');
  await world.approve('phase');
  await world.asked('merge');
  expect(world.opening('summarizer', 2)).toMatch(/ kept.test \(gone\) \| 1 -\n/);
});

test('roll back takes a merge back with one commit, once, also after one that was killed, and not once something was built on it', async () => {
  await using world = await EngineWorld.open();
  await world.run();
  const before = world.git('rev-parse', 'main');
  // As a roll back that was killed leaves it: the next owner takes its lock off, whatever became of the job.
  const [gitDir, nonce] = [join(world.repo, '.git'), 'autonomous that-was-killed'];
  const to = world.git('rev-parse', 'main^');
  const journal = join(world.job.job_dir, 'git', 'move.json');
  writeFileSync(journal, JSON.stringify({ root: world.repo, gitDir, ref: 'refs/heads/main', from: before, to, nonce }));
  writeFileSync(join(gitDir, 'index.lock'), nonce);
  await world.restart();
  expect([existsSync(join(gitDir, 'index.lock')), existsSync(journal)]).toEqual([false, false]);

  const { commit } = await world.owner.request('rollBack', { jobId: world.jobId });
  expect(world.git('rev-parse', 'main')).toBe(commit);
  expect(world.git('rev-parse', 'main^')).toBe(before);
  expect(world.git('rev-parse', 'main^{tree}')).toBe(world.git('rev-parse', `${before}^1^{tree}`));
  expect(world.git('status', '--porcelain')).toBe('');
  expect(world.job.merge?.rolledBack).toBe(true);
  const again = world.owner.request('rollBack', { jobId: world.jobId });
  await expect(again).rejects.toMatchObject({ code: 'NOT_PERMITTED' });

  await world.run();
  const tip = world.userCommits({ 'more.txt': 'x\n' });
  const late = world.owner.request('rollBack', { jobId: world.jobId });
  await expect(late).rejects.toMatchObject({ code: 'NOT_PERMITTED', message: expect.stringContaining('moved on') });
  expect(world.git('rev-parse', 'main')).toBe(tip);
  expect(world.job.merge?.rolledBack).toBe(false);
});
