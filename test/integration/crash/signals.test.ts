/** Stop signals to a run in the terminal: the first pauses durably, the second one ends at once, and `--resume` goes on; and a task that is killed. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { moneyOf } from '../../support/crashOutcome.ts';
import { CRASH_BRIEF } from '../../support/crashScenario.ts';
import { CRASH_PROGRAMS, type CrashWorld, crashWorld, soon } from '../../support/crashWorld.ts';
import { type Built, buildWith } from '../../support/plantedBug.ts';

let programs: Built;
beforeAll(async () => {
  programs = await buildWith(null, CRASH_PROGRAMS);
});
afterAll(() => programs[Symbol.dispose]());

const RUN = ['run', '--yes', '--no-setup'];
/** The worker's first call of the scenario, after the planner's. */
const IN_THE_ATTEMPT = 2;

async function started(world: CrashWorld) {
  const run = world.cli(...RUN, CRASH_BRIEF);
  await soon('the worker', () => world.server.requests.length >= IN_THE_ATTEMPT);
  return run;
}

/** Goes on until the scenario's question, which `--yes` does not answer, by way of those about a command without a sandbox: one for each try. */
async function resume(world: CrashWorld): Promise<void> {
  world.delayMs = 0;
  for (const _ of [1, 2]) {
    const asked = await world.cli('run', '--resume', '--yes').exit;
    expect(asked).toMatchObject({ code: 3, stderr: '' });
    const question = [...(await world.state()).approvals.values()].find((row) => row.status === 'pending');
    expect(question).toMatchObject({ kind: 'command', detail: 'ls one.txt' });
    expect(await world.cli('approve', String(question?.id)).exit).toMatchObject({ code: 0, stderr: '' });
  }
  const run = await world.cli('run', '--resume', '--yes').exit;
  expect(run).toMatchObject({ code: 3, stderr: '' });
  expect(run.stdout).toContain('Which language?');
  const state = await world.state();
  expect([...state.features.values()].map((row) => [row.status, row.retry_count])).toEqual([
    ['completed', 1],
    ['pending', 0],
    ['pending', 0],
  ]);
  expect([...state.attempts.values()].map((row) => [row.number, row.status])).toEqual([
    [1, 'failed'],
    [2, 'succeeded'],
    [1, 'stuck'],
  ]);
  expect(moneyOf(world, state)).toMatchObject({ invented: [], lost: 0 });
}

describe('a run in the terminal', () => {
  test('pauses durably at SIGTERM, says how to go on, and goes on', async () => {
    await using world = await crashWorld(programs, 300);
    const run = await started(world);
    const asked = performance.now();
    run.kill('SIGTERM');
    const { code, signal, stdout } = await run.exit;
    expect(performance.now() - asked).toBeLessThan(6_000);
    expect({ code, signal }).toEqual({ code: 0, signal: null });
    expect(stdout).toContain('--resume');
    const state = await world.state();
    expect([...state.jobs.values()]).toMatchObject([{ status: 'paused' }]);
    expect([...state.attempts.values()]).toMatchObject([{ status: 'interrupted' }]);
    await resume(world);
  });

  test('pauses durably when nobody reads its output any more', async () => {
    await using world = await crashWorld(programs, 300);
    const run = world.cli(...RUN, CRASH_BRIEF);
    run.unread();
    expect(await run.exit).toMatchObject({ code: 0, signal: null, stderr: '' });
    expect([...(await world.state()).jobs.values()]).toMatchObject([{ status: 'paused' }]);
  });

  test('ends at once at the second SIGTERM, and goes on', async () => {
    await using world = await crashWorld(programs, 500);
    const run = await started(world);
    // Two signals that it finds together when it wakes: the pause of the first has no time to end.
    run.kill('SIGSTOP');
    run.kill('SIGTERM');
    run.kill('SIGINT');
    const asked = performance.now();
    run.kill('SIGCONT');
    const { code, stdout } = await run.exit;
    expect(performance.now() - asked).toBeLessThan(5_000);
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
