/** A brief, written as a text is written, with what is chosen for it. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import type { Plan } from '../../src/shared/job/plan.ts';
import type { JobOptions } from '../../src/shared/job/rows.ts';
import { Code } from './code.ts';
import { filesWith } from './files.ts';
import { until } from './patience.ts';
import { whenKept } from './webStorage.ts';
import type { Place } from './world.ts';

interface Filed {
  readonly brief: string;
  readonly options: JobOptions;
}

const LINES = ['Write a guide to greetings.', '', 'Begin with the polite ones.'] as const;
/** For a click on something that may go away. */
const CLICK_MS = 20_000;

/** VS Code stores a text that is not saved some moments after it was typed, below its own folder. */
async function whenStored(folder: string, words: string): Promise<void> {
  await until('the unsaved brief to be stored', () => filesWith(join(folder, 'user'), words).length > 0);
}

/** Beside a record that was imported, which is over and in nobody's way. */
export async function briefIsWritten(place: Place): Promise<void> {
  const { window, terminal, pictures, vsCode } = place;
  const { page, input } = window;
  await window.command('Autonomous: New Brief');
  await window.tab('.brief.md').waitFor();
  await page.locator('.editor-instance .monaco-editor.focused').waitFor();
  await page.keyboard.type(LINES.join('\n'));
  await window.titleAction('Brief Options').click();
  await input.pick('Gates');
  await input.tick('After each approved phase');
  await input.pick('Budget');
  await input.answer('Budget of this brief', '2.50');
  await input.pick('Provider');
  await input.box.filter({ hasText: 'Which provider answers the model calls?' }).waitFor();
  await input.pick('simulation');
  await input.row('Provider').waitFor();
  await input.dismiss();
  const chosen = 'gates: plan, phase, merge · up to 2.50 USD · merge · simulation';
  const lens = page.locator('.codelens-decoration').filter({ hasText: chosen });
  await lens.waitFor();
  await pictures.take('brief');
  await whenStored(vsCode.folder, LINES.at(-1) ?? '');
  for (const part of ['2500000', 'simulated']) await whenKept(page, part);
  // The brief comes back with what was chosen for it.
  await window.reload();
  // The editor stores which of its tabs is in front some moments later: after a reload it may be another one.
  await window.tab('.brief.md').click();
  await lens.waitFor();
  await page.locator('.codelens-decoration a').filter({ hasText: 'Start' }).click();
  await window.frameWith('.plan-page .plan-acts');
  await window.tab('.brief.md').waitFor({ state: 'detached' });
  const { jobs } = await terminal.ask('jobs');
  const job = (jobs as { id: string; status: string }[]).find(({ status }) => status === 'awaiting_steward');
  const { brief, options } = (await terminal.ask('job', 'show', String(job?.id)))['job'] as Filed;
  assert.equal(brief, LINES.join('\n'));
  const { gates, budgetMicroUsd, mergeMode, provider } = options;
  assert.deepEqual([gates, budgetMicroUsd], [['plan', 'phase', 'merge'], 2_500_000]);
  assert.deepEqual([mergeMode, provider], ['merge', 'simulated']);
}

/** What is typed into the plan counts, saved or not, when it is approved from the notification. */
export async function unsavedPlanIsApproved({ window, terminal }: Place): Promise<void> {
  const shown = await window.frameWith('.plan-page .plan-acts');
  await shown.getByRole('button', { name: 'Edit as YAML' }).click();
  await new Code(window).line('title: Simulated run').click();
  await window.page.keyboard.press('End');
  await window.page.keyboard.type(' of greetings');
  await window.notifications.press('Simulated run', 'Approve');
  await terminal.until('approvals', ({ approvals }) => !(approvals as { kind: string }[]).some(isOfPlan));
  const { plan_version, accepted, plan } = await terminal.ask('plan', 'show');
  assert.deepEqual([plan_version, accepted], [2, true]);
  assert.equal((plan as Plan).title, 'Simulated run of greetings');
}

const isOfPlan = ({ kind }: { readonly kind: string }): boolean => kind === 'plan';

export async function briefBeginsWithWhatIsThere({ window }: Place): Promise<void> {
  const { page } = window;
  const code = new Code(window);
  await code.open('README.md');
  await code.line('A spreadsheet for the terminal').click();
  await page.keyboard.press('Home');
  await page.keyboard.press('Shift+End');
  await chooseFrom(page, code.line('A spreadsheet for the terminal'), 'New Brief from Selection');
  await window.tab('1.brief.md').waitFor();
  await code.line('A spreadsheet for the terminal').waitFor();
  assert.equal(await code.line('# Sheet').count(), 0);
  await window.door.command('workbench.view.explorer');
  await chooseFrom(page, page.locator('.explorer-folders-view').getByText('package.json'), 'New Brief from This File');
  await window.tab('2.brief.md').waitFor();
  await code.line('"name": "sheet"').waitFor();
  await window.tidy();
}

/** From the menu of the right mouse button. */
async function chooseFrom(page: Page, target: Locator, item: string): Promise<void> {
  await target.click({ button: 'right' });
  const entry = page.locator('.monaco-menu .action-label').filter({ hasText: item });
  await entry.waitFor();
  // In its first moment a menu takes no click.
  await until(`the menu to take ${item}`, async () => {
    if (await entry.isHidden()) return true;
    await entry.click({ timeout: CLICK_MS }).catch(() => undefined);
    return false;
  });
}
