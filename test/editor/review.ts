/** The review in the multi-diff: a rejection with comments on its lines. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ASKS_BACK, PROGRAM, QUESTION as STUCK } from './stewardJob.ts';
import type { EditorWindow } from './window.ts';
import type { Place } from './world.ts';

export const QUESTION = 'Merge the result into main?';
const REMARK = 'Take the name from the command line.';
const WORDS = 'It greets nobody.';

export async function openReview(window: EditorWindow): Promise<void> {
  await window.notifications.press(QUESTION, 'Review Changes');
  await window.tab(`${QUESTION} (3 files)`).waitFor();
}

/** By the `+` that the margin shows beside a line under the mouse. */
async function comment({ page }: EditorWindow, lineWords: string, text: string): Promise<void> {
  const side = page.locator('.multiDiffEntry .modified').filter({ hasText: lineWords });
  const line = side.locator('.view-line').filter({ hasText: lineWords }).first();
  // The margin knows which lines may be commented on a moment after the text is there.
  await side.locator('.comment-range-glyph').first().waitFor();
  await line.hover({ position: { x: 10, y: 4 } });
  await line.hover({ position: { x: 20, y: 8 } });
  const plus = page.locator('.comment-range-glyph.line-hover').first();
  await plus.click();
  const thread = page.locator('.review-widget');
  await thread.locator('.comment-form .monaco-editor').click();
  await thread.locator('.comment-form .monaco-editor.focused').waitFor();
  await page.keyboard.type(text);
  await thread.locator('.monaco-button').filter({ hasText: 'Add Comment' }).click();
  await thread.locator('.review-comment').filter({ hasText: text }).waitFor();
}

/** What each session of the project was begun with. */
function openings(project: string): string[] {
  const folder = join(project, '.autonomous', 'sessions');
  return readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'));
}

/** Of the job of stewardJob.ts, whose question is answered first: its notification was dismissed before. */
export async function rejectionReachesTheWorker({ window, terminal, project, pictures }: Place): Promise<void> {
  await window.command('Autonomous: Approve');
  await window.input.pick(STUCK);
  await window.input.answer(STUCK, 'The first.');
  await openReview(window);
  await comment(window, 'const name', REMARK);
  await pictures.take('comment');
  await window.titleAction('Reject What Is Reviewed').click();
  await window.input.answer('Your comments in the review go with it: 1', WORDS);
  await window.notifications.saying(ASKS_BACK);
  const { features } = (await terminal.ask('board')) as { features: { name: string; description: string }[] };
  assert.equal(features.at(-1)?.description, `${WORDS}\n\n- ${PROGRAM}:1: ${REMARK}`);
  const told = openings(project).filter((text) => text.includes('"role":"worker"') && text.includes(REMARK));
  assert.equal(told.length, 1, 'one worker was told of the remark');
  await window.titleAction('Reject What Is Reviewed').waitFor({ state: 'hidden' });
}
