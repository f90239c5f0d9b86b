/** A folder in which an older tool worked: its features are on the board, and one button runs them. */
import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { OLD_TABLES, oldDatabase } from '../support/state/oldDatabase.ts';
import { BoardTab } from './boardTab.ts';
import type { Place, Workplace } from './world.ts';

const ROWS = `INSERT INTO features (id, name, description, category, testing_steps, status) VALUES
  (3, 'Sign up', 'Users sign up.', 'auth', '[]', 'completed'),
  (5, 'Log in', 'Users log in.', 'auth', '["type a password"]', 'pending'),
  (8, 'Pay', 'Users pay.', 'shop', '["see the receipt"]', 'pending')`;

export async function olderTool({ project }: Workplace): Promise<void> {
  const state = join(project, '.autonomous');
  await mkdir(state);
  await writeFile(join(state, 'features.db'), await oldDatabase(...OLD_TABLES, ROWS));
}

interface Card {
  readonly id: number;
  readonly job: string | null;
}

export async function backlogIsRun({ window, terminal }: Place): Promise<void> {
  const board = await BoardTab.open(window);
  await board.until('Pending', 'Log in', 'Pay');
  await board.until('Completed', 'Sign up');
  const frame = await window.frameWith('.backlog');
  const button = frame.getByRole('button', { name: 'Run Backlog…' });
  await button.click();
  await window.answerDialog('Cancel');
  const cards = async (): Promise<readonly Card[]> =>
    ((await terminal.ask('board')) as { features: readonly Card[] }).features;
  assert.deepEqual(
    (await cards()).map(({ job }) => job),
    [null, null, null],
    'nothing is filed by a page alone',
  );
  await button.click();
  await window.answerDialog('Run Backlog');
  await window.notifications.saying('Carry out this plan of 1 phase and 2 features?');
  const taken = (await cards()).filter(({ job }) => job !== null);
  assert.deepEqual(taken.map(({ id }) => id).sort(), [5, 8]);
  // The plan's tab may cover the board.
  await BoardTab.open(window);
  const now = await window.frameWith('.board .card');
  await now.locator('.backlog').waitFor({ state: 'detached' });
}
