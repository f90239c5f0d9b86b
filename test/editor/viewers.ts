/** One owner, several who look: a terminal that works and a window that shows it, two windows, and what happens when the owner dies. */
import assert from 'node:assert/strict';
import type { Folders } from './folders.ts';
import { killProcess } from './processes.ts';
import { approveIn, onlyJob, pendingOf, stateOf, whenAsked, whenOver, whenState } from './state.ts';
import { ownedByTerminal, VIEWER } from './terminalOwner.ts';
import type { EditorWindow } from './window.ts';
import { type Workplace, withWindow } from './world.ts';

/** Answers the merge question, and returns how often the folder has changed its owner when the job is over. */
async function merges(window: EditorWindow, place: Workplace): Promise<number> {
  const merge = await whenAsked(place, 'merge');
  await approveIn(window, place, merge.id, 'merge');
  const state = await whenOver(place);
  assert.equal(onlyJob(state)?.status, 'completed');
  return state.meta.epoch;
}

/** Until its work has begun: it ends at the gate of its merge at the latest. */
const whenUnderWay = (place: Workplace) =>
  whenState(place, 'a feature under way or done', (state) =>
    [...state.features.values()].some(({ status }) => status === 'in_progress' || status === 'completed'),
  );

export async function terminalIsViewed({ window, viewed }: Folders): Promise<void> {
  const owner = await ownedByTerminal(window, viewed, false);
  try {
    await window.boardSays(VIEWER);
    await window.boardSays(/Plain notes/);
    const { epoch } = (await stateOf(viewed)).meta;
    await approveIn(window, viewed, owner.planId, null);
    assert.equal(await merges(window, viewed), epoch, 'the window never became the owner');
    assert.equal(await owner.ended, 0);
  } finally {
    await owner.kill();
  }
}

export async function deadTerminalIsFollowed({ window, followed }: Folders): Promise<void> {
  const owner = await ownedByTerminal(window, followed, true);
  let epoch = 0;
  try {
    await window.boardSays(VIEWER);
    ({ epoch } = (await stateOf(followed)).meta);
    await approveIn(window, followed, owner.planId, null);
    await whenUnderWay(followed);
  } finally {
    await owner.kill();
  }
  await window.notifications.saying(/took over/i);
  assert.equal(await merges(window, followed), epoch + 1, 'the window took over');
  await window.door.command('notifications.clearAll');
}

/** The window of several folders looks on while another one works in this folder. */
export async function secondWindowTakesOver({ window: second, world, shared }: Folders): Promise<void> {
  await second.choose('shared');
  await withWindow(world, world.vsCode, shared.project, async (first) => {
    await first.brief('Write a few notes.');
    const { id } = await whenAsked(shared, 'plan');
    await second.boardSays(VIEWER);
    await second.boardSays(/Simulated run/);
    await approveIn(second, shared, id, null);
    await whenUnderWay(shared);
    killProcess(first.door.hostPid);
  });
  // On a slow machine the job may have come to its gate before: then the window owns it with its answer, and says nothing.
  const left = await stateOf(shared);
  if (left.meta.epoch === 1 && pendingOf(left).some(({ kind }) => kind === 'merge')) {
    assert.equal(await merges(second, shared), 2, 'the second window took over');
    return;
  }
  await second.notifications.saying(/took over/i);
  const merge = await whenAsked(shared, 'merge');
  // Typed in a terminal, it reaches the window that owns by now.
  const { code, printed } = await shared.terminal.autonomous('approve', String(merge.id), '--choice', 'merge');
  assert.equal(code, 0, printed);
  const state = await whenOver(shared);
  assert.equal(onlyJob(state)?.status, 'completed');
  assert.equal(state.meta.epoch, 2, 'the second window took over');
}
