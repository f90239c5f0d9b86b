/** Where nothing can be begun the page offers what mends that; a job says where its result went, and what it asks before its plan. */
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import type { PanelJob, PanelView, QuickFix } from '../../src/shared/workspace/panel.ts';
import type { WebviewWorld } from './browser.ts';
import { sharedWorld } from './shared.ts';
import { openSection } from './ways.ts';

let world: WebviewWorld;

beforeAll(async () => {
  world = await sharedWorld();
});

const PLACES = [
  ['sidebar', { width: 280, height: 700 }],
  ['board', { width: 1280, height: 800 }],
] as const;

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const mends = (page: Page) => page.evaluate(() => window.posted.filter(({ kind }) => kind === 'quickFix'));

/** A page without jobs, in a window that cannot work. */
async function blockedBy(
  view: 'sidebar' | 'board',
  size: { width: number; height: number },
  quickFix: QuickFix | null,
) {
  const { page } = await world.open(`view=${view}&cards=0`, size);
  await page.evaluate((offered) => {
    const banner = { text: 'It cannot work here.', severity: 'warning', quickFix: offered } as const;
    window.show({ ...window.sample(0), mode: 'none', banner });
  }, quickFix);
  await page.locator('.banner').waitFor();
  return page;
}

/** The page with the first job of a sample as it is given here. */
async function withJob(page: Page, patch: Partial<PanelJob>, more: Partial<PanelView> = {}): Promise<void> {
  await page.evaluate(
    ([job, others]) => {
      const sample = window.sample(20);
      const [first] = sample.jobs;
      if (first !== undefined) window.show({ ...sample, approvals: [], jobs: [{ ...first, ...job }], ...others });
    },
    [patch, more] as const,
  );
}

describe.each(PLACES)('the %s of a window that cannot work', (view, size) => {
  it('offers what mends it beside the banner, and in the place of New Brief', async () => {
    const page = await blockedBy(view, size, 'manageTrust');
    expect(await button(page, 'New Brief').count()).toBe(0);
    const offered = button(page, 'Manage Trust');
    expect(await offered.count()).toBe(2);
    await offered.first().click();
    await offered.last().click();
    expect(await mends(page)).toEqual([
      { kind: 'quickFix', quickFix: 'manageTrust' },
      { kind: 'quickFix', quickFix: 'manageTrust' },
    ]);
  });

  it('offers no New Brief where nothing can be pressed', async () => {
    const page = await blockedBy(view, size, null);
    expect(await button(page, 'New Brief').count()).toBe(0);
    expect(await page.locator('.banner button').count()).toBe(0);
    expect(await button(page, 'Try the Demo').count()).toBe(1);
  });
});

it.each(PLACES)('names the folder of a window with several, and leads to another: %s', async (view, size) => {
  const { page } = await world.open(`view=${view}&cards=20`, size);
  expect(await page.locator('.folder').count()).toBe(0);
  await page.evaluate(() => window.show({ ...window.sample(20), folder: 'web' }));
  await page.getByText('Folder: web', { exact: true }).waitFor();
  await button(page, 'Choose Folder').click();
  expect(await mends(page)).toEqual([{ kind: 'quickFix', quickFix: 'chooseFolder' }]);
});

it('keeps New Brief where another window owns the workspace, and offers to take over', async () => {
  const { page } = await world.open('view=sidebar&cards=0', { width: 280, height: 700 });
  await page.evaluate(() => {
    const banner = { text: 'Jobs run elsewhere.', severity: 'info', quickFix: 'takeOver' } as const;
    window.show({ ...window.sample(0), mode: 'readOnly', banner });
  });
  await button(page, 'Take Over').click();
  expect(await mends(page)).toEqual([{ kind: 'quickFix', quickFix: 'takeOver' }]);
  expect(await button(page, 'New Brief').count()).toBe(1);
});

it('offers to restore what a log that lost its end lacks', async () => {
  const page = await blockedBy('sidebar', { width: 280, height: 700 }, 'restoreState');
  await button(page, 'Restore Lost State…').first().click();
  expect(await mends(page)).toEqual([{ kind: 'quickFix', quickFix: 'restoreState' }]);
});

describe('a job', () => {
  it('that no process works on is not running, and can be resumed instead of paused', async () => {
    const { page } = await world.open('view=sidebar&cards=20', { width: 280, height: 900 });
    await withJob(page, { status: 'running', title: 'Write a guide.', still: true });
    const facts = page.locator('.job-facts').first();
    await expect.poll(() => facts.textContent()).toContain('Not running');
    expect(await button(page, 'Pause Write a guide.').count()).toBe(0);
    await button(page, 'Resume Write a guide.').click();
    const acts = await page.evaluate(() => window.posted.filter(({ kind }) => kind === 'job'));
    expect(acts).toEqual([{ kind: 'job', jobId: 'job-1', act: 'resume' }]);
    const { page: board } = await world.open('view=board&cards=20');
    await withJob(board, { status: 'planning', title: 'Write a guide.', phases: [], still: true }, { cards: [] });
    await expect.poll(() => board.locator('.empty p').first().textContent()).toBe('Not running');
  });

  it('that no process works on has no card, phase or attempt that runs', async () => {
    const { page } = await world.open('view=board&cards=20');
    const runs = page.locator('.card-live').first();
    await expect.poll(() => runs.locator('.elapsed').count()).toBe(1);
    await page.evaluate(() => {
      const view = window.shown();
      window.show({
        ...view,
        jobs: view.jobs.map((job) => ({ ...job, status: 'running', waiting: null, still: true })),
      });
    });
    await expect.poll(() => runs.textContent()).toBe('Not running');
    expect(await page.locator('.card .codicon-loading').count()).toBe(0);
  });

  it('says where its result went', async () => {
    const { page } = await world.open('view=sidebar&cards=20', { width: 280, height: 900 });
    const merged = { mode: 'merge', target: 'main', commit: 'fa8eaa7c0ffee', rolledBack: false } as const;
    const facts = page.locator('.job-facts').first();
    await withJob(page, { status: 'completed', merge: merged });
    await openSection(page, 'Last job');
    await expect.poll(() => facts.textContent()).toContain('Merged into main at fa8eaa7');
    expect(await page.getByRole('button', { name: /^Open What Was Built/ }).count()).toBe(0);
    await withJob(page, { status: 'completed', merge: merged, built: true });
    await page.getByRole('button', { name: /^Open What Was Built/ }).click();
    expect(await page.evaluate(() => window.posted.at(-1))).toEqual({ kind: 'job', jobId: 'job-1', act: 'built' });
    await withJob(page, { status: 'completed', merge: { ...merged, rolledBack: true } });
    await expect.poll(() => facts.textContent()).toContain('Rolled back from main');
    await withJob(page, { status: 'completed', merge: { ...merged, mode: 'branch', target: 'autonomous/1' } });
    await expect.poll(() => facts.textContent()).toContain('Left on the branch autonomous/1 at fa8eaa7');
    const target = `/jobs/${'long-name-'.repeat(12)}.patch`;
    await withJob(page, { status: 'completed', merge: { ...merged, mode: 'patch', target, commit: null } });
    await expect.poll(() => facts.textContent()).toContain(`Written to the patch ${target}`);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(280);
  });

  it('that asks before it has a plan says what it asks, not that it has no features', async () => {
    const { page } = await world.open('view=board&cards=20');
    const job = { status: 'awaiting_steward', title: 'Write a guide.', phases: [] } as const;
    const [approval] = await page.evaluate(() => window.sample(20).approvals);
    if (approval === undefined) throw new Error('the sample asks nothing');
    const asked = { ...approval, jobId: 'job-1', kind: 'limit', question: 'Raise the budget?' } as const;
    await withJob(page, job, { cards: [], approvals: [asked] });
    const beginning = page.locator('.empty');
    await expect.poll(() => beginning.locator('h2').textContent()).toBe('Write a guide.');
    expect(await beginning.locator('p').allTextContents()).toEqual(['Needs your input', 'Raise the budget?']);
    await withJob(page, { ...job, status: 'completed' }, { cards: [] });
    await expect.poll(() => beginning.locator('p').allTextContents()).toEqual(['Completed', 'It has no features.']);
  });
});
