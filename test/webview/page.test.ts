import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { posted, type WebviewWorld } from './browser.ts';
import { sharedWorld } from './shared.ts';

let world: WebviewWorld;

beforeAll(async () => {
  world = await sharedWorld();
});

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

it('weighs at most 600 kB of code and styles', () => {
  const code = [...world.sizes].filter(([name]) => /\.(js|css)$/.test(name));
  expect(code.map(([name]) => name)).toEqual(expect.arrayContaining(['main.js', 'main.css']));
  expect(world.sizes.has('codicon.ttf')).toBe(true);
  expect(code.reduce((sum, [, bytes]) => sum + bytes, 0)).toBeLessThanOrEqual(600_000);
});

describe('the board', () => {
  it('has five columns with counts, details and live lines', async () => {
    const { page, trouble } = await world.open('view=board&cards=20');
    const heads = await page.locator('.column-head').evaluateAll((all) => all.map((head) => head.textContent));
    expect(heads).toEqual(['Pending6', 'In progress3', 'Needs you2', 'Completed6', 'Failed3']);
    await expect.poll(() => page.locator('.card-live').first().textContent()).toContain('edit src/config/parse.js');

    await page.click('[data-card="5"]');
    const details = page.getByRole('complementary', { name: 'Feature 5' });
    await expect.poll(() => details.textContent()).toContain('Attempt 3: Failed (a check failed)');
    await details.getByRole('button', { name: 'Transcript: attempt 3' }).click();
    await details.getByRole('button', { name: 'Show Diff' }).click();
    await details.getByRole('button', { name: 'Retry', exact: true }).click();
    expect(await posted(page)).toEqual([
      { kind: 'openTranscript', sessionId: 53 },
      { kind: 'showDiff', featureId: 5 },
      { kind: 'retryFeature', featureId: 5 },
    ]);
    await page.keyboard.press('Escape');
    expect(await details.count()).toBe(0);
    expect(await trouble()).toEqual([]);
  });

  it('shows what a feature is to do, its notes beside the code and its sessions', async () => {
    const { page } = await world.open('view=board&cards=20');
    await page.click('[data-card="2"]');
    const details = page.getByRole('complementary', { name: 'Feature 2' });
    const name = 'Reject unknown keys with a message that names the nearest known one';
    const description = details.getByText(`${name}. Behaves the same from a file and from a terminal`);
    await description.waitFor();
    const reviewed = details.locator('.proof', { hasText: 'fresh checkout' });
    expect(await reviewed.textContent()).toContain("exit code 1, 2s, fresh checkout; passed in the worker's tree");
    const note = details.locator('.note');
    expect(await note.locator('.prose').textContent()).toBe('Keep the old flag working until 2.0.');
    expect(await note.locator('code').textContent()).toBe('src/config/parse.js:12');
    await button(page, 'Add a note').click();
    const session = details.locator('.session');
    expect(await session.textContent()).toMatch(/^Worker claude-sonnet.*14 turns · 58.1K tokens · \$0\.04$/);
    await button(page, 'Transcript of session 21').click();
    expect(await posted(page)).toEqual([
      { kind: 'addNote', featureId: 2 },
      { kind: 'openTranscript', sessionId: 21 },
    ]);
  });

  it('counts the seconds of what is at work', async () => {
    const { page } = await world.open('view=board&cards=20', undefined, undefined, (blank) => blank.clock.install());
    const card = page.locator('.card', { has: page.locator('[data-card="4"]') });
    await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 60_000);
    const seconds = async () => {
      const [, minutes, rest] = /^(\d+)m (\d\d)s$/.exec((await card.locator('.elapsed').textContent()) ?? '') ?? [];
      return Number(minutes) * 60 + Number(rest);
    };
    const before = await seconds();
    expect(before).toBeGreaterThanOrEqual(4 * 47);
    await page.clock.runFor(5000);
    await expect.poll(seconds).toBe(before + 5);
  });

  it('searches, groups, and remembers both over a reload', async () => {
    const { page } = await world.open('view=board&cards=20');
    await page.getByRole('textbox', { name: 'Search features' }).fill('json');
    await expect.poll(() => page.getByText('2 of 20 features').count()).toBe(1);
    await page.reload();
    await expect.poll(() => page.getByText('2 of 20 features').count()).toBe(1);
    await button(page, 'Clear filters').click();
    await page.getByRole('combobox', { name: 'Group' }).click();
    await page.getByRole('option', { name: 'By phase' }).click();
    await expect.poll(() => page.locator('.group').first().textContent()).toContain('Phase 1: Foundations');
  });

  it('is there before its lists have their element, and nothing moves when they get it', async () => {
    const element = Promise.withResolvers<void>();
    const { page, trouble } = await world.open('view=board&cards=20', undefined, undefined, (blank) =>
      blank.route('**/selectElement-*.js', (route) => element.promise.then(() => route.continue())),
    );
    await page.locator('[data-card="1"]').waitFor();
    const face = page.locator('.select-to-come').last();
    expect(await face.textContent()).toBe('No groups');
    const place = await face.boundingBox();
    element.resolve();
    await page.getByRole('combobox', { name: 'Group' }).waitFor();
    expect(await page.locator('vscode-single-select').last().boundingBox()).toEqual(place);
    expect(await trouble()).toEqual([]);
  });

  it('asks for what the steward presses, and decides nothing', async () => {
    const { page } = await world.open('view=board&cards=20');
    const question = 'Merge “A calculator for the terminal” into main?';
    await button(page, `Review Changes: ${question}`).click();
    await button(page, `Approve: ${question}`).click();
    await button(page, `Reject…: ${question}`).click();
    await button(page, 'Answer…: Divide by zero without ending the program').click();
    await button(page, 'Pause Rewrite the configuration so that every mistake is named').click();
    expect(await posted(page)).toEqual([
      { kind: 'review', approvalId: 900_001, jobId: 'job-2' },
      { kind: 'approve', approvalId: 900_001, jobId: 'job-2', choice: 'merge' },
      { kind: 'reject', approvalId: 900_001, jobId: 'job-2' },
      { kind: 'approve', approvalId: 7, jobId: 'job-1', choice: null },
      { kind: 'job', jobId: 'job-1', act: 'pause' },
    ]);
  });

  it('reorders by keyboard and says so', async () => {
    const { page } = await world.open('view=board&cards=20');
    await button(page, 'Move Parse the configuration file').focus();
    await page.keyboard.press('Space');
    const said = page.locator('[aria-live=assertive]');
    await expect.poll(() => said.textContent()).toContain('Parse the configuration file');
    await page.evaluate(() => new Promise((later) => setTimeout(later))); // the sensor listens for keys from its next tick
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => said.textContent()).toContain('takes the place of Read the stack from standard input');
    await page.keyboard.press('Space');
    await expect.poll(() => posted(page)).toEqual([{ kind: 'reorderFeature', featureId: 1, position: 2 }]);
    expect(await said.textContent()).toContain('Dropped.');
  });

  it('tries a failed card again when it is dragged to Pending', async () => {
    const { page } = await world.open('view=board&cards=20');
    const from = await page.locator('[data-card="5"]').boundingBox();
    const to = await page.locator('[data-card="3"]').boundingBox();
    if (from === null || to === null) throw new Error('a card is not in sight');
    await page.mouse.move(from.x + 10, from.y + 8);
    await page.mouse.down();
    await page.mouse.move(from.x - 40, from.y + 8, { steps: 3 });
    const said = page.locator('[aria-live=assertive]');
    await expect.poll(() => said.textContent()).toContain('Undo and redo');
    await page.mouse.move(to.x + 10, to.y + 8, { steps: 5 });
    // Where it is over is known a moment after the mouse is there.
    await expect.poll(() => said.textContent()).toContain('Undo and redo is to be tried again.');
    await page.mouse.up();
    await expect.poll(() => posted(page)).toEqual([{ kind: 'retryFeature', featureId: 5 }]);
  });

  it('keeps only the cards in sight in the page', async () => {
    const { page } = await world.open('view=board&cards=1000');
    expect(await page.locator('.column-head').first().textContent()).toBe('Pending286');
    expect(await page.locator('.card').count()).toBeLessThan(120);
  });

  it('drops a snapshot that is older than the one shown', async () => {
    const { page } = await world.open('view=board&cards=20');
    const head = () => page.locator('.column-head').first().textContent();
    expect(await head()).toBe('Pending6');
    await page.evaluate(() => {
      window.show(window.sample(10), 0);
      const at = new Date().toISOString();
      const line = { at, jobId: 'job-1', sessionId: 1, featureId: 4, text: 'sent after the old snapshot' };
      window.send({ kind: 'live', lines: [line] });
    });
    await page.getByText('sent after the old snapshot').first().waitFor();
    expect(await head()).toBe('Pending6');
    await page.evaluate(() => window.show(window.sample(10)));
    await expect.poll(head).toBe('Pending4');
  });
});

describe('the cost tab', () => {
  it('shows the limit, why a job waits, the tables, and the chart with its twin', async () => {
    const { page, trouble } = await world.open('view=board&cards=20');
    await page.getByRole('tab', { name: 'Cost' }).click();
    await page.locator('.chart canvas').waitFor();
    const text = await page.locator('.cost-panel').textContent();
    expect(text).toContain('$1.54 of $5.00 today');
    expect(text).toContain('Translate the manual: Daily limit, resumes ');
    expect(await page.getByRole('columnheader', { name: 'Cache read' }).count()).toBeGreaterThan(0);
    const projects = page.locator('details.section', { hasText: 'By project' });
    await projects.locator('summary').click();
    expect(await projects.locator('tbody th').allTextContents()).toEqual(['default', 'docs']);
    await page.getByText('The chart as a table').click();
    const twin = page.getByRole('table', { name: 'Cost over time' });
    expect(await twin.locator('thead th').allTextContents()).toEqual([
      'Time',
      'Planner',
      'Worker',
      'Reviewer',
      'In all',
    ]);
    expect(await twin.locator('tbody tr').count()).toBe(40);
    const sums = async (row: number) =>
      (await twin.locator('tbody tr').nth(row).locator('td').allTextContents()).slice(1);
    expect(await sums(20)).toEqual(['$0.18', '$0.67', '$0.18', '$1.03']);
    expect(await sums(39)).toEqual(['$0.18', '$1.30', '$0.36', '$1.84']);
    await button(page, 'Set Daily Limit…').click();
    expect(await posted(page)).toEqual([{ kind: 'setDailyLimit' }]);
    expect(await trouble()).toEqual([]);
  });
});

describe('the sidebar', () => {
  it('shows what waits, then jobs, then the lists, within 280 px', async () => {
    const { page, trouble } = await world.open('view=sidebar&cards=60', { width: 280, height: 900 });
    const titles = await page.locator('.section > summary h2').allTextContents();
    expect(titles).toEqual([
      'Waits for you',
      'Under way',
      'Pending',
      'In progress',
      'Needs you',
      'Completed',
      'Failed',
    ]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(280);
    await button(page, 'Open Board').click();
    expect(await posted(page)).toEqual([{ kind: 'openBoard' }]);
    expect(await trouble()).toEqual([]);
  });

  it('brings the reader to the details of a card, and back', async () => {
    const { page } = await world.open('view=sidebar&cards=20', { width: 280, height: 900 });
    await page.locator('[data-card="5"]').click();
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
      .toBe('Close details');
    expect(await page.evaluate(() => window.scrollY)).toBe(0);
    await page.keyboard.press('Escape');
    expect(await page.evaluate(() => document.activeElement?.getAttribute('data-card'))).toBe('5');
  });

  it('offers a brief, the demo and a project when there is nothing yet', async () => {
    const { page } = await world.open('view=sidebar&cards=0', { width: 280, height: 600 });
    await button(page, 'New Brief').click();
    await button(page, 'Try the Demo').click();
    await button(page, 'New Project…').click();
    expect(await posted(page)).toEqual([{ kind: 'newBrief' }, { kind: 'runDemo' }, { kind: 'newProject' }]);
  });
});
