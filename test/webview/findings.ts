/** The page judged by axe: by all of its rules where the page is wide and narrow, by those of colours in every theme. */
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** What depends on colours alone; everything else is the same in every theme. */
const OF_COLOURS = ['color-contrast', 'link-in-text-block'];
const THEMES = ['dark', 'light', 'hc', 'hc-light'];

type Axe = typeof axe;

/** By all rules but those of colours. */
function byRules(page: Page): Promise<string[]> {
  return page.evaluate(async (colours) => {
    const { axe: runner } = window as unknown as { axe: Axe };
    const rules = Object.fromEntries(colours.map((rule) => [rule, { enabled: false }]));
    const { violations } = await runner.run(document, { resultTypes: ['violations'], iframes: false, rules });
    const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
    return serious.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id} ${html} ${failureSummary ?? ''}`),
    );
  }, OF_COLOURS);
}

/** In each theme; of elements that are made alike, and stand in the same, one. `known`: those that were looked at before. */
async function byColours(page: Page, known: Set<string>): Promise<string[]> {
  const { looks, found } = await page.evaluate(
    async ([before, themes, runOnly]) => {
      const { axe: runner } = window as unknown as { axe: Axe };
      const WORDS = /^(?:class|role|open|disabled|selected|checked|aria-\w+|data-\w+)$/;
      const NAMES = /^(?:aria-(?:label|labelledby|describedby|controls|valuenow|valuetext|posinset)|data-card)$/;
      const lookOf = (element: Element | null): string => {
        if (element === null) return '';
        const words = [...element.attributes].filter(({ name }) => WORDS.test(name) && !NAMES.test(name));
        const own = words.map(({ name, value }) => `${name}=${value.replaceAll(/\d+/g, '#')}`).sort();
        return `${lookOf(element.parentElement)} > ${element.localName}[${own.join(' ')}]`;
      };
      const hasWords = (element: Element): boolean =>
        element.localName.includes('-') ||
        [...element.childNodes].some(
          ({ nodeType, textContent }) => nodeType === 3 && (textContent ?? '').trim() !== '',
        );
      const fresh = new Map<string, Element>();
      for (const element of document.body.querySelectorAll('*')) {
        const look = hasWords(element) && element.checkVisibility() ? lookOf(element) : '';
        if (look !== '' && !before.includes(look) && !fresh.has(look)) fresh.set(look, element);
      }
      const problems: string[] = [];
      for (const theme of fresh.size === 0 ? [] : themes) {
        window.dress(theme);
        await new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted)));
        const options = { resultTypes: ['violations' as const], iframes: false, runOnly: [...runOnly] };
        const { violations } = await runner.run({ include: [...fresh.values()] as HTMLElement[] }, options);
        for (const { id, nodes } of violations)
          problems.push(...nodes.map(({ html, failureSummary }) => `${theme}: ${id} ${html} ${failureSummary ?? ''}`));
      }
      window.dress(themes[0] ?? 'dark');
      return { looks: [...fresh.keys()], found: problems };
    },
    [[...known], THEMES, OF_COLOURS] as const,
  );
  for (const look of looks) known.add(look);
  return found;
}

const seen = new Set<string>();

/** Serious ones; `narrow`: its width is looked at too. */
export async function seriousFindings(page: Page, narrow: number | null = null): Promise<string[]> {
  // Its lists get their element after the first paint.
  await expect.poll(() => page.locator('.select-to-come').count()).toBe(0);
  // Reading it takes as long as using it.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  const found = [...(await byRules(page)), ...(await byColours(page, seen))];
  const wide = page.viewportSize();
  if (narrow === null || wide === null) return found;
  await page.setViewportSize({ width: narrow, height: 800 });
  found.push(...(await byRules(page)).map((what) => `${narrow} px: ${what}`));
  await page.setViewportSize(wide);
  return found;
}
