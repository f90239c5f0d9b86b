/** What a newcomer does: from the walkthrough to a merged result, by its buttons and by notifications alone. */
import assert from 'node:assert/strict';
import type { EditorWindow } from './window.ts';
import type { Place } from './world.ts';

const ANSWER = 'A table aligned for people by default. Keep CSV behind --format csv, and add Markdown.';
const FEATURES = 9;
/** Of the walkthrough; the last one, a real model, is not for the demo. */
const STEPS = ['demo', 'board', 'approve', 'diff', 'merge'];

async function openWalkthrough(window: EditorWindow): Promise<void> {
  await window.command('Welcome: Open Walkthrough');
  await window.input.pick('Get started with Autonomous');
}

/** A running card says what it does, for how long, and what it cost; then the first ones are completed. */
async function watchBoard({ window, pictures }: Place): Promise<void> {
  await window.tab('Autonomous Board').click();
  const board = await window.frameWith('.board .card-live');
  await board.locator('.card-live .elapsed').filter({ hasText: /\d/ }).first().waitFor();
  await board.locator('.card .cost').filter({ hasText: /\$\d/ }).first().waitFor();
  await board.locator('.card.lane-completed').first().waitFor();
  await pictures.take('running');
}

async function answerStuck({ window: { notifications, input }, pictures }: Place): Promise<void> {
  await notifications.press('What should "sheet FILE" print', 'Answer…');
  await pictures.take('answer');
  await input.answer('What should "sheet FILE" print', ANSWER);
}

async function reviewAndMerge({ window, pictures }: Place): Promise<void> {
  await window.notifications.press('Merge the result into main?', 'Review Changes');
  await window.tab('Merge the result into main? (24 files)').waitFor();
  await window.page.locator('.multiDiffEntry').filter({ hasText: 'README.md' }).first().waitFor();
  await pictures.take('review');
  await window.titleAction('Approve What Is Reviewed').click();
  await pictures.take('choices');
  await window.input.pick('Merge');
}

/** It is said where the result is, and what is answered is no longer in the way. */
async function seeItTold({ window }: Place): Promise<void> {
  await window.notifications.press('Merged into main at', 'Open What Was Built');
  await window.tab('README.md').waitFor();
  await window.tab('Merge the result into main?').waitFor({ state: 'hidden' });
}

async function seeItDone(place: Place): Promise<void> {
  const { window, terminal, pictures } = place;
  await window.tab('Autonomous Board').click();
  const board = await window.frameWith('.card.lane-completed');
  await board
    .locator('.card.lane-completed')
    .nth(FEATURES - 1)
    .waitFor();
  await terminal.until('jobs', ({ jobs }) => (jobs as { status: string }[])[0]?.status === 'completed');
  await pictures.take('completed');
  const log = (await terminal.git('log', '--oneline')).trim().split('\n');
  assert.ok(log.length > FEATURES, `a commit for each feature, on the first one:\n${log.join('\n')}`);
}

async function seeItTicked({ window, pictures }: Place): Promise<void> {
  await window.tab('Welcome').click();
  const { page } = window;
  for (const step of STEPS) {
    const ticked = page.locator(`.getting-started-step [data-done-step-id$="#${step}"].complete`);
    await ticked.first().waitFor();
  }
  await pictures.take('walkthrough');
}

export async function demoIsMerged(place: Place): Promise<void> {
  const { window, pictures } = place;
  await openWalkthrough(window);
  const begin = window.page.getByRole('button', { name: 'Try the Demo', exact: true });
  await begin.waitFor();
  await begin.click();
  await pictures.take('notification', await window.notifications.saying('Carry out this plan'));
  const plan = await window.frameWith('.plan-page .plan-acts');
  assert.ok((await plan.locator('.plan-feature').count()) >= FEATURES);
  await window.notifications.press('Carry out this plan', 'Approve');
  await watchBoard(place);
  await answerStuck(place);
  await reviewAndMerge(place);
  await seeItTold(place);
  await seeItDone(place);
  await seeItTicked(place);
  await window.tidy();
}
