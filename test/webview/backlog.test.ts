/** The button that runs the features of no job: there only while there are some. */
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import type { WebviewWorld } from './browser.ts';
import { sharedWorld } from './shared.ts';

let world: WebviewWorld;

beforeAll(async () => {
  world = await sharedWorld();
});

/** A board on which this many pending features have no job. */
async function boardWith(waiting: number, width = 1280): Promise<Page> {
  const { page } = await world.open('view=board&cards=20', { width, height: 800 });
  await page.evaluate((count) => {
    const sample = window.sample(20);
    const cards = sample.cards.map((card, at) =>
      at < count
        ? {
            ...card,
            jobId: null,
            phaseId: null,
            phaseNumber: null,
            phaseTitle: null,
            status: 'pending',
            lane: 'pending',
          }
        : { ...card, jobId: card.jobId ?? sample.jobs[0]?.id ?? '' },
    );
    window.show({ ...sample, cards: cards as typeof sample.cards });
  }, waiting);
  await page.locator('.toolbar').waitFor();
  return page;
}

it.each([1280, 320])('is offered with the number of features, %i pixels wide, by mouse and keyboard', async (width) => {
  const page = await boardWith(3, width);
  const button = page.getByRole('button', { name: 'Run Backlog…', exact: true });
  expect(await page.locator('.backlog').textContent()).toContain('3 pending features belong to no job.');
  await button.click();
  await button.focus();
  await page.keyboard.press('Enter');
  const posted = await page.evaluate(() => window.posted.filter(({ kind }) => kind === 'runBacklog'));
  expect(posted).toEqual([{ kind: 'runBacklog' }, { kind: 'runBacklog' }]);
  const overflow = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return scrollWidth - clientWidth;
  });
  expect(overflow).toBe(0);
});

it('is not there while every pending feature has a job', async () => {
  const page = await boardWith(0);
  expect(await page.locator('.backlog').count()).toBe(0);
});
