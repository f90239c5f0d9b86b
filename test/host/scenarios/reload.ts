/** A window that goes away in the middle of a run loses nothing and pays nothing twice. */
import assert from 'node:assert/strict';
import type { State } from '../../../src/shared/state.ts';
import { approveIn, onlyJob, whenAsked, whenOver, whenState } from '../support/state.ts';
import { HostWindow } from '../support/window.ts';
import { newProject, type Scenario, type World } from '../support/world.ts';

async function begin(window: HostWindow, world: World, project: string): Promise<void> {
  await window.command('autonomous.newBrief', { text: 'Write a few notes on this repository.' });
  await window.command('autonomous.startBrief');
  const { id } = await whenAsked(world, project, 'plan');
  await approveIn(window, world, project, id, null);
}

async function finish(window: HostWindow, world: World, project: string): Promise<State> {
  const { id } = await whenAsked(world, project, 'merge');
  await approveIn(window, world, project, id, 'merge');
  return whenOver(world, project);
}

const completed = (state: State): number =>
  [...state.features.values()].filter(({ status }) => status === 'completed').length;

/** Calls by what came of them. */
function ledger(state: State): { readonly settled: number; readonly unsettled: number; readonly all: number } {
  const spends = [...state.spends.values()];
  const count = (status: string): number => spends.filter((row) => row.status === status).length;
  return { settled: count('settled'), unsettled: count('unsettled'), all: spends.length };
}

/** Everything that a person sees of the outcome, without ids and times. */
function outcome(state: State): object {
  return {
    job: onlyJob(state)?.status,
    features: [...state.features.values()].map(({ name, status, retry_count }) => [name, status, retry_count]),
    attempts: [...state.attempts.values()].map(({ number, status, cause }) => [number, status, cause]),
    approvals: [...state.approvals.values()].map(({ kind, status }) => [kind, status]),
  };
}

type Disturb = (window: HostWindow) => Promise<void>;

/** Each time that one more feature is completed, the next thing happens to the window. */
async function runThrough(world: World, disturbances: readonly Disturb[]): Promise<State> {
  const project = await newProject(world);
  const window = await HostWindow.open(world, project);
  try {
    await begin(window, world, project);
    for (const [before, disturb] of disturbances.entries()) {
      await whenState(world, project, 'one more completed feature', (state) => completed(state) > before);
      await disturb(window);
    }
    return await finish(window, world, project);
  } finally {
    await window.close();
  }
}

async function killed(window: HostWindow): Promise<void> {
  process.kill(window.hostPid, 'SIGKILL');
  await window.load();
}

async function disturbed(world: World): Promise<void> {
  const plain = await runThrough(world, []);
  const disturbances: readonly Disturb[] = [(window) => window.reload(), killed];
  const after = await runThrough(world, disturbances);
  assert.deepEqual(outcome(after), outcome(plain));
  assert.equal(after.meta.epoch, 1 + disturbances.length, 'each time another extension host went on');
  assert.equal(ledger(plain).settled, ledger(plain).all);
  const { settled, unsettled, all } = ledger(after);
  assert.ok(settled <= ledger(plain).settled, 'no answered call was paid twice');
  // An answer that was kept when the process died before its booking is listed as unsettled.
  assert.ok(settled + unsettled >= ledger(plain).settled, 'every call is in the ledger');
  assert.equal(all, settled + unsettled, 'every call is booked');
  assert.ok(unsettled <= disturbances.length, 'at most the call in flight each time is listed as unsettled');
}

export const reload: readonly Scenario[] = [
  {
    name: 'a window that is reloaded in mid-run, and whose extension host is killed later, goes on and pays nothing twice',
    body: disturbed,
  },
];
