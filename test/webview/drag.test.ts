/** Dragging as a person sees it: what a drop would do stands beside the card, and a card that is gone is dropped for nothing. */
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import type { WebviewWorld } from './browser.ts';
import { sharedWorld } from './shared.ts';

const CARD = 'Parse the configuration file';
const COMPLETED = `${CARD} stays: a feature completes when an attempt passes its checks.`;
let world: WebviewWorld;

beforeAll(async () => {
  world = await sharedWorld();
});

const moved = (page: Page) => page.evaluate(() => window.posted.filter(({ kind }) => kind === 'reorderFeature'));
const beside = (page: Page) => page.locator('.drag-says');
const spoken = (page: Page) => page.locator('[aria-live=assertive]');

/** Takes the card with id 1 and holds it over what the selector finds. */
async function hold(page: Page, selector: string): Promise<void> {
  const from = await page.locator('[data-card="1"]').boundingBox();
  const to = await page.locator(selector).boundingBox();
  if (from === null || to === null) throw new Error('a card is not in sight');
  await page.mouse.move(from.x + 10, from.y + 8);
  await page.mouse.down();
  await page.mouse.move(from.x + 10, from.y + 20, { steps: 3 });
  await page.mouse.move(to.x + 10, to.y + 8, { steps: 5 });
}

it('says beside the card what a drop would do', async () => {
  const { page } = await world.open('view=board&cards=20');
  await hold(page, 'section[aria-label="Completed"] .card-open >> nth=0');
  await expect.poll(() => beside(page).textContent()).toBe(COMPLETED);
  await page.mouse.up();
  await expect.poll(() => spoken(page).textContent()).toBe(`Dropped. ${COMPLETED}`);
  expect(await beside(page).count()).toBe(0);
  expect(await moved(page)).toEqual([]);
});

it('highlights only a column that a drop would change', async () => {
  const { page } = await world.open('view=board&cards=20');
  const highlighted = () => page.locator('.column.accepting').evaluateAll((all) => all.map((one) => one.ariaLabel));
  await hold(page, 'section[aria-label="Completed"] .card-open >> nth=0');
  await expect.poll(() => beside(page).textContent()).toBe(COMPLETED);
  expect(await highlighted()).toEqual([]);
  const other = await page.locator('[data-card="3"]').boundingBox();
  if (other === null) throw new Error('the card is not in sight');
  await page.mouse.move(other.x + 10, other.y + 8, { steps: 5 });
  await expect.poll(highlighted).toEqual(['Pending']);
  await page.mouse.up();
  await expect.poll(highlighted).toEqual([]);
  expect(await moved(page)).toHaveLength(1);
});

it('drops a card for nothing that is gone meanwhile, and says so', async () => {
  const { page } = await world.open('view=board&cards=20');
  await hold(page, '[data-card="3"]');
  await page.evaluate(() => {
    const view = window.sample(20);
    window.show({ ...view, cards: view.cards.filter(({ id }) => id !== 1) });
  });
  await expect.poll(() => page.locator('li [data-card="1"]').count()).toBe(0);
  await page.mouse.up();
  await expect.poll(() => spoken(page).textContent()).toBe('Dropped. It can no longer be moved. Nothing changes.');
  expect(await moved(page)).toEqual([]);
});
