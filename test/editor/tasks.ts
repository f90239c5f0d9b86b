/** The task of the first long-running tasks ever written down: typed as YAML, mended by completion, started, watched and read. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { Code } from './code.ts';
import type { Place } from './world.ts';

const NAME = 'Market Research';
/** The model is simulated, so that no key is needed; `llm_gen` is the error that is mended. */
const TASK = `name: ${NAME}
description: Research competitors in the AI space
objective: Create a comprehensive competitor analysis
estimatedDurationMinutes: 120
completionBehavior: NOTIFY_AND_SUMMARIZE
notifyOnProgress: true
progressIntervalMinutes: 30
provider: simulated
scenario: tasks
steps:
  - name: Identify Competitors
    action: llm_generate
    params:
      prompt: List top 10 AI companies...
    isCheckpoint: true
  - name: Gather Details
    action: llm_gen
    params:
      prompt: "For each competitor: {{step_1_result}}..."
  - name: Anything
    action: conditional
    params:
      condition: size({{Gather Details}}) > 0
      ifTrue: Tell
  - name: Tell
    action: notify
    params:
      title: The details are there
`;

/** Over all that is there. */
async function paste(page: Page, text: string): Promise<void> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.press('ControlOrMeta+V');
}

export async function taskIsWrittenAndWatched({ window, terminal, pictures }: Place): Promise<void> {
  const { page, input, notifications } = window;
  const code = new Code(window);
  await window.command('Autonomous: New Long-Running Task…');
  await input.pick('Empty');
  await code.line('name: Market Research').waitFor();
  await paste(page, TASK);
  const squiggle = page.locator('.squiggly-error').first();
  await squiggle.waitFor();
  await code.line('action: llm_gen').nth(0).waitFor();
  await pictures.take('task-error');
  await code.line('Gather Details').click();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('End');
  await page.keyboard.press('ControlOrMeta+Space');
  const proposal = page.locator('.suggest-widget .monaco-list-row').filter({ hasText: 'llm_generate' });
  await proposal.first().waitFor();
  await pictures.take('task-completion');
  await page.keyboard.press('Enter');
  await squiggle.waitFor({ state: 'detached' });
  await page.locator('.codelens-decoration a').filter({ hasText: 'Start' }).click();
  const board = await window.frameWith('.task-head');
  await board.getByRole('heading', { name: NAME }).waitFor();
  await board.locator('.task-head').getByText('4 of 4 steps').waitFor();
  await board.locator('.task-head').getByText('Completed').waitFor();
  await pictures.take('task-live');
  await notifications.press(NAME, 'Report');
  const report = await window.frameWith('.markdown-body');
  await report.getByText('Gather Details').first().waitFor();
  await pictures.take('task-report');
  const { tasks } = (await terminal.ask('task', 'list', '--all')) as { tasks: Record<string, unknown>[] };
  const task = tasks.find(({ name }) => name === NAME);
  assert.deepEqual([task?.['status'], task?.['stepsDone']], ['COMPLETED', 4]);
  assert.ok(Number(task?.['costUsd']) > 0, 'its steps cost something');
  await window.tidy();
}
