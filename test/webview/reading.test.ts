/** Small things that make the board easy to read: no filter where none is set, output as output, buttons in sight. */
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import type { WebviewWorld } from './browser.ts';
import { sharedWorld } from './shared.ts';
import { openQuestion } from './ways.ts';

let world: WebviewWorld;

beforeAll(async () => {
  world = await sharedWorld();
});

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

it('names no filter where the only job is open and hides nothing', async () => {
  const { page } = await world.open('view=board&cards=20');
  await page.evaluate(() => {
    const view = window.shown();
    const cards = view.cards.filter(({ jobId }) => jobId === 'job-1');
    window.show({ ...view, jobs: view.jobs.filter(({ id }) => id === 'job-1'), cards });
    window.send({ kind: 'job', jobId: 'job-1' });
  });
  await expect.poll(() => page.getByRole('combobox', { name: 'Job' }).count()).toBe(0);
  await page.locator('[data-card="5"]').waitFor();
  expect(await button(page, 'Clear filters').count()).toBe(0);
  expect(await page.locator('.toolbar').getByRole('status').textContent()).toBe('');
});

it('shows what a command printed in a font of one width', async () => {
  const { page } = await world.open('view=board&cards=20');
  await page.click('[data-card="5"]');
  await page.getByRole('complementary', { name: 'Feature 5' }).waitFor();
  await page.evaluate(() => {
    const view = window.shown();
    if (view.details === null) throw new Error('the sample has no details');
    const feedback = 'The verify command `ls` failed. What it printed:\nnot ok 1\n  at a.js';
    window.show({ ...view, details: { ...view.details, feedback } });
  });
  const printed = page.locator('.details pre').filter({ hasText: 'not ok 1' });
  expect(await printed.textContent()).toBe('not ok 1\n  at a.js');
  const fonts = (selector: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((one) => getComputedStyle(one).fontFamily);
  expect(await fonts('.details pre')).not.toBe(await fonts('.details .prose'));
});

it('keeps the buttons of an open question in sight', async () => {
  const { page } = await world.open('view=board&cards=20', { width: 1_000, height: 700 });
  const question = await page.evaluate(() => {
    const view = window.shown();
    const [first] = view.approvals;
    if (first === undefined) throw new Error('the sample has no question');
    window.show({ ...view, approvals: [{ ...first, detail: 'One line of the details.\n'.repeat(60) }] });
    return first.question;
  });
  await openQuestion(page, question.slice(0, 20));
  await page.locator('.approval-body details > summary').click();
  const ends = await page.evaluate(() => {
    const list = document.querySelector('.page .approvals');
    const buttons = [...document.querySelectorAll('.approval-body button, .approval-body vscode-button')];
    const below = buttons.map((one) => one.getBoundingClientRect().bottom);
    return { list: list?.getBoundingClientRect().bottom ?? 0, buttons: Math.max(...below) };
  });
  expect(ends.buttons).toBeLessThanOrEqual(ends.list);
});
