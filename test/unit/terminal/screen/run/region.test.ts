import { describe, expect, test } from 'vitest';
import { progressLines } from '../../../../../src/terminal/screen/run/progress.ts';
import { createScreen } from '../../../../../src/terminal/screen/run/screen.ts';
import { painter } from '../../../../../src/terminal/text/paint.ts';
import { displayWidth } from '../../../../../src/terminal/text/width.ts';
import { isWorking } from '../../../../support/provider/scriptedLoop.ts';
import {
  attemptRow,
  featureRow,
  JOB_ID,
  jobRow,
  phaseRow,
  START,
  START_MS,
  stateOf,
} from '../../../../support/state/builders.ts';
import { ScreenEmulator } from '../../../../support/terminal/screenEmulator.ts';
import { FakeClock } from '../../../../support/time/fakeClock.ts';
import { masked, newestJob, terminalWorld } from '../../../../support/world/terminalWorld.ts';

const NASTY = 'Wipe \u001b[2J the screen \u202e\n数据库迁移 and much more of it, for a name can be long';
const clock = new FakeClock({ now: START_MS });
const live = (text: string) => ({ at: START, jobId: JOB_ID, sessionId: 1, featureId: 2, text });

const state = stateOf({
  jobs: [jobRow({ options: { ...jobRow().options, budgetMicroUsd: 5_000_000 } })],
  phases: [phaseRow({ status: 'completed' }), phaseRow({ id: 2, number: 2, title: NASTY, attempt: 2 })],
  features: [
    featureRow({ status: 'completed' }),
    featureRow({ id: 2, phase_id: 2, name: NASTY, status: 'in_progress' }),
    featureRow({ id: 3, phase_id: 2, status: 'failed' }),
    featureRow({ id: 4, phase_id: 2 }),
  ],
  attempts: [attemptRow({ feature_id: 2, phase_id: 2, number: 3 })],
});

const region = (width: number, of = state) =>
  progressLines({
    state: of,
    jobId: JOB_ID,
    live: live('edit src/\u001bstack.js'),
    elapsedMs: 3_725_000,
    clock,
    width,
    paint: painter(false),
  });

describe('the lines of the region', () => {
  test.each([40, 80, 200])('fit into %i columns and show nothing raw', async (width) => {
    const lines = region(width);
    for (const line of lines) {
      expect(displayWidth(line)).toBeLessThanOrEqual(width);
      expect(line).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    }
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(`golden/region-${width}.txt`);
  });

  test.each([1, 5, 12])('fit even into %i columns', (width) => {
    for (const line of region(width)) expect(displayWidth(line)).toBeLessThanOrEqual(width);
  });

  test('show how far the to-do list of the worker is', () => {
    const attempts = [
      attemptRow({
        feature_id: 2,
        phase_id: 2,
        todo: [
          { text: 'Read it', state: 'done' },
          { text: NASTY, state: 'in_progress' },
        ],
      }),
    ];
    const lines = region(40, { ...state, attempts: new Map(attempts.map((row) => [row.id, row])) });
    expect(lines[3]).toMatch(/^To do 1\/2: Wipe .*…$/);
    for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(40);
  });

  test('say why nothing happens', () => {
    const waiting = jobRow({
      status: 'waiting',
      reason: 'the daily limit is reached',
      wake_at: '2026-11-03T00:00:00.000Z',
    });
    expect(region(100, { ...state, jobs: new Map([[JOB_ID, waiting]]) })[2]).toBe(
      'Waiting until 2026-11-03 00:00 (12h 00m): the daily limit is reached',
    );
    const awaiting = jobRow({ status: 'awaiting_steward', reason: 'Is this plan right?' });
    expect(region(100, { ...state, jobs: new Map([[JOB_ID, awaiting]]) })[2]).toBe(
      'Needs your input: Is this plan right?',
    );
  });
});

describe('the screen', () => {
  test('what scrolls stays above, what is redrawn stays below, also after a resize', () => {
    const emulator = new ScreenEmulator(20);
    const io = { columns: 20, out: (text: string) => emulator.write(text) };
    const screen = createScreen(io);
    screen.draw([], ['phase 1', 'bar']);
    screen.draw(['a line that is longer than the screen'], ['phase 1', 'bar']);
    screen.draw(['second'], ['phase 2', 'bar']);
    expect(emulator.text).toBe('a line that is longe\nr than the screen\nsecond\nphase 2\nbar');
    screen.draw(['last'], []);
    expect(emulator.text).toBe('a line that is longe\nr than the screen\nsecond\nlast\n');
  });

  test('an unchanged region writes nothing', () => {
    const writes: string[] = [];
    const screen = createScreen({ columns: 20, out: (text) => writes.push(text) });
    screen.draw([], ['same']);
    screen.draw([], ['same']);
    expect(writes).toHaveLength(1);
  });

  test('each frame is one write and blanks no line that it draws', () => {
    const writes: string[] = [];
    const screen = createScreen({ columns: 20, out: (text) => writes.push(text) });
    screen.draw([], ['one', 'two']);
    screen.draw([], ['one', 'three']);
    expect(writes).toHaveLength(2);
    expect(writes[1]?.indexOf('\u001b[J')).toBe((writes[1]?.indexOf('three') ?? 0) + 'three\u001b[K'.length);
  });
});

describe('a run on a terminal', () => {
  test.each([40, 80, 200])('leaves lines and the closing on %i columns, and no region', async (columns) => {
    const world = await terminalWorld({ tty: true, columns, script: { attempts: { peek: ['failed'] } } });
    expect(await world.run('run', 'Write a stack', '--yes')).toBe(0);
    const emulator = new ScreenEmulator(columns);
    emulator.write(masked(world.out));
    await expect(emulator.text).toMatchFileSnapshot(`golden/run-tty-${columns}.txt`);
    expect(world.clock.pending).toBe(0);
  });

  test('redraws as time goes by and when something live is heard', async () => {
    const world = await terminalWorld({ tty: true, script: { attempts: { 'push and pop': ['hang'] } } });
    const run = world.run('run', 'x', '--yes');
    await world.until(() => world.store.state.jobs.size > 0 && isWorking(world.store, newestJob(world).id));
    await world.until(() => world.store.state.spends.get(2)?.status === 'settled' && world.clock.pending > 0);
    world.clock.advance(61_000);
    const emulator = new ScreenEmulator(80);
    emulator.write(world.out);
    expect(emulator.text.split('\n').slice(-4)).toEqual([
      'Phase 1/2 Core (executing)',
      '[------------------------------] 0/3 features',
      'Feature 1 push and pop · attempt 1 · edit src/a.js',
      '$0.0247 · 1m 00s · simulation',
    ]);
    world.stop();
    expect(await run).toBe(0);
  });

  test('the to-do list of a running attempt is in job show and board show', async () => {
    const world = await terminalWorld({ tty: true, script: { attempts: { 'push and pop': ['hang'] } } });
    const run = world.run('run', 'x', '--yes');
    await world.until(() => world.store.state.jobs.size > 0 && isWorking(world.store, newestJob(world).id));
    const items = [
      { text: 'Read it', state: 'done' },
      { text: 'Write it', state: 'in_progress' },
    ] as const;
    const [attempt] = world.store.state.attempts.values();
    await world.store.commit({ type: 'attempt_todo_set', id: attempt?.id ?? 0, job_id: newestJob(world).id, items });
    const said = async (...argv: string[]): Promise<string> => {
      const from = world.out.length;
      await world.run(...argv);
      return world.out.slice(from);
    };
    expect(await said('job', 'show')).toMatch(/^To do +1\/2: Write it$/m);
    expect(await said('board', 'show', String(attempt?.feature_id))).toMatch(/\[x\] Read it\n +\[>\] Write it\n/);
    expect(world.out).toContain('To do 1/2: Write it');
    world.stop();
    expect(await run).toBe(0);
  });

  test('colour changes nothing but colour', async () => {
    const plain = await terminalWorld({ tty: true });
    const coloured = await terminalWorld({ tty: true, color: true });
    await plain.run('run', 'x', '--yes');
    await coloured.run('run', 'x', '--yes');
    const shown = [plain, coloured].map((world) => {
      const emulator = new ScreenEmulator(80);
      emulator.write(masked(world.out));
      return emulator.text;
    });
    expect(shown[1]).toBe(shown[0]);
    expect(coloured.out).toContain('\u001b[32m');
    expect(plain.out).not.toContain('\u001b[32m');
  });
});
