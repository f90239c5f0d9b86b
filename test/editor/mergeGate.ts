/** A result at its merge gate: nothing is merged before the editor was told how, and what would run on this machine was ticked. */
import assert from 'node:assert/strict';
import { openReview, QUESTION } from './review.ts';
import { ASKS_BACK } from './stewardJob.ts';
import type { Terminal } from './terminal.ts';
import type { Place } from './world.ts';

const AS_THE_BRIEF_SAYS = 'Leave it on a separate branch';

/** Of the job of stewardJob.ts, once the question about its rejection is answered. */
export async function resultIsMergedAsTold(place: Place): Promise<void> {
  const { notifications, input } = place.window;
  await notifications.press(ASKS_BACK, 'Answer…');
  await input.answer(ASKS_BACK, 'Everybody.');
  await boardAsksHow(place);
  await executablesAreTicked(place);
}

async function isPending(terminal: Terminal): Promise<void> {
  const { approvals } = (await terminal.ask('approvals')) as { approvals: { status: string }[] };
  assert.deepEqual(
    approvals.map(({ status }) => status),
    ['pending'],
    'what was dismissed is no answer',
  );
}

async function boardAsksHow({ window, terminal }: Place): Promise<void> {
  const { input } = window;
  await window.command('Autonomous: Open Board');
  const board = await window.frameWith('.tab-panel .approval');
  await board.locator('.approval').getByText('Approve', { exact: true }).first().click();
  await input.row('Merge').waitFor();
  const [first] = await input.box.locator('.monaco-list-row .label-name').allTextContents();
  assert.equal(first, AS_THE_BRIEF_SAYS);
  await input.dismiss();
  await isPending(terminal);
}

async function executablesAreTicked({ window, terminal, pictures }: Place): Promise<void> {
  const approve = async (...ticks: readonly string[]): Promise<void> => {
    await window.titleAction('Approve What Is Reviewed').click();
    await window.input.pick('Merge');
    await window.input.row('package.json').waitFor();
    await pictures.take('executables');
    await window.input.tick(...ticks);
  };
  await openReview(window);
  await approve();
  await window.notifications.saying('was not ticked: package.json');
  await isPending(terminal);
  await approve('package.json');
  await terminal.until('jobs', ({ jobs }) => (jobs as { status: string }[])[0]?.status === 'completed');
  assert.match(await terminal.git('show', 'main:package.json'), /node greet\.js/);
  // What is answered closes by itself, and another editor takes the focus.
  await window.tab(QUESTION).waitFor({ state: 'hidden' });
}
