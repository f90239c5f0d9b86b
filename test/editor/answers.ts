/** Before an answer goes out: an agent's words are no links, and commands are read before they may run. */
import assert from 'node:assert/strict';
import { QUESTION } from './stewardJob.ts';
import type { Place } from './world.ts';

const SETUP = 'npm ci';

const subjects = ({ approvals }: Readonly<Record<string, unknown>>): readonly string[] =>
  (approvals as { subject: string }[]).map(({ subject }) => subject);

/** Of the job of stewardJob.ts, whose question has a link in it. */
export async function agentsWordsAreNoLinks({ window, pictures }: Place): Promise<void> {
  const asking = await window.notifications.saying(QUESTION);
  await pictures.take('words-notification');
  assert.match((await asking.textContent()) ?? '', /\[See the details\]/);
  assert.equal(await asking.locator('a', { hasText: 'See the details' }).count(), 0);
  await window.notifications.press(QUESTION, 'Answer…');
  const prompt = window.input.box.filter({ hasText: 'It depends.' });
  await prompt.waitFor();
  await pictures.take('words-prompt');
  assert.match((await prompt.textContent()) ?? '', /\[See the details\]/);
  assert.equal(await prompt.locator('a', { hasText: 'See the details' }).count(), 0);
  await window.input.dismiss();
}

/** Of a job whose repository says how its packages are installed. */
export async function commandsAreRead({ window, terminal, pictures }: Place): Promise<void> {
  const asking = await window.notifications.saying('Run these setup commands');
  const buttons = asking.locator('.monaco-button');
  assert.equal(await buttons.filter({ hasText: 'Approve' }).count(), 0, 'nothing is approved unseen');
  await window.notifications.press('Run these setup commands', 'Show…');
  const dialog = window.page.locator('.monaco-dialog-box').filter({ hasText: SETUP });
  await dialog.waitFor();
  await pictures.take('setup');
  await dialog.locator('.monaco-button').filter({ hasText: 'Cancel' }).click();
  await dialog.waitFor({ state: 'hidden' });
  assert.deepEqual(subjects(await terminal.ask('approvals')), ['setup'], 'it waits as before');
  await window.command('Autonomous: Approve');
  await window.input.pick('Run these setup commands');
  await dialog.locator('.monaco-button').filter({ hasText: 'Run' }).click();
  await terminal.until('approvals', (printed) => !subjects(printed).includes('setup'));
}
