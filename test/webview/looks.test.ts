/** How the page looks where it is hard: narrow places, large text, another language. */
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import german from '../../l10n/bundle.l10n.de.json' with { type: 'json' };
import type { WebviewWorld } from './browser.ts';
import { sharedWorld } from './shared.ts';
import { toAgents, toConversation, toCosts, toResults, toTask, unfold } from './ways.ts';

let world: WebviewWorld;

beforeAll(async () => {
  world = await sharedWorld();
});

const NARROW = { width: 280, height: 900 };

/** What a reader could not see or press: a page that scrolls sideways, buttons outside of it, labels that are cut. */
function cut(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const width = window.innerWidth;
    const faults: string[] = [];
    if (document.documentElement.scrollWidth > width) faults.push(`page ${document.documentElement.scrollWidth}`);
    for (const button of document.querySelectorAll<HTMLElement>('button, .button, summary, input')) {
      if (button.closest('.board, .scroll-x, .graph-scroll, dialog:not([open])') !== null || !button.checkVisibility())
        continue;
      const { left, right } = button.getBoundingClientRect();
      if (left < 0 || right > width + 0.5) faults.push(`outside: ${button.textContent}`);
    }
    for (const button of document.querySelectorAll<HTMLElement>('.button')) {
      if (button.scrollWidth > button.clientWidth + 1) faults.push(`cut: ${button.textContent}`);
    }
    return faults;
  });
}

const large = () =>
  addEventListener('DOMContentLoaded', () =>
    document.documentElement.style.setProperty('--vscode-font-size', '26px', 'important'),
  );

/** Our texts that a German page may not say; names that a sample gives are not ours. */
const ENGLISH = Object.entries(german).flatMap(([text, said]) => (text === said || text === 'Notify' ? [] : [text]));

/** Everything on the page that a person reads or hears, and that stands there in English. */
async function english(page: Page): Promise<string[]> {
  const said = await page.evaluate(() => {
    const found: string[] = [];
    for (const element of document.querySelectorAll('body *')) {
      for (const name of ['aria-label', 'title', 'placeholder', 'label', 'aria-valuetext']) {
        found.push(element.getAttribute(name) ?? '');
      }
      for (const { nodeType, textContent } of element.childNodes) if (nodeType === 3) found.push(textContent ?? '');
    }
    return found.map((text) => text.trim());
  });
  return ENGLISH.filter((text) => said.includes(text)).map((text) => `in English: ${text}`);
}

describe('a narrow place', () => {
  // 170 px is as narrow as VS Code makes a side bar; 640 px is a whole window of 1280 at 200 %.
  it.each([
    ['sidebar', 280, '&sample=long'],
    ['sidebar', 170, '&lang=de'],
    ['board', 640, '&sample=long'],
    ['board', 640, '&lang=de'],
    ['board', 400, '&sample=plan'],
    ['sidebar', 170, '&sample=none'],
    ['sidebar', 170, '&sample=projects&lang=de'],
    ['board', 640, '&sample=projects'],
    ['board', 300, '&sample=projects&lang=de'],
    ['sidebar', 170, '&sample=tasks&lang=de'],
    ['board', 320, '&sample=tasks&lang=de'],
    ['sidebar', 170, '&sample=agents&lang=de'],
    ['board', 320, '&sample=agents&lang=de'],
  ])('shows all of %s at %d px %s, and nothing of it in another language', async (view, width, more) => {
    const { page, trouble } = await world.open(`view=${view}&cards=20${more}`, { width, height: 800 });
    const faults = async () => [...(await cut(page)), ...(more.includes('lang=de') ? await english(page) : [])];
    await unfold(page);
    expect(await faults()).toEqual([]);
    const card = page.locator('[data-card="5"]');
    if ((await card.count()) > 0) {
      await card.evaluate((element) => element.click());
      await page.locator('.details .facts').waitFor();
      expect(await faults()).toEqual([]);
      await page.keyboard.press('Escape');
    }
    if (more.includes('agents')) {
      await toResults(page);
      expect(await faults()).toEqual([]);
      await page.keyboard.press('Escape');
      await toAgents(page);
      expect(await faults()).toEqual([]);
      await page.keyboard.press('Escape');
    }
    if (view === 'board') {
      await toCosts(page, '.cost-panel .section');
      await unfold(page);
      expect(await faults()).toEqual([]);
    }
    if (view === 'board' && more.includes('projects')) {
      await toConversation(page);
      expect(await faults()).toEqual([]);
      await page.evaluate(() => window.send({ kind: 'talk', project: 'docs' }));
      await page.locator('.talk-hint').waitFor();
      expect(await faults()).toEqual([]);
    }
    if (view === 'board' && more.includes('tasks')) {
      await toTask(page);
      expect(await faults()).toEqual([]);
      await page.getByRole('button', { name: /^(List|Liste)$/ }).click();
      expect(await faults()).toEqual([]);
    }
    expect(await trouble()).toEqual([]);
  });

  it('shows all with letters twice as large', async () => {
    const { page } = await world.open('view=sidebar&cards=20', NARROW, large);
    expect(await page.evaluate(() => getComputedStyle(document.body).fontSize)).toBe('26px');
    expect(await cut(page)).toEqual([]);
  });
});

describe('the cost tables', () => {
  // With letters twice as large, a window of 1280 px has room for half of the columns.
  it.each([
    [1280, large],
    [900, undefined],
  ])('scroll under their first column at %i px, and the page does not', async (width, prepare) => {
    const { page } = await world.open('view=board&cards=20&lang=de', { width, height: 900 }, prepare);
    await toCosts(page);
    await unfold(page);
    expect(await cut(page)).toEqual([]);
    const tables = await page.locator('.costs').evaluateAll((all) =>
      all.map((table) => {
        const place = table.closest('.scroll-x');
        if (place === null) return 'not scrollable';
        place.scrollLeft = place.scrollWidth;
        const { left, right } = place.getBoundingClientRect();
        const ends = [...table.querySelectorAll('tr')].map(({ firstElementChild: first, lastElementChild: last }) => [
          Math.round((first?.getBoundingClientRect().left ?? 0) - left),
          Math.max(0, Math.round((last?.getBoundingClientRect().right ?? 0) - right)),
        ]);
        return [place.scrollLeft > 0, ...new Set(ends.map(String))].join();
      }),
    );
    expect(tables.length).toBeGreaterThan(7);
    expect(new Set(tables.filter((table) => table !== 'false,0,0'))).toEqual(new Set(['true,0,0']));
  });
});

describe('the details of a card', () => {
  const inside = (page: Page) =>
    page.evaluate(
      () => document.activeElement?.closest('.details') !== null || document.activeElement === document.body,
    );

  it('are all that can be reached where they cover the rest', async () => {
    // A window of 1280 x 800 at 200 %.
    const { page } = await world.open('view=board&cards=20', { width: 640, height: 400 });
    await page.evaluate(() => {
      const banner = { severity: 'warning', text: 'No folder is open.', quickFix: 'openFolder' } as const;
      window.show({ ...window.sample(20), banner });
    });
    await page.locator('.banner .link').waitFor();
    await page.locator('[data-card="5"]').focus();
    await page.keyboard.press('Enter');
    const close = page.getByRole('button', { name: 'Close details' });
    await expect.poll(() => close.evaluate((element) => element === document.activeElement)).toBe(true);
    for (let tabs = 0; tabs < 30; tabs++) {
      await page.keyboard.press('Tab');
      expect(await inside(page)).toBe(true);
    }
    expect(await page.getByRole('tab').count()).toBe(0);
    expect(await page.locator('.details').boundingBox()).toEqual({ x: 0, y: 0, width: 640, height: 400 });
    await page.keyboard.press('Escape');
    expect(await page.evaluate(() => document.activeElement?.getAttribute('data-card'))).toBe('5');
    expect(await page.getByRole('tab').count()).toBe(4);
  });

  it.each([900, 1000])('leave their card in sight beside them, at %d px', async (width) => {
    const { page } = await world.open('view=board&cards=20', { width, height: 800 });
    await page.click('[data-card="5"]');
    await page.locator('.details .facts').waitFor();
    const card = await page.locator('.card', { has: page.locator('[data-card="5"]') }).boundingBox();
    const board = await page.locator('.board').boundingBox();
    if (card === null || board === null) throw new Error('the card is not in the page');
    expect(card.x).toBeGreaterThanOrEqual(board.x);
    expect(card.x + card.width).toBeLessThanOrEqual(board.x + board.width + 0.5);
  });
});

describe('without colours or room', () => {
  it('the tab that is shown, and the lines of the chart, are told apart by their form', async () => {
    const { page } = await world.open('view=board&cards=20');
    await page.emulateMedia({ forcedColors: 'active' });
    await toCosts(page);
    const seen = await page.getByRole('tab').evaluateAll((tabs) => {
      const paper = getComputedStyle(document.body).backgroundColor;
      return tabs.map((tab) => getComputedStyle(tab).borderBottomColor !== paper);
    });
    expect(seen).toEqual([false, false, true, false]);
    const dashes = await page
      .locator('.legend .stroke line')
      .evaluateAll((lines) => lines.map((line) => getComputedStyle(line).strokeDasharray));
    expect(dashes).toEqual(['none', '7px, 3px', '2px, 3px']);
  });

  it('the jobs are not cut in a low page, and what is cut on a card has a title', async () => {
    const { page } = await world.open('view=board&cards=20&sample=long', { width: 640, height: 400 });
    const hidden = await page.locator('.jobs').evaluate((jobs) => jobs.scrollHeight - jobs.clientHeight);
    expect(hidden).toBe(0);
    const untitled = await page
      .locator('.card .tag, .card .one-line')
      .evaluateAll((all) => all.filter((one) => one.getAttribute('title') !== one.textContent).length);
    expect(untitled).toBe(0);
    expect(await page.locator('.card .one-line').count()).toBeGreaterThan(0);
  });
});

describe('the columns', () => {
  const columns = (page: Page) =>
    page.locator('.column').evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().right)));

  it('are all in sight beside an open side bar', async () => {
    const { page } = await world.open('view=board&cards=20', { width: 900, height: 800 });
    expect(Math.max(...(await columns(page)))).toBeLessThanOrEqual(900);
  });

  it('are slim without cards, but where a card may be dropped, and none moves for a drag', async () => {
    const { page } = await world.open('view=board&cards=5', { width: 900, height: 800 });
    const slim = () => page.locator('.column.slim h2').allTextContents();
    expect(await slim()).toEqual(['Needs you']);
    const name = await page.locator('.column.slim h2').boundingBox();
    expect(name?.height).toBeGreaterThan(40);
    const before = await columns(page);
    const card = await page.locator('[data-card="5"]').boundingBox();
    if (card === null) throw new Error('the card is not in sight');
    await page.mouse.move(card.x + 8, card.y + 8);
    await page.mouse.down();
    await page.mouse.move(card.x - 60, card.y + 8, { steps: 4 });
    await page.locator('[aria-live=assertive]').filter({ hasText: 'Undo and redo' }).waitFor({ state: 'attached' });
    expect(await columns(page)).toEqual(before);
    await page.mouse.up();
    await page.evaluate(() => {
      const view = window.sample(5);
      window.show({ ...view, cards: view.cards.filter(({ lane }) => lane !== 'pending') });
    });
    await expect.poll(() => page.locator('.card.lane-pending').count()).toBe(0);
    expect(await slim()).toEqual(['Needs you']);
  });
});

describe('a conversation in a low page', () => {
  it('leaves room to read and to write', async () => {
    const { page } = await world.open('view=board&sample=projects', { width: 640, height: 400 });
    await toConversation(page);
    const height = (selector: string) => page.locator(selector).evaluate((element) => element.clientHeight);
    expect(await height('.thread-scroll')).toBeGreaterThan(90);
    const field = page.locator('.composer textarea');
    await field.fill('line\n'.repeat(40));
    expect(await height('.composer textarea')).toBeLessThanOrEqual(262);
    await field.scrollIntoViewIfNeeded();
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    expect(await page.evaluate(() => window.posted.at(-1)?.kind)).toBe('sendMessage');
  });
});

describe('in German', () => {
  it('counts and writes money as Germans do', async () => {
    const { page } = await world.open('view=board&cards=20&lang=de');
    const job = (await page.locator('.job').first().textContent())?.replace(/\u00a0/g, ' ');
    expect(job).toContain('6 von 20 fertig');
    expect(job).toContain('1,54 $ von 10,00 $');
    await page.getByRole('textbox', { name: 'Features suchen' }).fill('json');
    await expect.poll(() => page.getByText('2 von 20 Features').count()).toBe(1);
  });
});
