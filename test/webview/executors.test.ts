/** Agents of the user's own on the pages: whom a card names, who is to work on it, results side by side, how well each did. */
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { visible } from '../../webview-ui/src/ui/text/format.ts';
import { posted, type WebviewWorld } from './browser.ts';
import { sharedWorld } from './shared.ts';
import { openQuestion } from './ways.ts';

let world: WebviewWorld;

beforeAll(async () => {
  world = await sharedWorld();
});

const WAITING = 'Choose an agent for Parse the configuration file';
const card = (page: Page, id: number) => page.locator('.card', { has: page.locator(`[data-card="${id}"]`) });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const open = (size?: { width: number; height: number }, view = 'board') =>
  world.open(`view=${view}&sample=agents`, size);

describe('a card', () => {
  it('names who works on it, when it is not the built-in agent, and is found by that', async () => {
    const { page, trouble } = await open();
    expect(await card(page, 1).locator('.agent-tag').textContent()).toContain('Cline');
    expect(await card(page, 3).locator('.agent-tag').textContent()).toContain('1 of 3 agents');
    expect(await card(page, 3).locator('.agent-tag .one-line').getAttribute('title')).toBe(
      'Claude Code, Built-in agent, Cline',
    );
    expect(await card(page, 5).locator('.agent-tag').count()).toBe(0);
    await page.getByRole('textbox', { name: 'Search features' }).fill('claude');
    await expect.poll(() => page.locator('.card').count()).toBe(2);
    await button(page, 'Clear filters').click();
    const agents = page.locator('vscode-single-select[label="Agent"]');
    // The page listens some moments after the list is there.
    await expect
      .poll(async () => {
        await agents.evaluate((element) => {
          (element as HTMLSelectElement).value = 'builtin';
          element.dispatchEvent(new Event('change'));
        });
        return card(page, 1).count();
      })
      .toBe(0);
    expect(await card(page, 3).count()).toBe(1);
    expect(await trouble()).toEqual([]);
  });
});

describe('the list of agents', () => {
  it('is chosen from by keyboard: one, several side by side, or as the job says', async () => {
    const { page } = await open();
    await button(page, WAITING).focus();
    await page.keyboard.press('Enter');
    const list = page.getByRole('dialog', { name: 'Who works on “Parse the configuration file”?' });
    const agent = (name: RegExp) => list.getByRole('checkbox', { name });
    expect(await agent(/^Cline 3\.0\.65 · priced by Autonomous/).isChecked()).toBe(true);
    expect(await agent(/^Gemini CLI not installed.*npm install -g @google\/gemini-cli/).isDisabled()).toBe(true);
    expect(await agent(/^Goose 1\.0\.0 · cannot be used/).isDisabled()).toBe(true);
    expect(await agent(/^Codex .*not signed in · own account, not priced.*codex login/).isEnabled()).toBe(true);
    await agent(/^Claude Code/).focus();
    await page.keyboard.press('Space');
    expect(await list.getByRole('status').textContent()).toMatch(/^2 agents try it one after another/);
    await button(page, 'Compare Agents').focus();
    await page.keyboard.press('Enter');
    expect(await button(page, WAITING).evaluate((element) => element === document.activeElement)).toBe(true);
    await page.keyboard.press('Enter');
    await button(page, 'As Set in the Job').click();
    await page.keyboard.press('Enter');
    await list.waitFor();
    await page.keyboard.press('Escape');
    expect(await list.count()).toBe(0);
    expect(await posted(page)).toEqual([
      { kind: 'chooseExecutors', featureId: 1, executors: ['cline', 'claude'] },
      { kind: 'chooseExecutors', featureId: 1, executors: null },
    ]);
  });

  it('opens for who asks again before the page has heard that it closed', async () => {
    const { page } = await open();
    await button(page, WAITING).click();
    await page.getByRole('dialog').waitFor();
    await page.evaluate(async (waiting) => {
      const press = (selector: string) => {
        const found = document.querySelector<HTMLElement>(selector);
        if (found === null) throw new Error(`no ${selector}`);
        found.click();
      };
      const heard = new Promise((resolve) => {
        document.querySelector('dialog.agents')?.addEventListener('close', resolve, { once: true });
      });
      press('dialog.agents [aria-label="Cancel"]');
      press(`[aria-label="${waiting}"]`);
      await heard;
    }, WAITING);
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
  });

  it('takes no more than can be laid side by side, and none at all for what began meanwhile', async () => {
    const { page } = await open();
    await page.evaluate(() => {
      const view = window.shown();
      const one = view.agents?.[0];
      if (one === undefined) throw new Error('no agent is known');
      const agents = Array.from({ length: 6 }, (_, at) => ({ ...one, name: `agent-${at}`, title: `Agent ${at}` }));
      window.show({ ...view, agents });
    });
    await button(page, WAITING).click();
    // Chosen before it was taken off the list of known ones.
    expect(await page.getByRole('checkbox', { name: 'cline not known here' }).isChecked()).toBe(true);
    for (const at of [0, 1, 2, 3, 4]) await page.getByRole('checkbox', { name: `Agent ${at}` }).check();
    await page.getByText('You can compare at most 5 agents.').waitFor();
    expect(await button(page, 'Compare Agents').count()).toBe(0);
    await page.evaluate(() => {
      const view = window.shown();
      const begun = { lane: 'in_progress', status: 'in_progress' } as const;
      window.show({ ...view, cards: view.cards.map((one) => (one.id === 1 ? { ...one, ...begun } : one)) });
    });
    await page.getByText('An agent is working on it. You can choose another one when it is pending again.').waitFor();
    expect(await button(page, 'As Set in the Job').count()).toBe(0);
  });

  it('is the editor\u2019s while nobody has looked which there are, and says why there is none for a feature that is over', async () => {
    const { page } = await world.open('view=board');
    await button(page, WAITING).click();
    expect(await posted(page)).toEqual([{ kind: 'chooseAgent', featureId: 1 }]);
    await page.click('[data-card="5"]');
    await page.locator('.details .facts').waitFor();
    expect(await page.locator('.details .facts').textContent()).toContain('It has failed: retry it first.');
    expect(await button(page, 'Choose Agent…: Undo and redo').count()).toBe(0);
    await page.evaluate(() => {
      const view = window.shown();
      window.show({ ...view, jobs: view.jobs.map((job) => ({ ...job, status: 'cancelled' })) });
    });
    await expect.poll(() => button(page, WAITING).count()).toBe(0);
  });
});

describe('results side by side', () => {
  const tops = (page: Page) =>
    page.locator('.candidate').evaluateAll((all) => new Set(all.map((one) => one.getBoundingClientRect().top)).size);

  it('stand beside each other where there is room, and else below each other', async () => {
    const { page, trouble } = await open();
    await page.click('[data-card="7"]');
    await page.locator('.candidates').waitFor();
    for (const [width, rows] of [
      [1280, 1],
      [600, 3],
      [320, 3],
    ] as const) {
      await page.setViewportSize({ width, height: 800 });
      await expect.poll(() => tops(page)).toBe(rows);
    }
    expect(await trouble()).toEqual([]);
  });

  it('show who did what on which evidence, and one that passed is taken', async () => {
    const { page } = await open();
    await card(page, 7)
      .getByRole('button', { name: /^Compare Results/ })
      .click();
    const results = page.getByRole('list', { name: 'Compare results' }).getByRole('listitem');
    await page.locator('.candidates').waitFor();
    const texts = (await page.locator('.candidate').allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' '));
    expect(texts[0]).toMatch(
      /^Claude Code: passed Changes 3 files, \+64 −12 Time 1m 35s Cost \$0\.14 Tokens 58\.1K node --test/,
    );
    expect(texts[2]).toMatch(/^Cline: a check failed .*exit code 1/);
    expect(await results.getByRole('button', { name: /^Take This Result/ }).count()).toBe(2);
    await button(page, 'Take This Result: Built-in agent, attempt 2').focus();
    await page.keyboard.press('Enter');
    await button(page, 'Diff: Cline, attempt 3').click();
    await page.getByRole('button', { name: /^None of These…/ }).click();
    expect(await posted(page)).toEqual([
      { kind: 'approve', approvalId: 7, jobId: 'job-1', choice: '72' },
      { kind: 'openArtifact', name: 'diff-7-3.patch' },
      { kind: 'reject', approvalId: 7, jobId: 'job-1' },
    ]);
  });

  it('are led to from the list of what waits, beside the code too', async () => {
    const { page } = await open({ width: 320, height: 900 }, 'sidebar');
    const question = '3 agents tried “Divide by zero without ending the program”. Whose result is it to be?';
    const line = page.getByRole('article', { name: question });
    const compare = line.getByRole('button', { name: /^Compare Results/ });
    if ((await compare.count()) === 0) await openQuestion(page, question);
    await compare.click();
    await page.locator('.candidates').waitFor();
  });
});

it('the costs tell how well each executor did in each role', async () => {
  const { page } = await open();
  await page.getByRole('tab', { name: 'Cost' }).click();
  await page.locator('summary', { hasText: 'Executors' }).click();
  const rows = page.getByRole('region', { name: 'Executors' }).getByRole('row');
  const told = (await rows.allInnerTexts()).map((text) =>
    text
      .split(/\s*\t\s*|\n/)
      .filter(Boolean)
      .join('|'),
  );
  expect(told[2]).toBe('Built-in agent|Worker|9|6|75%|1m 35s|$0.74|$0.12');
  expect(told[5]).toBe('Codex|Worker|1|0|Not priced');
  const bars = page.locator('.rate.pass .bar > span');
  expect(await bars.evaluateAll((all) => all.map((one) => (one as HTMLElement).style.width))).toEqual([
    '100%',
    '75%',
    '100%',
    '60%',
  ]);
});

it('what an agent calls itself is text, wherever it stands', async () => {
  const title = '<img src=x onerror=alert(1)>\u202Eedoc_without_any_place_to_break_it_that_goes_on_and_on_and_on';
  const { page, trouble } = await open({ width: 320, height: 800 });
  await page.evaluate((text) => {
    const view = window.shown();
    const agents = view.agents?.map((one) => ({ ...one, title: text, version: text, detail: text, fix: text }));
    window.show({ ...view, ...(agents === undefined ? {} : { agents }) });
  }, title);
  await card(page, 1)
    .locator('.agent-tag', { hasText: visible(title) })
    .waitFor();
  await button(page, WAITING).click();
  await page
    .locator('.agent-choice strong', { hasText: visible(title) })
    .first()
    .waitFor();
  const wide = () => page.locator('dialog.agents').evaluate((one) => one.scrollWidth - one.clientWidth);
  expect(await wide()).toBeLessThanOrEqual(0);
  await page.keyboard.press('Escape');
  await page.click('[data-card="7"]');
  await page
    .locator('.candidate h4', { hasText: visible(title) })
    .first()
    .waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  expect(await trouble()).toEqual([]);
});
