/** One owner, several who look: a terminal that works and a window that shows it, two windows, and what happens when the owner dies. */
import assert from 'node:assert/strict';
import { scenarioFile } from '../support/finished.ts';
import { approveIn, onlyJob, whenAsked, whenOver, whenState } from '../support/state.ts';
import { terminal } from '../support/terminal.ts';
import { type HostWindow, inWindow } from '../support/window.ts';
import { newProject, type Scenario, type World } from '../support/world.ts';

const VIEWER = /another window or terminal/i;

function order(world: World, delayMs: number, gates: string): readonly string[] {
  const scenario = scenarioFile(world, delayMs);
  return ['run', '--provider', 'simulated', '--scenario', scenario, '--gates', gates, 'Write notes.'];
}

async function terminalIsViewed(world: World): Promise<void> {
  const project = await newProject(world);
  await inWindow(world, project, async (window) => {
    await window.active();
    // At a terminal it stays and asks, too.
    const owner = terminal(world, project).startAtTty(...order(world, 100, 'plan,merge'));
    try {
      const { id } = await whenAsked(world, project, 'plan');
      await window.boardSays(VIEWER);
      await window.boardSays(/Three notes/);
      await approveIn(window, world, project, id, null);
      const merge = await whenAsked(world, project, 'merge');
      await approveIn(window, world, project, merge.id, 'merge');
      const state = await whenOver(world, project);
      assert.equal(onlyJob(state)?.status, 'completed');
      assert.equal((await owner.ended).code, 0);
      assert.equal(state.meta.epoch, 1, 'the window never became the owner');
    } finally {
      await owner.kill();
    }
  });
}

async function deadTerminalIsFollowed(world: World): Promise<void> {
  const project = await newProject(world);
  await inWindow(world, project, async (window) => {
    await window.active();
    const owner = terminal(world, project).start(...order(world, 1_000, 'merge'));
    try {
      await window.boardSays(VIEWER);
      await whenState(world, project, 'a feature under way', (state) =>
        [...state.features.values()].some(({ status }) => status === 'in_progress'),
      );
      await owner.kill();
      await window.notified(/took over/i);
      const merge = await whenAsked(world, project, 'merge');
      await approveIn(window, world, project, merge.id, 'merge');
      const state = await whenOver(world, project);
      assert.equal(onlyJob(state)?.status, 'completed');
      assert.equal(state.meta.epoch, 2, 'the window took over');
    } finally {
      await owner.kill();
    }
  });
}

async function secondWindowAnswers(
  world: World,
  project: string,
  first: HostWindow,
  second: HostWindow,
): Promise<void> {
  await first.brief('Write a few notes.');
  const { id } = await whenAsked(world, project, 'plan');
  await second.boardSays(VIEWER);
  await second.boardSays(/Simulated run/);
  await approveIn(second, world, project, id, null);
  await whenState(world, project, 'a feature under way', (state) =>
    [...state.features.values()].some(({ status }) => status === 'in_progress'),
  );
  process.kill(first.hostPid, 'SIGKILL');
  await first.close();
  await second.notified(/took over/i);
  const merge = await whenAsked(world, project, 'merge');
  // Typed in a terminal, it reaches the window that owns by now.
  const { code, stdout } = await terminal(world, project).run('approve', String(merge.id), '--choice', 'merge');
  assert.equal(code, 0, stdout);
  const state = await whenOver(world, project);
  assert.equal(onlyJob(state)?.status, 'completed');
  assert.equal(state.meta.epoch, 2, 'the second window took over');
}

async function twoWindows(world: World): Promise<void> {
  const project = await newProject(world);
  await inWindow(world, project, (first) =>
    inWindow(world, project, (second) => secondWindowAnswers(world, project, first, second)),
  );
}

export const viewers: readonly Scenario[] = [
  { name: 'a terminal that works is viewed in the window, which answers its gates', body: terminalIsViewed },
  { name: 'a terminal that is killed is followed by the window that viewed it', body: deadTerminalIsFollowed },
  { name: 'a second window shows the same board, answers, and takes over', body: twoWindows },
];
