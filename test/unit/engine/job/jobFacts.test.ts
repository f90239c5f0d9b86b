/** What the sessions of a job share is read from the commit that the job began with. */
import { describe, expect, test } from 'vitest';
import { folderInstructions, sharedText } from '../../../../src/engine/job/jobFacts.ts';
import { BUILT_IN } from '../../../../src/shared/agent/executors.ts';
import { scenarioOf } from '../../../support/demo/briefs.ts';
import { MemoryGit } from '../../../support/git/memoryGit.ts';
import { promptFeature } from '../../../support/session/promptRows.ts';
import { jobRow } from '../../../support/state/builders.ts';
import { LoopWorld } from '../../../support/world/loopWorld.ts';

const SECRET = `ghp_${'a1B2'.repeat(9)}`;
const FILES = {
  'AGENTS.md': `Tabs, no spaces.\nThe token is ${SECRET}.\n`,
  'CLAUDE.md': '@AGENTS.md\n',
  'package.json': '{"scripts":{"test":"node --test"}}',
  'packages/a/AGENTS.md': 'No classes in here.\n',
  'packages/b/AGENTS.md': 'Classes only.\n',
};

/** A job that began with these files. */
function begun(git: MemoryGit) {
  const base = git.commitOf('main');
  return jobRow({ clone_dir: '/jobs/j/work/1', job_dir: '/jobs/j', baseline: base, head: base });
}

const portsOf = (git: MemoryGit) => ({ git, projectDir: '/p', memory: { facts: null } });

describe('the facts of a job', () => {
  test('have the conventions without secrets, the map, the scripts and the commits', async () => {
    const git = new MemoryGit(FILES);
    const text = await sharedText(portsOf(git), begun(git), { executor: BUILT_IN, projectBody: '' });
    expect(text).toContain('## AGENTS.md\n');
    expect(text).toContain('Tabs, no spaces.\n');
    expect(text).not.toContain(SECRET);
    expect(text).not.toContain('## CLAUDE.md');
    expect(text).toContain('npm run test: node --test');
    expect(text).toContain('\npackages/b/AGENTS.md\n');
    expect(text).toMatch(/<commits \w+>\nStart\n/);
  });

  test('stay as they were when the branch and the job move on', async () => {
    const git = new MemoryGit(FILES);
    const job = begun(git);
    const given = { executor: BUILT_IN, projectBody: '' };
    const before = await sharedText(portsOf(git), job, given);
    const head = git.userCommits({ 'AGENTS.md': 'Spaces.\n', 'new.ts': 'x' });
    expect(await sharedText(portsOf(git), { ...job, head }, given)).toBe(before);
  });

  test('are read once in a process', async () => {
    let reads = 0;
    class Counting extends MemoryGit {
      override async listFiles(...given: Parameters<MemoryGit['listFiles']>) {
        reads++;
        return super.listFiles(...given);
      }
    }
    const git = new Counting(FILES);
    const context = portsOf(git);
    const given = { executor: BUILT_IN, projectBody: '' };
    const first = await sharedText(context, begun(git), given);
    expect(await sharedText(context, begun(git), given)).toBe(first);
    await folderInstructions(context, begun(git), promptFeature, []);
    expect(reads).toBe(1);
    git.userCommits({ 'AGENTS.md': 'Spaces.\n' });
    expect(await sharedText(context, begun(git), given)).toContain('Spaces.');
  });

  test('leave out for another agent the files that it reads itself', async () => {
    const git = new MemoryGit(FILES);
    const text = await sharedText(portsOf(git), begun(git), { executor: 'claude', projectBody: '' });
    expect(text).not.toContain('Tabs, no spaces.');
    expect(text).toContain('npm run test: node --test');
  });

  test('name for a feature the conventions of the folders in its words and in its changed files', async () => {
    const git = new MemoryGit(FILES);
    const about = (description: string, changed: readonly string[]) =>
      folderInstructions(portsOf(git), begun(git), { ...promptFeature, description }, changed);
    expect(await about('Change packages/a/index.ts.', [])).toEqual([
      { path: 'packages/a/AGENTS.md', text: 'No classes in here.\n' },
    ]);
    expect(await about('Change it.', ['packages/b/index.ts'])).toMatchObject([{ path: 'packages/b/AGENTS.md' }]);
    expect(await about('Change it.', [])).toEqual([]);
  });
});

test('the worker is given the conventions of the folders that its feature names', async () => {
  const scenario = scenarioOf([{ features: [{ name: 'packages/a' }] }]);
  await using world = await LoopWorld.open({ scenario, files: FILES });
  await world.run();
  expect(world.opening('worker')).toContain('# Conventions of the folders of this feature\n');
  expect(world.opening('worker')).toContain('No classes in here.');
  expect(world.opening('worker')).not.toContain('Classes only.');
});
