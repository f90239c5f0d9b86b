/** A plan as a page: what it shows, what can be answered beside it, and how the reader leaves it. */
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { posted, type WebviewWorld } from './browser.ts';
import { seriousFindings } from './findings.ts';
import { sharedWorld } from './shared.ts';

let world: WebviewWorld;

beforeAll(async () => {
  world = await sharedWorld();
});

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const TITLE = 'Rewrite the configuration so that every mistake is named';

async function plan(more = '', size?: { width: number; height: number }) {
  const opened = await world.open(`view=board&sample=plan${more}`, size);
  await opened.page.evaluate(() => window.send({ kind: 'plan', jobId: 'job-1' }));
  await opened.page.locator('.plan-body').waitFor();
  return opened;
}

describe('a plan', () => {
  it('shows its phases, features, testing steps and estimate with its source', async () => {
    const { page, trouble } = await plan();
    await page.getByRole('heading', { name: TITLE, level: 2 }).waitFor();
    const phase = page.getByRole('region', { name: 'Phase 2: Commands' });
    expect(await phase.getByRole('article').count()).toBe(3);
    const feature = phase.getByRole('article', { name: 'Undo and redo' });
    expect(await feature.textContent()).toContain('A file with an unknown key names the nearest known one');
    expect(await phase.textContent()).toContain('Checked bynode --test');
    const estimate = await page.getByRole('region', { name: 'Estimate' }).textContent();
    expect(estimate).toContain('$0.42 to $1.90');
    expect(estimate).toContain('From 3 earlier jobs with claude-sonnet, which completed 14 features.');
    expect(await trouble()).toEqual([]);
  });

  it('shows what an approval answers and grants, and what the workers are told', async () => {
    const { page } = await plan();
    const region = (name: string) => page.getByRole('region', { name, exact: true });
    expect(await region('Questions to you').textContent()).toContain('Shall an unknown key stop the program');
    expect(await region('Setup commands').getByRole('listitem').allTextContents()).toEqual(['npm install']);
    expect(await region('Setup commands').textContent()).toContain('An approval lets these run');
    expect(await region('Assumptions').textContent()).toContain('stays one JSON file');
    await page.getByText('Findings for the workers').click();
    await page.getByText('src/cli.js reads all options in one place').waitFor();
    const own = page.getByRole('article', { name: 'Undo and redo' });
    expect(await own.textContent()).toContain('Checked bynode --test test/undo.test.js');
    await page.evaluate(() => {
      const view = window.shown();
      const none = { questions: [], setup: [], assumptions: [], findings: '' };
      if (view.plan !== null) window.show({ ...view, plan: { ...view.plan, ...none } });
    });
    await region('Questions to you').waitFor({ state: 'detached' });
    expect(await page.getByText('Findings for the workers').count()).toBe(0);
  });

  it('has its answers before its text in a narrow page, for the keyboard too', async () => {
    const order = (page: Page) =>
      page.locator('.plan-body').evaluate((body) => [...body.children].map((part) => part.className));
    const { page } = await plan('', { width: 600, height: 900 });
    expect(await order(page)).toEqual(['plan-side', 'plan-text']);
    const { page: wide } = await plan('', { width: 1_000, height: 900 });
    await expect.poll(() => order(wide)).toEqual(['plan-text', 'plan-side']);
  });

  it.each([
    [{ source: 'budget', atMostUsd: 4 }, 'Costat most $4.00Timeunknown'],
    [{ source: 'unknown' }, 'CostunknownTimeunknown'],
    [{ source: 'simulated' }, 'CostnothingTimeunknown'],
  ] as const)('says what is not known of the estimate: %o', async (estimate, text) => {
    const { page } = await plan();
    await page.evaluate((given) => {
      const view = window.shown();
      if (view.plan !== null) window.show({ ...view, plan: { ...view.plan, budgetUsd: null, estimate: given } });
    }, estimate);
    const shown = page.getByRole('region', { name: 'Estimate' });
    await expect.poll(() => shown.locator('dl').textContent()).toBe(text);
    expect(await shown.locator('.muted').textContent()).not.toBe('');
  });

  it('draws which features depend on each other, says it in words, and leads to each', async () => {
    const { page } = await plan();
    const nodes = page.getByRole('list', { name: 'Features that depend on each other' }).getByRole('button');
    expect(await nodes.count()).toBe(5);
    expect(await page.locator('.plan-graph .edge').count()).toBe(4);
    const node = page.getByRole('button', { name: /^Undo and redo\s*Depends on Reject unknown keys/ });
    await node.click();
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('plan-feature-5');
    const feature = page.getByRole('article', { name: 'Undo and redo' });
    await feature.getByRole('button', { name: 'Read the stack from standard input' }).click();
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('plan-feature-3');
  });

  it('is answered beside it, and opens as YAML', async () => {
    const { page } = await plan();
    await button(page, `Approve: ${TITLE}`).click();
    await button(page, `Ask for Changes…: ${TITLE}`).click();
    await button(page, 'Edit as YAML').click();
    await button(page, 'Compare versions').click();
    expect(await posted(page)).toEqual([
      { kind: 'approve', approvalId: 900_002, jobId: 'job-1', choice: null },
      { kind: 'reject', approvalId: 900_002, jobId: 'job-1' },
      { kind: 'plan', jobId: 'job-1', act: 'edit' },
      { kind: 'plan', jobId: 'job-1', act: 'compare' },
    ]);
  });

  it('gives way to the board when it is approved, and stays when it is not', async () => {
    const { page } = await plan();
    const answered = (accepted: boolean) =>
      page.evaluate((isAccepted) => {
        const view = window.shown();
        if (view.plan === null) throw new Error('no plan is shown');
        window.show({ ...view, approvals: [], plan: { ...view.plan, approvalId: null, accepted: isAccepted } });
      }, accepted);
    await answered(false);
    await page.getByText('This plan does not ask for approval now.').waitFor();
    await answered(true);
    await page.locator('.plan-page').waitFor({ state: 'detached' });
  });

  it('is left by its link, by a tab and for a feature', async () => {
    const { page } = await plan();
    const look = () => page.evaluate(() => window.posted.findLast(({ kind }) => kind === 'look'));
    expect(await look()).toMatchObject({ plan: 'job-1' });
    await page.locator('.plan-page').getByRole('button', { name: 'Board' }).click();
    await page.locator('.jobs').waitFor();
    expect(await look()).toMatchObject({ plan: null });
    await page.evaluate(() => window.send({ kind: 'plan', jobId: 'job-1' }));
    await page.locator('.plan-body').waitFor();
    await page.getByRole('tab', { name: 'Board' }).click();
    await page.locator('.jobs').waitFor();
  });

  it('that is gone says so', async () => {
    const { page } = await plan();
    await page.evaluate(() => window.send({ kind: 'plan', jobId: 'job-9' }));
    await page.getByText('This plan is not here any more.').waitFor();
  });

  it.each([
    [1280, 'dark'],
    [500, 'light'],
    [320, 'hc'],
  ] as const)('has room and no serious finding at %i px, %s', async (width, theme) => {
    const { page } = await plan(`&theme=${theme}&lang=de`, { width, height: 900 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    expect(await seriousFindings(page)).toEqual([]);
  });
});

describe('the plan of a job', () => {
  const opened = async (status: 'running' | 'completed', size?: { width: number; height: number }, more = '') => {
    const { page, trouble } = await world.open(`view=board&cards=20${more}`, size);
    await page.evaluate((wanted) => {
      const view = window.shown();
      const jobs = view.jobs.map((job) => (job.id === 'job-1' ? { ...job, status: wanted } : job));
      window.show({ ...view, jobs });
      window.send({ kind: 'plan', jobId: 'job-1' });
    }, status);
    await page.locator('.plan-body').waitFor();
    return { page, trouble };
  };

  it('highlights the features that are worked on, and states their lanes in words', async () => {
    const { page, trouble } = await opened('running');
    const nodes = page.getByRole('list', { name: 'Features that depend on each other' });
    const working = nodes.locator('.plan-node-in_progress');
    expect(await working.count()).toBe(3);
    expect((await working.allTextContents()).join()).toContain('Lane 1 · Returned: conflict in src/config.js');
    expect(await nodes.getByRole('button', { name: /Number 1 in the merge queue/ }).count()).toBe(1);
    expect(await nodes.getByRole('button', { name: /^Parse the configuration file\s*Completed/ }).count()).toBe(1);
    expect(await page.locator('.timeline').count()).toBe(0);
    expect(await trouble()).toEqual([]);
  });

  it('has a timeline when the job has ended, in words too', async () => {
    const { page, trouble } = await opened('completed');
    const timeline = page.getByRole('region', { name: 'Timeline' });
    const row = timeline.getByRole('listitem').filter({ hasText: 'Reject unknown keys' });
    expect(await row.textContent()).toContain('Lane 1');
    expect(await row.textContent()).toContain('Work 18m 00s, Waits for your answer 8h 32m');
    const [before, asked, after] = await row
      .locator('.timeline-span')
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().width));
    // The night is shortened: it is not the largest part of the axis.
    expect(asked).toBeLessThan(5 * ((before ?? 0) + (after ?? 0)));
    expect(await timeline.getByText('Not completed').count()).toBe(1);
    expect(await timeline.locator('.timeline-break').count()).toBe(2);
    expect(await trouble()).toEqual([]);
  });

  it.each([
    [1280, 'dark'],
    [500, 'light'],
    [320, 'hc'],
  ] as const)('has room for its timeline, and no serious finding at %i px, %s', async (width, theme) => {
    const { page } = await opened('completed', { width, height: 900 }, `&theme=${theme}&lang=de`);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    expect(await seriousFindings(page)).toEqual([]);
  });
});
