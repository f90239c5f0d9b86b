/** Stop signals to a run in the terminal: the first pauses durably, the second one ends at once, and `--resume` goes on; and a task that is killed. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, test } from 'vitest';
import { moneyOf } from '../../support/crash/crashOutcome.ts';
import { CRASH_BRIEF, oneFile } from '../../support/crash/crashScenario.ts';
import { type CrashWorld, crashWorld, soon } from '../../support/crash/crashWorld.ts';
import { testPrograms } from '../../support/process/testPrograms.ts';

const programs = await testPrograms(inject('tempRoot'));

const RUN = ['run', '--yes', '--no-setup'];
/** The worker's first call of the scenario, after the planner's. */
const IN_THE_ATTEMPT = 2;

async function started(world: CrashWorld) {
  const run = world.cli(...RUN, CRASH_BRIEF);
  await soon('the worker', () => world.server.requests.length >= IN_THE_ATTEMPT);
  return run;
}

/** Goes on, up to the question about a command without a sandbox, which `--yes` does not answer; its number. */
async function resume(world: CrashWorld): Promise<string> {
  world.delayMs = 0;
  expect(await world.cli('run', '--resume', '--yes').exit).toMatchObject({ code: 3, stderr: '' });
  const question = [...(await world.state()).approvals.values()].find((row) => row.status === 'pending');
  expect(question).toMatchObject({ kind: 'command', detail: 'ls one.txt' });
  return String(question?.id);
}

describe('a run in the terminal', () => {
  test('pauses durably at SIGTERM, says how to go on, and goes on', async () => {
    await using world = await crashWorld(programs, 300, oneFile);
    const run = await started(world);
    run.kill('SIGTERM');
    const { code, signal, stdout } = await run.exit;
    expect({ code, signal }).toEqual({ code: 0, signal: null });
    expect(stdout).toContain('--resume');
    const state = await world.state();
    expect([...state.jobs.values()]).toMatchObject([{ status: 'paused' }]);
    expect([...state.attempts.values()]).toMatchObject([{ status: 'interrupted' }]);
    // In the worker's tree, then in a fresh checkout.
    for (let times = 0; times < 2; times++) {
      const question = await resume(world);
      expect(await world.cli('approve', question).exit).toMatchObject({ code: 0, stderr: '' });
    }
    expect(await world.cli('run', '--resume', '--yes').exit).toMatchObject({ code: 0, stderr: '' });
    const over = await world.state();
    expect([...over.features.values()].map((row) => [row.status, row.retry_count])).toEqual([['completed', 0]]);
    expect([...over.attempts.values()].map(({ status }) => status)).toEqual(['succeeded', 'succeeded']);
    expect(world.git('show', 'HEAD:one.txt')).toBe('one end\n');
    expect(moneyOf(world, over)).toMatchObject({ invented: [], lost: 0 });
  });

  test('pauses durably when nobody reads its output any more', async () => {
    await using world = await crashWorld(programs, 300, oneFile);
    const run = world.cli(...RUN, CRASH_BRIEF);
    run.unread();
    expect(await run.exit).toMatchObject({ code: 0, signal: null, stderr: '' });
    expect([...(await world.state()).jobs.values()]).toMatchObject([{ status: 'paused' }]);
  });

  test('ends at once at the second SIGTERM, and goes on', async () => {
    await using world = await crashWorld(programs, 500, oneFile);
    const run = await started(world);
    // Two signals that it finds together when it wakes: the pause of the first has no time to end.
    run.kill('SIGSTOP');
    run.kill('SIGTERM');
    run.kill('SIGINT');
    run.kill('SIGCONT');
    const { code, stdout } = await run.exit;
    expect(code).not.toBe(0);
    expect(stdout).toContain('Stopped at once');
    await resume(world);
  });
});

const TASK = `name: Research
steps:
  - { name: Say, action: notify, params: { title: Begun } }
  - { name: List, action: llm_generate, params: { prompt: List them. } }
`;

test('a task that is killed in the middle of an answer goes on there, in the same session', async () => {
  await using world = await crashWorld(programs, 60_000);
  const file = join(world.places.configDir, '..', 'task.yaml');
  writeFileSync(file, TASK);
  const run = world.cli('task', 'new', file, '--start', '--follow');
  await soon('the model is asked', () => world.server.requests.length === 1);
  run.kill('SIGKILL');
  await run.exit;
  const killed = await world.state();
  expect([...killed.task_steps.values()].map(({ status }) => status)).toEqual(['COMPLETED', 'RUNNING']);
  world.delayMs = 0;
  const [id = ''] = killed.tasks.keys();
  expect(await world.cli('task', 'progress', id, '--follow').exit).toMatchObject({ code: 0, stderr: '' });
  const state = await world.state();
  const [said, listed] = state.task_steps.values();
  expect(listed).toMatchObject({ status: 'COMPLETED', tries: 0, result: 'Simulated reply to: List them.' });
  expect(said?.ended_at).toBe([...killed.task_steps.values()][0]?.ended_at);
  expect([...state.sessions.values()].map(({ role, status }) => [role, status])).toEqual([['task', 'completed']]);
  expect([...state.spends.values()].map(({ status }) => status)).toEqual(['unsettled', 'settled']);
  expect(moneyOf(world, state)).toMatchObject({ invented: [], lost: 0 });
});
