/** The page without a mouse and without eyes: keys, focus, and what is said. */
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { posted, type WebviewWorld } from './browser.ts';
import { sharedWorld } from './shared.ts';
import { openSection } from './ways.ts';

let world: WebviewWorld;

beforeAll(async () => {
  world = await sharedWorld();
});

const focused = (page: Page) => page.evaluate(() => (document.activeElement as HTMLElement).dataset['card'] ?? null);

describe('the keys', () => {
  it('lead from card to card, into the details and back', async () => {
    const { page } = await world.open('view=board&cards=20');
    await page.locator('[data-card="1"]').focus();
    await page.keyboard.press('ArrowDown');
    expect(await focused(page)).toBe('3');
    await page.keyboard.press('ArrowUp');
    expect(await focused(page)).toBe('1');
    await page.keyboard.press('ArrowUp');
    expect(await focused(page)).toBe('1');
    await page.keyboard.press('ArrowRight');
    expect(await focused(page)).toBe('4');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    expect(await focused(page)).toBe('5');
    await page.keyboard.press('Enter');
    const details = page.getByRole('complementary', { name: 'Feature 5' });
    await details.waitFor();
    expect(await focused(page)).toBe('5');
    await page.keyboard.press('Escape');
    expect(await details.count()).toBe(0);
    expect(await focused(page)).toBe('5');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Close details' }).focus();
    await page.keyboard.press('Escape');
    expect(await details.count()).toBe(0);
    expect(await focused(page)).toBe('5');
  });

  it('end with Escape what was begun last, and the details after it', async () => {
    const { page } = await world.open('view=board&cards=20');
    await page.click('[data-card="7"]');
    const details = page.getByRole('complementary', { name: 'Feature 7' });
    await details.waitFor();
    await page.getByRole('textbox', { name: 'Search features' }).focus();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Move Parse the configuration file' }).focus();
    await page.keyboard.press('Space');
    const said = page.locator('[aria-live=assertive]');
    await expect.poll(() => said.textContent()).toContain('Parse the configuration file');
    await page.evaluate(() => new Promise((later) => setTimeout(later))); // the sensor listens for keys from its next tick
    await page.keyboard.press('Escape');
    await expect.poll(() => said.textContent()).toBe('Cancelled. Nothing changes.');
    await page.keyboard.press('?');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    expect(await details.count()).toBe(1);
    await page.keyboard.press('Escape');
    expect(await details.count()).toBe(0);
  });

  it('reach every card of a long column', async () => {
    const { page } = await world.open('view=board&cards=300');
    await page.locator('[data-card="1"]').focus();
    const ids = new Set<string | null>();
    // The rows below come into the page as the focus nears them: a key that is quicker finds them the next time.
    const reached = async () => {
      ids.add(await focused(page));
      await page.keyboard.press('ArrowDown');
      return ids.size;
    };
    await expect.poll(reached, { interval: 1 }).toBe(40);
  });

  it('find the search, and say themselves what they do', async () => {
    const { page } = await world.open('view=board&cards=20');
    await page.keyboard.press('?');
    const keys = page.getByRole('dialog', { name: 'Keyboard Shortcuts' });
    await keys.waitFor();
    expect(await keys.textContent()).toContain('Go from card to card');
    await page.keyboard.press('Escape');
    await keys.waitFor({ state: 'hidden' });
    await page.keyboard.press('/');
    await page.keyboard.type('json?');
    await expect.poll(() => page.getByText('No feature matches.').count()).toBe(1);
    expect(await keys.isVisible()).toBe(false);
  });

  it('begin each time where a new page does, not where the last test left them', async () => {
    const before = (await world.open('view=sidebar&cards=20', { width: 280, height: 300 })).page;
    await before
      .getByRole('button', { name: /^Pause/ })
      .first()
      .focus();
    await before.locator('.lane-completed, .card, .job').last().scrollIntoViewIfNeeded();
    const { page } = await world.open('view=sidebar&cards=20', { width: 280, height: 900 });
    expect(await page.evaluate(() => [document.activeElement?.tagName, window.scrollY])).toEqual(['BODY', 0]);
    await expect
      .poll(() =>
        page
          .locator('.acts')
          .first()
          .evaluate((one) => getComputedStyle(one).opacity),
      )
      .toBe('0');
  });

  it('show what a row of a job offers when they come to it', async () => {
    const { page } = await world.open('view=sidebar&cards=20', { width: 280, height: 900 });
    const acts = page.locator('.acts').first();
    const seen = () => acts.evaluate((element) => getComputedStyle(element).opacity);
    const title = page.locator('.job-head strong').first();
    const end = () => title.evaluate((element) => element.getBoundingClientRect().right);
    const begin = () => acts.evaluate((element) => element.getBoundingClientRect().left);
    await expect.poll(seen).toBe('0');
    expect(await end()).toBeGreaterThan(await begin());
    await page.getByRole('button', { name: /^Phases of Rewrite/ }).focus();
    await page.keyboard.press('Tab');
    await expect.poll(seen).toBe('1');
    expect(await end()).toBeLessThanOrEqual(await begin());
    await page.keyboard.press('Enter');
    expect(await posted(page)).toEqual([{ kind: 'job', jobId: 'job-1', act: 'pause' }]);
  });
});

describe('what waits', () => {
  it('is one line each, which opens to the whole question', async () => {
    const { page } = await world.open('view=board&cards=20');
    const lines = page.locator('.approval');
    const heights = await lines.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height));
    expect(heights).toHaveLength(3);
    expect(Math.max(...heights)).toBeLessThan(30);
    expect(await page.getByText('12 files changed').count()).toBe(0);
    await lines.first().locator('summary').focus();
    await page.keyboard.press('Enter');
    await page.getByText('12 files changed').waitFor();
    expect(await page.locator('.approval').count()).toBe(3);
  });

  it('is asked once on the board, and led to from elsewhere', async () => {
    const { page } = await world.open('view=board&cards=20');
    const question = 'The worker is stuck on “Divide by zero without ending the program”. How should it continue?';
    const focused = () => page.evaluate(() => document.activeElement?.id);
    const answers = page.getByRole('button', { name: /^Answer…: (Divide|The worker is stuck on “Divide)/ });
    await page.getByRole('button', { name: 'Show Question: Divide by zero without ending the program' }).click();
    expect(await focused()).toBe('question-7');
    await page.getByText('The history file is on a disk').waitFor();
    expect(await answers.count()).toBe(1);
    await answers.click();
    await page.locator('[data-card="7"]').click();
    const details = page.getByRole('complementary', { name: 'Feature 7' });
    await details.getByRole('button', { name: question, exact: true }).click();
    expect(await focused()).toBe('question-7');
    expect(await answers.count()).toBe(1);
    await page.getByRole('button', { name: 'Needs your input: A calculator for the terminal' }).click();
    expect(await focused()).toBe('question-900001');
    expect(await posted(page)).toEqual([{ kind: 'approve', approvalId: 7, jobId: 'job-1', choice: null }]);
  });

  it('is led to from details that cover the page', async () => {
    const { page } = await world.open('view=sidebar&cards=20', { width: 280, height: 900 });
    await openSection(page, 'Needs you');
    await page.locator('[data-card="7"]').click();
    const details = page.getByRole('complementary', { name: 'Feature 7' });
    await details.getByRole('button', { name: /^The worker is stuck/ }).click();
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('question-7');
  });

  it('is a plan that can be opened, and a limit that can be raised', async () => {
    const plan = (await world.open('view=board&sample=plan')).page;
    expect(await plan.getByRole('heading', { name: 'The plan needs your approval' }).count()).toBe(1);
    await plan.getByRole('button', { name: 'Open Plan: Start with this plan?' }).click();
    expect(await posted(plan)).toEqual([{ kind: 'openPlan', jobId: 'job-1' }]);
    const { page } = await world.open('view=board&cards=20');
    await page.getByRole('button', { name: 'Set Daily Limit…' }).click();
    await page.getByRole('button', { name: /^Phases of Rewrite/ }).click();
    expect(await page.locator('.phases').textContent()).toContain('2. CommandsIn review');
    await page.getByRole('button', { name: /^Set Budget…: Rewrite/ }).click();
    await page.getByRole('button', { name: /^Set Lanes…: Rewrite/ }).click();
    expect(await posted(page)).toEqual([
      { kind: 'setDailyLimit' },
      { kind: 'setBudget', jobId: 'job-1' },
      { kind: 'setLanes', jobId: 'job-1' },
    ]);
  });

  it('has beside its phases what failed before any work, and how to install what is missing', async () => {
    const { page } = await world.open('view=board&cards=20');
    await page.getByRole('button', { name: /^Phases of Rewrite/ }).click();
    const box = page.locator('.job-parts .callout');
    expect(await box.count()).toBe(0);
    const show = (missing: string | null) =>
      page.evaluate((line) => {
        const view = window.shown();
        const failedBefore = [{ command: 'npm test', exitCode: 127, ended: null, missing: line }];
        window.show({ ...view, jobs: view.jobs.map((job) => ({ ...job, failedBefore })) });
      }, missing);
    await show(null);
    await expect.poll(() => box.textContent()).toContain('npm test exit code 127');
    expect(await page.getByRole('button', { name: /^Add Setup Command/ }).count()).toBe(0);
    await show('sh: 1: tap: not found');
    await expect.poll(() => box.textContent()).toContain('exit code 127: sh: 1: tap: not found');
    await page.getByRole('button', { name: /^Add Setup Command…: Rewrite/ }).press('Enter');
    expect(await posted(page)).toEqual([{ kind: 'addSetup', jobId: 'job-1' }]);
  });

  it('has beside its phases what fails on a result that was taken, and why it was', async () => {
    const { page } = await world.open('view=board&cards=20');
    await page.getByRole('button', { name: /^Phases of Rewrite/ }).click();
    await page.evaluate(() => {
      const view = window.shown();
      const takenFailure = { commands: ['npm test'], question: 8, reason: 'The registry is down.' };
      window.show({ ...view, jobs: view.jobs.map((job) => ({ ...job, takenFailure })) });
    });
    const box = page.locator('.job-parts .callout');
    await expect.poll(() => box.textContent()).toContain('npm test');
    expect(await box.textContent()).toContain('(question 8): The registry is down.');
  });

  it('has an input for a setup command where none runs, and where a worker is blocked', async () => {
    const { page } = await world.open('view=sidebar&cards=20', { width: 280, height: 900 });
    await openSection(page, 'Needs you');
    expect(await page.getByRole('button', { name: /^Add Setup Command/ }).count()).toBe(0);
    await page.evaluate(() => {
      const view = window.shown();
      const setupGap = { manifest: 'package.json', command: 'npm install' };
      const approvals = view.approvals.map((row) => (row.id === 7 ? { ...row, blocked: true } : row));
      window.show({ ...view, approvals, jobs: view.jobs.map((job) => ({ ...job, setupGap })) });
    });
    await page.getByRole('button', { name: /^Add Setup Command…: The worker is stuck on/ }).press('Enter');
    await page.getByRole('button', { name: /^Phases of Rewrite/ }).click();
    const box = page.locator('.job-parts .callout');
    expect(await box.textContent()).toContain('package.json names dependencies, and there is no lock file');
    await page.getByRole('button', { name: /^Add Setup Command…: Rewrite/ }).press('Enter');
    const request = { kind: 'addSetup', jobId: 'job-1' };
    expect(await posted(page)).toEqual([request, request]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(280);
  });

  it('shows which files the setup made that git does not ignore, and how to keep them', async () => {
    const { page } = await world.open('view=sidebar&cards=20', { width: 280, height: 900 });
    await page.evaluate(() => {
      const view = window.shown();
      const setupRemoved = { paths: ['node_modules/', 'package-lock.json'], more: 3 };
      window.show({ ...view, jobs: view.jobs.map((job) => ({ ...job, setupRemoved })) });
    });
    await page.getByRole('button', { name: /^Phases of Rewrite/ }).click();
    const box = page.locator('.job-parts .callout');
    expect(await box.textContent()).toContain('removed again: node_modules/, package-lock.json and 3 more');
    expect(await box.textContent()).toContain('.gitignore');
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(280);
  });

  it('is not there while the planner plans, which is said', async () => {
    const { page } = await world.open('view=sidebar&sample=planning', { width: 280, height: 900 });
    expect(await page.getByRole('status').textContent()).toContain('Planning…');
  });
});

it('keeps the last job in sight when all are over', async () => {
  const { page } = await world.open('view=sidebar&cards=20', { width: 280, height: 900 });
  await page.evaluate(() => {
    const view = window.sample(20);
    window.show({ ...view, approvals: [], jobs: view.jobs.map((job) => ({ ...job, status: 'completed' as const })) });
  });
  await openSection(page, 'Last job');
  expect(await page.locator('.job').count()).toBe(1);
  await page.getByRole('button', { name: /^Show changes of Rewrite/ }).focus();
  await page.keyboard.press('Enter');
  expect(await posted(page)).toEqual([{ kind: 'job', jobId: 'job-1', act: 'diff' }]);
});

it('says what changed in one piece, and not more often than every few seconds', async () => {
  const { page } = await world.open('view=board&cards=20', undefined, undefined, (blank) => blank.clock.install());
  const said = () => page.locator('[data-announcer]').textContent();
  // From here on no time passes by itself.
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 60_000);
  const move = (id: number, lane: 'completed' | 'failed') =>
    page.evaluate(
      ([card, to]) => {
        const view = window.sample(20);
        window.show({ ...view, cards: view.cards.map((one) => (one.id === card ? { ...one, lane: to } : one)) });
      },
      [id, lane] as const,
    );
  await move(4, 'completed');
  await expect.poll(said).toBe('Print results as JSON: Completed.');
  await move(4, 'failed');
  await page.clock.runFor(500);
  expect(await said()).toBe('Print results as JSON: Completed.');
  await page.clock.runFor(3000);
  await expect.poll(said).toBe('Print results as JSON: Failed.');
});

it('counts calls and tokens where no price is named', async () => {
  const { page } = await world.open('view=board&cards=20&sample=unpriced');
  await page.getByRole('tab', { name: 'Cost' }).click();
  const text = page.locator('.cost-panel');
  await expect.poll(() => text.textContent()).toContain('40 calls of 40 are not priced');
  expect(await page.getByRole('cell', { name: 'Not priced' }).count()).toBeGreaterThan(0);
  expect(await page.locator('.job-facts').first().textContent()).not.toContain('$1');
  await page.getByText('Sessions', { exact: true }).click();
  await page.getByRole('button', { name: 'Transcript of session 1' }).click();
  expect(await posted(page)).toEqual([{ kind: 'openTranscript', sessionId: 1 }]);
});
