/** The plan as a page and as a document: at its gate, and of a job under way. */
import assert from 'node:assert/strict';
import { Code } from './code.ts';
import type { Terminal } from './terminal.ts';
import type { Place } from './world.ts';

const PLAN = 'plan.yaml';
const BROKEN = 'This plan cannot be run';
/** As it is typed: the editor indents each line as the one before. */
const ADDED = ['      - name: Say please', '  category: words', 'description: Say please, in the guide.'];
/** All of a plan is in sight: an editor holds no line that is not. */
export const PLAN_SIZE = { width: 1400, height: 1500 };
/** Of a feature that is pending: id, name, category, description, two lists of one line. */
const FEATURE_LINES = 8;

/** Of a job that is filed in the terminal while the window owns the folder. */
export async function planIsEditedAtItsGate({ window, terminal, pictures }: Place): Promise<void> {
  const { page, notifications } = window;
  const code = new Code(window);
  // Nothing of the job before it is in the way.
  await terminal.until('jobs', ({ jobs }) => (jobs as { status: string }[])[0]?.status === 'completed');
  await notifications.saying('Merged into');
  await window.door.command('notifications.clearAll');
  await terminal.autonomous('plan', 'Notes on greetings', '--provider', 'simulated');
  await notifications.press('Simulated run', 'Open Plan');
  const shown = await window.frameWith('.plan-page .plan-acts');
  await shown.getByRole('button', { name: 'Edit as YAML' }).click();
  await window.tab(PLAN).waitFor();
  await code.goTo('title: Simulated run');
  await page.keyboard.type('sub');
  await page.locator('.squiggly-error').first().waitFor();
  await page.keyboard.press('ControlOrMeta+S');
  await notifications.saying(BROKEN);
  await pictures.take('plan-fault');
  // The notification may have taken the focus.
  await code.goTo('subtitle: Simulated run');
  for (const _ of 'sub') await page.keyboard.press('Delete');
  await page.locator('.squiggly-error').first().waitFor({ state: 'detached' });
  await code.goTo('name: Next steps');
  await page.keyboard.press('ControlOrMeta+Shift+End');
  await page.keyboard.press('Delete');
  await code.line('name: Next steps').waitFor({ state: 'detached' });
  await window.titleAction('Accept Plan').click();
  await terminal.until('plan show', ({ accepted }) => accepted === true);
  const { plan_version } = await terminal.ask('plan', 'show');
  assert.equal(plan_version, 2);
  assert.deepEqual(await names(terminal), ['Brief in short', 'Open questions', 'Outline']);
}

/** Of the job of stewardJob.ts, after its cards were moved. */
export async function planIsEditedUnderWay({ window, terminal, pictures }: Place): Promise<void> {
  const { page } = window;
  const code = new Code(window);
  await window.command('Autonomous: Edit Plan');
  await window.tab(PLAN).waitFor();
  await code.goTo('name: Say goodbye');
  await page.keyboard.press('ArrowUp');
  for (let line = 0; line < FEATURE_LINES; line++) await page.keyboard.press('ControlOrMeta+Shift+K');
  await code.line('name: Bow').click();
  await page.keyboard.press('End');
  await page.keyboard.type(' deeply');
  await page.keyboard.press('ControlOrMeta+End');
  await page.keyboard.type(ADDED.join('\n'));
  await page.keyboard.press('ControlOrMeta+S');
  await code.line('- id: 8').waitFor();
  const expected = ['Say hello', 'Ask the name', 'Bow deeply', 'Say thanks', 'Say sorry', 'Say please'];
  assert.deepEqual(await names(terminal), expected);
  await window.command('Autonomous: Compare Plans');
  await window.input.pick('Version 1');
  await window.tab('Plan 1 ↔ 3: Greetings').waitFor();
  await code.line('name: Bow deeply').waitFor();
  await pictures.take('plans');
  await window.tidy();
}

async function names(terminal: Terminal): Promise<string[]> {
  const { plan } = await terminal.ask('plan', 'show');
  const { phases } = plan as { phases: { features: { name: string }[] }[] };
  return phases.flatMap(({ features }) => features.map(({ name }) => name));
}
