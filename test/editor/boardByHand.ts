/** The board, as a person moves its cards and finds them again. */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Plan } from '../../src/shared/job/plan.ts';
import { BoardTab } from './boardTab.ts';
import type { Terminal } from './terminal.ts';
import type { Place } from './world.ts';

/** Of the job of stewardJob.ts. One pending card is left out of the plan in the end. */
export async function cardsAreMovedAndFound(place: Place): Promise<void> {
  const board = await BoardTab.open(place.window);
  await areOrdered(board, place);
  await areFound(board);
  await areDropped(board, place);
  await place.window.tidy();
}

async function areOrdered(board: BoardTab, { terminal, pictures }: Place): Promise<void> {
  await board.until('Pending', 'Wave', 'Bow', 'Say goodbye', 'Say thanks', 'Say sorry');
  await board.hold('Say goodbye', board.card('Wave'));
  await pictures.take('drag');
  await board.saying('Say goodbye takes the place of Wave.');
  await board.drop();
  await board.until('Pending', 'Say goodbye', 'Wave', 'Bow', 'Say thanks', 'Say sorry');
  await board.carry('Bow', ['ArrowUp'], 'Bow takes the place of Wave.');
  await board.until('Pending', 'Say goodbye', 'Bow', 'Wave', 'Say thanks', 'Say sorry');
  assert.deepEqual(await pendingInTerminal(terminal), ['Say goodbye', 'Bow', 'Wave', 'Say thanks', 'Say sorry']);
}

/** What is not allowed, or of a card that is gone, changes nothing. */
async function areDropped(board: BoardTab, { window, terminal, folder }: Place): Promise<void> {
  await board.hold('Bow', board.lane('Completed'));
  await board.saying('Bow stays: a feature completes when an attempt passes its checks.');
  await board.drop();
  await board.carry('Wave', ['ArrowDown'], 'Wave stays: the order is kept within a phase.');
  assert.deepEqual(await pendingInTerminal(terminal), ['Say goodbye', 'Bow', 'Wave', 'Say thanks', 'Say sorry']);

  await terminal.ask('status', await idOf(terminal, 'Bow'), 'failed');
  await board.until('Failed', 'Bow');
  await board.hold('Bow', board.card('Wave'));
  await board.saying('Bow will be retried.');
  await board.drop();
  // Tries anew are money: no page has them at its word.
  await window.answerDialog('Try Again');
  await board.until('Pending', 'Say goodbye', 'Bow', 'Wave', 'Say thanks', 'Say sorry');

  await board.hold('Wave', board.card('Say goodbye'));
  await planWithout(terminal, folder, 'Wave');
  await board.until('Pending', 'Say goodbye', 'Bow', 'Say thanks', 'Say sorry');
  await board.drop();
  await board.saying('Dropped. It can no longer be moved. Nothing changes.');
  assert.deepEqual(await pendingInTerminal(terminal), ['Say goodbye', 'Bow', 'Say thanks', 'Say sorry']);
}

/** In the order that they were put in. */
async function areFound(board: BoardTab): Promise<void> {
  await board.search().fill('sorry manners');
  await board.until('Pending', 'Say sorry');
  await board.search().fill('');
  await board.pick('Category', 'gestures');
  await board.until('Pending', 'Bow', 'Wave');
  await board.until('Completed');
  await board.pick('Category', 'All categories');
  await board.pick('Group', 'By phase');
  await board.groups().filter({ hasText: 'Phase 2: Manners' }).waitFor();
  await board.until('Pending', 'Say goodbye', 'Bow', 'Wave', 'Say thanks', 'Say sorry');
  await board.pick('Group', 'By category');
  await board.until('Pending', 'Say goodbye', 'Say thanks', 'Say sorry', 'Bow', 'Wave');
  await board.groups().filter({ hasText: 'gestures' }).first().waitFor();
  await board.pick('Group', 'No groups');
  await board.until('Pending', 'Say goodbye', 'Bow', 'Wave', 'Say thanks', 'Say sorry');
}

interface Listed {
  readonly id: number;
  readonly name: string;
  readonly lane: string;
}

async function listed(terminal: Terminal): Promise<readonly Listed[]> {
  return (await terminal.ask('board'))['features'] as readonly Listed[];
}

async function pendingInTerminal(terminal: Terminal): Promise<string[]> {
  return (await listed(terminal)).filter(({ lane }) => lane === 'pending').map(({ name }) => name);
}

async function idOf(terminal: Terminal, name: string): Promise<string> {
  return String((await listed(terminal)).find((one) => one.name === name)?.id);
}

/** The steward edits the plan elsewhere: a feature that is not begun is left out. */
async function planWithout(terminal: Terminal, folder: string, name: string): Promise<void> {
  const file = join(folder, 'edited.json');
  const plan = JSON.parse((await terminal.autonomous('plan', 'export')).printed) as Plan;
  const phases = plan.phases.map((one) => ({
    ...one,
    features: one.features.filter((feature) => feature.name !== name),
  }));
  await writeFile(file, JSON.stringify({ ...plan, phases }));
  await terminal.ask('plan', 'edit', '--file', file);
}
