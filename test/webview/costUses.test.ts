/** What the tokens were paid for, on the tab of costs and beside the sessions of a card. */
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import type { WebviewWorld } from './browser.ts';
import { sharedWorld } from './shared.ts';

let world: WebviewWorld;

beforeAll(async () => {
  world = await sharedWorld();
});

const table = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

/** The texts of the cells, row by row. */
async function cells(page: Page, name: string): Promise<string[]> {
  const rows = await table(page, name).getByRole('row').allInnerTexts();
  return rows.map((text) =>
    text
      .split(/\s*\t\s*|\n/)
      .filter(Boolean)
      .join('|'),
  );
}

async function toCosts(query: string, size?: { width: number; height: number }) {
  const opened = await world.open(query, size);
  await opened.page.getByRole('tab', { name: 'Cost' }).click();
  return opened;
}

it('states what the money went to, each part with its share, and what handovers saved', async () => {
  const { page, trouble } = await toCosts('view=board&cards=20');
  const rows = await cells(page, 'Where the money goes');
  expect(rows).toEqual([
    'Paid for|Tokens|Cost|Share',
    'Read from the cache|640K|$0.64|35%',
    'Sent for the first time|38K|$0.48|26%',
    'Sent again after a pause|9K|$0.11|6%',
    'Sent again after a handover|5K|$0.06|3%',
    'Sent again, changed or lost|0|$0.00|0%',
    'Sent again, not cached|0|$0.00|0%',
    'Answers|18K|$0.55|30%',
  ]);
  await page
    .getByText('Conversations were handed over to fresh ones 3 times, which saved about $0.42.', { exact: true })
    .waitFor();
  expect(await trouble()).toEqual([]);
});

it('sums it by job and role, and states it for each session', async () => {
  const { page } = await toCosts('view=board&cards=20');
  for (const title of ['Cache by job', 'Cache by role', 'Cache by session'])
    await page.locator('summary', { hasText: title }).click();
  expect((await cells(page, 'Cache by role'))[1]).toBe(
    'Worker|$0.45|448K tokens|$0.33|26.6K tokens|$0.08|6.3K tokens|$0.04|3.5K tokens|$0.39|12.6K tokens|3|about $0.42',
  );
  expect(await table(page, 'Cache by job').getByRole('row').count()).toBe(3);
  const sessions = await cells(page, 'Cache by session');
  expect(sessions[1]).toMatch(/^Worker 1: .*\|1\|about \$0\.14$/);
  // A session without prices has tokens alone.
  expect(sessions.find((row) => row.startsWith('Worker 4'))).not.toContain('$');
});

it('does not claim that what has no price is free', async () => {
  const { page } = await toCosts('view=board&cards=20&sample=unpriced');
  const rows = await cells(page, 'Where the money goes');
  expect(rows[1]).toBe('Read from the cache|640K|Not priced|90%');
  expect(rows.join()).not.toContain('$');
  await page.getByText('Conversations were handed over to fresh ones 3 times.', { exact: true }).waitFor();
});

it('shows a loss as a negative amount', async () => {
  const { page } = await toCosts('view=board&cards=20');
  await page.evaluate(() => {
    const view = window.shown();
    const { tables } = view.costs;
    if (tables === null) throw new Error('no tables');
    const total = { ...tables.cache.total, handovers: 1, savedUsd: -0.004 };
    const costs = { ...view.costs, tables: { ...tables, cache: { ...tables.cache, total } } };
    window.show({ ...view, costs });
  });
  await page
    .getByText('A conversation was handed over to a fresh one, which saved about -$0.0040.', { exact: true })
    .waitFor();
});

it('scrolls sideways within a narrow page, by keyboard too', async () => {
  const { page } = await toCosts('view=board&cards=20', { width: 320, height: 800 });
  await page.locator('summary', { hasText: 'Cache by job' }).click();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  const region = table(page, 'Cache by job');
  await region.focus();
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => region.evaluate((element) => element.scrollLeft)).toBeGreaterThan(0);
});

it('names the handovers beside the session of a card', async () => {
  const { page } = await world.open('view=board&cards=20');
  await page.click('[data-card="5"]');
  await page.locator('.session', { hasText: 'handed over 3 times, saved about $0.42' }).first().waitFor();
});
