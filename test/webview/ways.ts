/** Ways to what the page does not open with. */
import type { Page } from 'playwright-core';

export async function toCosts(page: Page, shown = '.chart canvas'): Promise<void> {
  await page.getByRole('tab', { name: /^(Cost|Kosten)$/ }).click();
  await page.locator(shown).first().waitFor();
}

export async function toConversation(page: Page, project = 'api-migration'): Promise<void> {
  await page.evaluate((name) => window.send({ kind: 'talk', project: name }), project);
  await page.locator('.talk .composer').waitFor();
  await page.locator('.working').waitFor();
}

export async function toTask(page: Page): Promise<void> {
  await page.evaluate(() => window.send({ kind: 'task', taskId: 'task-research' }));
  await page.locator('[data-step="106"]').click();
  await page.locator('.step-details .value').waitFor();
}

export async function toResults(page: Page): Promise<void> {
  await page.locator('[data-card="7"]').evaluate((element) => element.click());
  await page.locator('.candidates').waitFor();
}

export async function toAgents(page: Page): Promise<void> {
  await page
    .locator('.card .choose')
    .first()
    .evaluate((element) => element.click());
  await page.locator('.agent-choice').first().waitFor();
}

/** Opens a collapsed section of the sidebar. */
export async function openSection(page: Page, title: string): Promise<void> {
  await page.locator('.section:not([open]) > summary', { hasText: title }).click();
}

/** Opens the line of a question in the list of what waits. */
export async function openQuestion(page: Page, question: string): Promise<void> {
  const line = page.locator('.approval', { hasText: question });
  await line.locator('details:not([open]) > summary').click();
  await line.locator('.approval-body').waitFor();
}

/** Opens every part that can be closed, so that what it holds is looked at too. */
export async function unfold(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (const part of document.querySelectorAll('details')) part.open = true;
    for (const twistie of document.querySelectorAll<HTMLElement>('.job-head > [aria-expanded=false]')) twistie.click();
  });
}
