/** Steps that run commands: in a clone of their task's own, asked for where they must be, and gone with the task. */

import { existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import { systemClock } from '../../../src/adapters/clock.ts';
import { createGit } from '../../../src/adapters/git/gitPort.ts';
import { createCommandRunner, type ShellRunner } from '../../../src/adapters/shell/commandRunner.ts';
import { homeName } from '../../../src/adapters/shell/sandbox/privateFolders.ts';
import { openTaskClones } from '../../../src/app/owner/taskClones.ts';
import { aboutOf } from '../../../src/core/approval/about.ts';
import { projectQuestion } from '../../../src/engine/approval/questions.ts';
import type { OrderOf } from '../../../src/engine/task/step/stepPorts.ts';
import { homesDirOf, tasksDirOf } from '../../../src/engine/task/step/taskFolders.ts';
import type { StepResult } from '../../../src/shared/task/taskWork.ts';
import { plainGit } from '../../support/git/gitFixture.ts';
import { type World, world } from '../../support/world/gatewayWorld.ts';
import { StepThread, startTask } from '../../support/world/stepWorld.ts';

let folder: string;
let repo: string;
let jobsDir: string;
let at: World;
let stepId: number;
let runners: ShellRunner[];
let threads: StepThread[];

beforeEach(async () => {
  folder = realpathSync(mkdtempSync(join(inject('tempRoot'), 'steps-')));
  [repo, jobsDir, runners, threads] = [join(folder, 'repo'), join(folder, 'jobs'), [], []];
  mkdirSync(repo);
  plainGit(repo, ['init', '-q', '-b', 'main']);
  writeFileSync(join(repo, 'a.txt'), 'committed\n');
  plainGit(repo, ['add', '-A']);
  plainGit(repo, ['commit', '-q', '-m', 'Start']);
  writeFileSync(join(repo, 'a.txt'), 'changed since\n');
  at = await world([]);
  stepId = await startTask(at.store);
});
afterEach(async () => {
  for (const thread of threads) thread.close();
  for (const runner of runners) await runner.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
});

function steps(confine: boolean) {
  const clock = systemClock();
  const commands = createCommandRunner({ clock, confine, denyRead: [jobsDir] });
  const git = createGit({ clock, env: process.env });
  const isThere = async (path: string) => existsSync(path);
  const places = { repository: repo, tasksDir: tasksDirOf(jobsDir), isThere };
  const thread = new StepThread(at, new Map(), { clock, commands, git, ...places });
  runners.push(commands);
  threads.push(thread);
  return { thread: thread.steps, sandbox: () => commands.sandbox() };
}

function order(command: string, more: Partial<OrderOf<'command'>> = {}): OrderOf<'command'> {
  const of = { taskId: 'task-1', projectId: 'default', stepId, sessionId: null, allowedHosts: [] };
  const cloneDir = at.store.state.tasks.get('task-1')?.clone_dir ?? null;
  return { kind: 'command', ...of, command, timeoutMs: 20_000, network: 'none', cloneDir, ...more };
}

/** The steward says yes to what the step asked. */
async function approve(result: StepResult): Promise<void> {
  if (result.outcome !== 'ask') throw new Error(`nothing was asked: ${JSON.stringify(result)}`);
  const [id = 0] = at.store.nextIds('approvals', 1);
  const approval = projectQuestion('default', id, {
    ...result.asked,
    about: aboutOf(result.asked.subject),
    task_id: 'task-1',
  });
  await at.store.commit({ type: 'task_step_asked', task_id: 'task-1', step_id: stepId, approval });
  const yes = { decision: 'approved', choice: null, feedback: null, by: 'steward' } as const;
  await at.store.commit({ type: 'approval_decided', id, ...yes });
}

describe('without a sandbox', () => {
  test('a command is asked for, and runs once that very command is approved; its output is the result', async () => {
    const { thread } = steps(false);
    const asked = await thread.step(1, order('cat a.txt'));
    expect(asked).toMatchObject({ outcome: 'ask', asked: { kind: 'command', detail: 'cat a.txt' } });
    await approve(asked);
    expect(await thread.step(2, order('cat a.txt'))).toEqual({
      outcome: 'completed',
      result: 'committed',
      session: null,
    });
    expect(await thread.step(3, order('cat a.txt '))).toMatchObject({ outcome: 'ask' });
    // What it reads, or runs, may be another thing by now.
    expect(await thread.step(4, order('cat a.txt'))).toMatchObject({ outcome: 'ask' });
  });

  test('commands of a task share one clone, made of HEAD and told; the repository is left alone', async () => {
    const { thread } = steps(false);
    for (const command of ['echo made > b.txt', 'cat b.txt']) await approve(await thread.step(1, order(command)));
    const cloneDir = at.store.state.tasks.get('task-1')?.clone_dir ?? null;
    expect(cloneDir).toBe(join(tasksDirOf(jobsDir), 'task-1', 'work', 'clone'));
    expect(at.store.state.tasks.get('task-1')?.clone_commit).toBe(plainGit(repo, ['rev-parse', 'HEAD']).trim());
    await thread.step(2, order('echo made > b.txt'));
    expect(await thread.step(3, order('cat b.txt'))).toMatchObject({ outcome: 'completed', result: 'made' });
    // An order that was made before there was a clone.
    await approve(await thread.step(4, order('cat b.txt', { cloneDir: null })));
    expect(await thread.step(5, order('cat b.txt', { cloneDir: null }))).toMatchObject({ result: 'made' });
    expect(at.log.events.filter(({ type }) => type === 'task_cloned')).toHaveLength(1);
    expect(readdirSync(repo).sort()).toEqual(['.git', 'a.txt']);
  });

  test('of two side by side one makes the clone, and the other is not stopped with it', async () => {
    const { thread } = steps(false);
    const many = { ...order('cat a.txt'), stepId: stepId + 1 };
    const [first, second] = [thread.step(1, order('cat a.txt')), thread.step(2, many)];
    await expect.poll(() => existsSync(tasksDirOf(jobsDir))).toBe(true);
    thread.abort(1);
    expect(await first).toEqual({ outcome: 'aborted' });
    expect(await second).toMatchObject({ outcome: 'ask' });
  });

  test('a folder that is no repository cannot be cloned, and that is said', async () => {
    rmSync(join(repo, '.git'), { recursive: true });
    const { thread } = steps(false);
    expect(await thread.step(1, order('cat a.txt'))).toMatchObject({
      outcome: 'failed',
      error: expect.stringMatching(/repository/),
    });
  });

  test('one that fails, prints much, or takes too long fails the step with the end of what it said', async () => {
    const { thread } = steps(false);
    const said = async (command: string, timeoutMs = 20_000) => {
      await approve(await thread.step(1, order(command)));
      return thread.step(2, order(command, { timeoutMs }));
    };
    const failed = await said('echo no; exit 3');
    expect(failed).toMatchObject({ outcome: 'failed', result: 'no' });
    expect(failed).toHaveProperty('error', 'it ended with exit code 3. The end of its output:\nno');
    expect(await said('sleep 77', 300)).toHaveProperty('error', 'it was ended after 0.3 seconds');
    const much = await said('seq 400000; echo the end');
    const text = much.outcome === 'completed' ? String(much.result) : '';
    expect(text).toMatch(/bytes cut/);
    expect(text.endsWith('the end')).toBe(true);
    expect(text.length).toBeLessThan(1_100_000);
  });
});

test('in the sandbox a command runs unasked, and is asked for only where it wants the registries: once for this line', async ({
  skip,
}) => {
  const { thread, sandbox } = steps(true);
  skip((await sandbox()).mode === 'unconfined', 'no sandbox on this machine');
  expect(await thread.step(1, order('cat a.txt'))).toMatchObject({ outcome: 'completed', result: 'committed' });
  // Its git borrows objects from a folder that is denied here, as it is in the home.
  expect(await thread.step(5, order('git log --format=%s'))).toMatchObject({ outcome: 'completed', result: 'Start' });
  const asked = await thread.step(2, order('echo far', { network: 'registries' }));
  expect(asked).toMatchObject({
    outcome: 'ask',
    asked: { question: 'Let this command reach the package registries?' },
  });
  await approve(asked);
  expect(await thread.step(3, order('echo far', { network: 'registries' }))).toMatchObject({ result: 'far' });
  // That was no leave to run without walls.
  expect(await steps(false).thread.step(4, order('echo far', { network: 'registries' }))).toMatchObject({
    outcome: 'ask',
  });
});

test('a clone goes with its task, at once or at the next start; one that failed keeps it for another try', async () => {
  const clone = (id: string) => join(tasksDirOf(jobsDir), id);
  for (const id of ['task-1', 'task-of-nobody']) mkdirSync(join(clone(id), 'work', 'clone'), { recursive: true });
  const { store } = at;
  const cloned = { clone_dir: join(clone('task-1'), 'work', 'clone'), commit: 'a' };
  await store.commit({ type: 'task_cloned', task_id: 'task-1', ...cloned });
  const home = join(homesDirOf(jobsDir), 'default', 'home', homeName(cloned.clone_dir, 'agent'));
  mkdirSync(home, { recursive: true });
  const problems: string[] = [];
  const clones = openTaskClones(store, jobsDir, (text) => problems.push(text));
  await store.commit({ type: 'task_failed', task_id: 'task-1', reason: 'a step failed', message: null });
  await expect.poll(() => existsSync(clone('task-of-nobody'))).toBe(false);
  expect(existsSync(clone('task-1'))).toBe(true);
  await store.commit({ type: 'task_removed', task_id: 'task-1', by: 'steward' });
  await clones.close();
  expect([existsSync(clone('task-1')), existsSync(home), problems]).toEqual([false, false, []]);
});
