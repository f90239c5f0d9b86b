/** A brief, written as a text is written, with what is chosen for it. */
import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import type { JobOptions } from '../../src/shared/domain.ts';
import type { Plan } from '../../src/shared/plan.ts';
import { Code } from './code.ts';
import { recordFromElsewhere, recordIsImported } from './kept.ts';
import type { Terminal } from './terminal.ts';
import type { EditorWindow } from './window.ts';
import { inWindow, type World } from './world.ts';

interface Filed {
  readonly brief: string;
  readonly options: JobOptions;
}

const LINES = ['Write a guide to greetings.', '', 'Begin with the polite ones.'];

/** Beside a record that was imported, which is over and in nobody's way. */
export async function briefIsWritten(world: World): Promise<void> {
  const prepare = (_: Terminal, folder: string) => recordFromElsewhere(world.program, folder);
  await inWindow(world, 'b', { prepare }, async (place) => {
    const { window, terminal, pictures } = place;
    const { page, input } = window;
    await recordIsImported(place);
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
    await input.pick('simulation');
    await input.row('Provider').waitFor();
    await page.keyboard.press('Escape');
    const chosen = 'gates: plan, phase, merge · up to 2.50 USD · merge · simulation';
    const lens = page.locator('.codelens-decoration').filter({ hasText: chosen });
    await lens.waitFor();
    await pictures.take('brief');
    // The brief comes back with what was chosen for it.
    await page.reload();
    await lens.waitFor();
    await page.locator('.codelens-decoration a').filter({ hasText: 'Start' }).click();
    await window.tab('plan.yaml').waitFor();
    await window.tab('.brief.md').waitFor({ state: 'detached' });
    const { jobs } = await terminal.ask('jobs');
    const job = (jobs as { id: string; status: string }[]).find(({ status }) => status === 'awaiting_steward');
    const { brief, options } = (await terminal.ask('job', 'show', String(job?.id)))['job'] as Filed;
    assert.equal(brief, LINES.join('\n'));
    const { gates, budgetMicroUsd, mergeMode, provider } = options;
    assert.deepEqual([gates, budgetMicroUsd], [['plan', 'phase', 'merge'], 2_500_000]);
    assert.deepEqual([mergeMode, provider], ['merge', 'simulated']);
    await acceptUnsavedPlan(window, terminal);
  });
}

/** What is typed into the plan counts, saved or not, when it is approved from the notification. */
async function acceptUnsavedPlan(window: EditorWindow, terminal: Terminal): Promise<void> {
  await new Code(window).line('title: Simulated run').click();
  await window.page.keyboard.press('End');
  await window.page.keyboard.type(' of greetings');
  await window.notifications.press('Simulated run', 'Approve');
  await terminal.until('approvals', ({ approvals }) => (approvals as unknown[]).length === 0);
  const { plan_version, accepted, plan } = await terminal.ask('plan', 'show');
  assert.deepEqual([plan_version, accepted], [2, true]);
  assert.equal((plan as Plan).title, 'Simulated run of greetings');
}

export async function briefBeginsWithWhatIsThere(world: World): Promise<void> {
  await inWindow(world, 'bs', {}, async ({ window }) => {
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
    await chooseFrom(
      page,
      page.locator('.explorer-folders-view').getByText('package.json'),
      'New Brief from This File',
    );
    await window.tab('2.brief.md').waitFor();
    await code.line('"name": "sheet"').waitFor();
  });
}

const MENU_TRIES = 20;

/** From the menu of the right mouse button. */
async function chooseFrom(page: Page, target: Locator, item: string): Promise<void> {
  const entry = page.locator('.monaco-menu .action-label').filter({ hasText: item });
  // A menu has what the extension offers at that moment: on a busy machine it may still be starting.
  for (let tries = 0; ; tries++) {
    await target.click({ button: 'right' });
    const there = await entry.waitFor({ timeout: 3_000 }).then(
      () => true,
      () => false,
    );
    if (there || tries >= MENU_TRIES) break;
    await page.keyboard.press('Escape');
  }
  const closed = (): Promise<void> => entry.waitFor({ state: 'hidden', timeout: 2_000 });
  await entry.click();
  // In its first moment a menu takes no click.
  await closed().catch(async () => {
    await entry.click();
    await closed();
  });
}
