import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { posted, type WebviewWorld } from './browser.ts';
import { sharedWorld } from './shared.ts';
import { openQuestion, openSection } from './ways.ts';

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

  it('shows the to-do list of a worker, in one line on its card and whole with its attempt, in 280 pixels too', async () => {
    for (const width of [1280, 280]) {
      const { page, trouble } = await world.open('view=board&cards=20', { width, height: 900 });
      const line = page.locator('.card', { has: page.locator('[data-card="4"]') }).locator('.card-todo');
      expect(await line.textContent()).toBe('1/3To do: 1 of 3 doneWrite the test for an empty file');
      expect(await line.getByText('1/3').getAttribute('aria-hidden')).toBe('true');
      await page.locator('[data-card="4"]').press('Enter');
      const details = page.getByRole('complementary', { name: 'Feature 4' });
      const items = details.locator('.todo').getByRole('listitem');
      await expect
        .poll(() => items.allTextContents())
        .toEqual([
          'Completed: Read the existing parser',
          'In progress: Write the test for an empty file',
          'Pending: Name the line in each error',
        ]);
      const summary = details.locator('.todo > summary');
      await summary.press('Enter');
      expect(await items.first().isVisible()).toBe(false);
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
      expect(await trouble()).toEqual([]);
      await page.close();
    }
  });

  it('opens on the job that was started, whatever was looked at before, and says that it is there', async () => {
    const { page, trouble } = await world.open('view=board&cards=20');
    await page.getByRole('tab', { name: 'Cost' }).click();
    await page.evaluate(() => window.send({ kind: 'job', jobId: 'job-2' }));
    await page.getByRole('heading', { name: 'A calculator for the terminal', exact: true }).waitFor();
    expect(await page.getByRole('tab', { name: 'Board' }).getAttribute('aria-selected')).toBe('true');
    expect(await page.locator('[data-card]').count()).toBe(0);
    expect(await page.evaluate(() => window.posted.at(-1))).toEqual({ kind: 'led' });
    await page.getByRole('textbox', { name: 'Search features' }).fill('nothing has this name');
    await page.evaluate(() => window.send({ kind: 'job', jobId: 'job-1' }));
    await page.locator('[data-card="5"]').waitFor();
    await button(page, 'Clear filters').click();
    expect(await trouble()).toEqual([]);
  });

  it('shows the feature that a link or a question names although another job is chosen', async () => {
    const { page, trouble } = await world.open('view=board&cards=20');
    const details = page.getByRole('complementary', { name: 'Feature 5' });
    const chooseJobWithoutFeatures = async () => {
      await page.evaluate(() => window.send({ kind: 'job', jobId: 'job-2' }));
      await page.getByRole('heading', { name: 'A calculator for the terminal', exact: true }).waitFor();
      await expect.poll(() => page.locator('[data-card]').count()).toBe(0);
    };
    await chooseJobWithoutFeatures();
    await page.evaluate(() => window.send({ kind: 'focus', featureId: 5 }));
    await details.waitFor();
    await page.locator('[data-card="5"]').waitFor();
    await chooseJobWithoutFeatures();
    await openQuestion(page, 'The worker is stuck on “Print results as JSON (14)”');
    await button(page, 'Show feature').first().click();
    await page.getByRole('complementary', { name: /^Feature / }).waitFor();
    expect(await trouble()).toEqual([]);
  });

  it('keeps the filter if it shows the feature that a link names', async () => {
    const { page } = await world.open('view=board&cards=20');
    await page.getByRole('textbox', { name: 'Search features' }).fill('#5');
    await page.evaluate(() => window.send({ kind: 'focus', featureId: 5 }));
    await page.getByRole('complementary', { name: 'Feature 5' }).waitFor();
    expect(await button(page, 'Clear filters').count()).toBe(1);
  });

  it('shows all of a folder that does not have the job that was chosen in another folder', async () => {
    const { page } = await world.open('view=board&cards=20');
    await page.evaluate(() => window.send({ kind: 'job', jobId: 'job-of-another-folder' }));
    await page.locator('[data-card="5"]').waitFor();
    expect(await button(page, 'Clear filters').count()).toBe(0);
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
    expect(await note.locator('p').first().textContent()).toBe('Worker, session 21');
    expect(await note.locator('code').textContent()).toBe('src/config/parse.js:12');
    await button(page, 'Add a note').click();
    const session = details.locator('.session');
    expect(await session.textContent()).toMatch(/^Worker claude-.*\$0\.04 · handed over 3 times, saved about \$0\.42$/);
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
    const stuck = 'The worker is stuck on “Divide by zero without ending the program”. How should it continue?';
    for (const one of [question, stuck]) await openQuestion(page, one);
    await button(page, `Review Changes: ${question}`).click();
    await button(page, `Approve: ${question}`).click();
    await button(page, `Reject…: ${question}`).click();
    await button(page, `Answer…: ${stuck}`).click();
    await button(page, 'Pause Rewrite the configuration so that every mistake is named').click();
    expect(await posted(page)).toEqual([
      { kind: 'review', approvalId: 900_001, jobId: 'job-2' },
      { kind: 'approve', approvalId: 900_001, jobId: 'job-2', choice: 'merge' },
      { kind: 'reject', approvalId: 900_001, jobId: 'job-2' },
      { kind: 'approve', approvalId: 7, jobId: 'job-1', choice: null },
      { kind: 'job', jobId: 'job-1', act: 'pause' },
    ]);
  });

  it("shows each amount of a job's money once", async () => {
    const { page } = await world.open('view=board&cards=20');
    await page.evaluate(() => {
      const view = window.shown();
      const jobs = view.jobs.map((job) => ({ ...job, reservedUsd: 0.23, unsettledUsd: 0.21 }));
      window.show({ ...view, jobs });
    });
    const facts = page.locator('#job-job-1 .job-facts');
    await expect.poll(() => facts.textContent()).toContain('$0.21 unsettled');
    expect((await facts.textContent())?.match(/\$0\.2[13] (reserved|unsettled)/g)).toEqual([
      '$0.23 reserved',
      '$0.21 unsettled',
    ]);
  });

  it('says why a job waits, and tries it now', async () => {
    const { page, trouble } = await world.open('view=board&cards=20');
    const row = page.locator('.job-waiting .wait-line');
    expect(await row.textContent()).toMatch(/^Daily limit, resumes .*since .*Try NowSet Daily Limit…$/);
    await button(page, 'Try Now: Translate the manual').click();
    expect(await posted(page)).toEqual([{ kind: 'tryNow', of: 'job', id: 'job-3' }]);
    expect(await trouble()).toEqual([]);
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
    await expect.poll(() => said.textContent()).toContain('Undo and redo will be retried.');
    await page.mouse.up();
    await expect.poll(() => posted(page)).toEqual([{ kind: 'retryFeature', featureId: 5 }]);
  });

  it('keeps only the cards in sight in the page', async () => {
    const { page } = await world.open('view=board&cards=1000');
    expect(await page.locator('.column-head').first().textContent()).toBe('Pending286');
    expect(await page.locator('.card').count()).toBeLessThan(120);
  });

  it('measures no row before its first cards are painted', async () => {
    const { page } = await world.open('view=board&cards=1000', undefined, () => {
      const own = Object.getOwnPropertyDescriptor(HTMLElement.prototype, 'offsetHeight');
      const counted = { rows: 0, atFirst: -1 };
      Object.assign(window, { counted });
      const isRow = (element: Element) => element.matches('.column-scroll, .column li');
      Object.defineProperty(HTMLElement.prototype, 'offsetHeight', {
        get(this: HTMLElement) {
          if (isRow(this)) counted.rows++;
          return own?.get?.call(this) as number;
        },
      });
      const rect = Element.prototype.getBoundingClientRect;
      Element.prototype.getBoundingClientRect = function (this: Element) {
        if (isRow(this)) counted.rows++;
        return rect.call(this);
      };
      const look = () => {
        if (document.querySelector('.card') === null) requestAnimationFrame(look);
        else counted.atFirst = counted.rows;
      };
      requestAnimationFrame(look);
    });
    const atFirst = () => page.evaluate(() => (window as unknown as { counted: { atFirst: number } }).counted.atFirst);
    await expect.poll(atFirst).toBe(0);
  });

  it('keeps what is in sight in place while rows of other heights come in above it', async () => {
    const { page } = await world.open('view=board&cards=1000');
    const column = page.getByRole('region', { name: 'Completed' }).locator('.column-scroll');
    const moved = await column.evaluate(async (scroller) => {
      const frames = async () => {
        for (let frame = 0; frame < 3; frame++) await new Promise((resolve) => requestAnimationFrame(resolve));
      };
      scroller.scrollTop = 9_000;
      await frames();
      const off: number[] = [];
      for (let step = 0; step < 12; step++) {
        const { top, bottom } = scroller.getBoundingClientRect();
        const row = [...scroller.querySelectorAll('.column-row')].find((one) => {
          const at = one.getBoundingClientRect();
          return at.top > top && at.bottom < bottom - 150;
        });
        const before = row?.getBoundingClientRect().top ?? Number.NaN;
        scroller.scrollTop -= 120;
        await frames();
        off.push(Math.abs((row?.getBoundingClientRect().top ?? Number.NaN) - before - 120));
      }
      return Math.max(...off);
    });
    expect(moved).toBeLessThanOrEqual(1);
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
    const sums = (row: number) => twin.locator('tbody tr').nth(row).locator('td').allTextContents();
    expect(await sums(20)).toEqual(['$0.18', '$0.67', '$0.18', '$1.03']);
    expect(await sums(39)).toEqual(['$0.18', '$1.30', '$0.36', '$1.84']);
    await button(page, 'Set Daily Limit…').click();
    expect(await posted(page)).toEqual([{ kind: 'setDailyLimit' }]);
    expect(await trouble()).toEqual([]);
  });
});

describe('the sidebar', () => {
  it('shows what waits, then what is under way, then the rest, collapsed, within 280 px', async () => {
    const { page, trouble } = await world.open('view=sidebar&cards=60', { width: 280, height: 900 });
    const titles = (parts: string) => page.locator(`${parts} > summary h2`).allTextContents();
    const [open, collapsed] = [
      ['Needs your input', 'Active', 'In progress'],
      ['Pending', 'Needs you', 'Completed', 'Failed'],
    ];
    expect(await titles('.section')).toEqual([...open, ...collapsed]);
    expect(await titles('.section:not([open])')).toEqual(collapsed);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(280);
    await button(page, 'Open Board').click();
    expect(await posted(page)).toEqual([{ kind: 'openBoard' }]);
    expect(await trouble()).toEqual([]);
  });

  it('shows one question for all jobs that wait for the same cause, and leads from each to it', async () => {
    const { page } = await world.open('view=sidebar&cards=20', { width: 320, height: 900 });
    await page.evaluate(() => {
      const view = window.shown();
      const [first] = view.approvals;
      const [one, other] = view.jobs;
      if (first === undefined || one === undefined || other === undefined) throw new Error('the sample is too small');
      const asked = { ...first, kind: 'provider', question: 'There is no API key. Try again?', choices: [] } as const;
      const plain = { ...asked, executables: [], reviewable: false, featureId: null, refusal: 'ends' } as const;
      const jobs = [one, other].map((job) => ({ ...job, status: 'awaiting_steward' }) as const);
      const waiting = jobs.map(({ title }) => title);
      const approvals = [
        { ...plain, id: 1, jobId: one.id, waiting },
        { ...plain, id: 2, jobId: other.id, settledBy: 1 },
      ];
      window.show({ ...view, jobs, approvals });
    });
    const waits = page.getByRole('list', { name: 'Needs your input' });
    await expect.poll(() => waits.getByRole('article').count()).toBe(1);
    expect(await waits.getByRole('listitem').allTextContents()).toEqual(
      expect.arrayContaining([
        'Rewrite the configuration so that every mistake is named',
        'A calculator for the terminal',
      ]),
    );
    expect(await waits.textContent()).toContain('A rejection ends all jobs that need this answer.');
    await page.locator('#job-job-2 .job-facts').getByRole('button').click();
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('question-1');
  });

  it('keeps the columns of the changed files at a merge aligned, and wraps the sentences after them', async () => {
    const { page, trouble } = await world.open('view=sidebar&cards=20', { width: 280, height: 900 });
    await page.evaluate(() => {
      const view = window.shown();
      const [first] = view.approvals;
      if (first === undefined) throw new Error('the sample has no question');
      const stat = [
        ` README.md          | 52 ${'+'.repeat(40)}-`,
        ' src/ill/million.js |  8 ++++++',
        ' 2 files changed',
      ];
      const ignored = 'These ignored files changed, and no test of the plan reads any of them.';
      const detail = [...stat, '', ignored, '', '  | file | what |', '  The end of the summary.'].join('\n');
      window.show({ ...view, approvals: [{ ...first, detail }] });
    });
    const stat = page.locator('.approval .prose').first();
    await stat.waitFor();
    const bars = await stat.evaluate((element) => {
      const node = element.firstChild;
      if (node === null) throw new Error('the diffstat is empty');
      return [...(node.textContent ?? '').matchAll(/\|/g)].map(({ index }) => {
        const range = document.createRange();
        range.setStart(node, index);
        range.setEnd(node, index + 1);
        return Math.round(range.getBoundingClientRect().x);
      });
    });
    expect(bars).toHaveLength(2);
    expect(new Set(bars).size).toBe(1);
    const sentence = page.locator('.approval .prose', { hasText: 'These ignored files changed' });
    expect(await sentence.evaluate((element) => element.scrollWidth <= element.clientWidth)).toBe(true);
    // A table in a summary is no second list of files.
    expect(await sentence.textContent()).toMatch(/\| file \| what \|\n {2}The end of the summary\.$/);
    expect(await trouble()).toEqual([]);
  });

  it('keeps the words of a reviewer in sight at a phase, above the evidence and the aligned files', async () => {
    const { page, trouble } = await world.open('view=sidebar&cards=20', { width: 280, height: 900 });
    await page.evaluate(() => {
      const view = window.shown();
      const [first] = view.approvals;
      if (first === undefined) throw new Error('the sample has no question');
      const commands = Array.from({ length: 12 }, (_, at) => `- npm run check:${at}: passed, in a fresh checkout`);
      const stat = [' src/stack.js | 12 ++++', ' 1 file changed, 12 insertions(+)'];
      const detail = ['All criteria hold.', '', 'Verify commands:', ...commands, '', 'Changes:', ...stat].join('\n');
      window.show({ ...view, approvals: [{ ...first, kind: 'phase', detail }] });
    });
    const approval = page.locator('.approval');
    await approval.getByText('All criteria hold.', { exact: true }).waitFor();
    expect(await approval.getByText('check:11').isVisible()).toBe(false);
    await approval.getByText('Details', { exact: true }).click();
    await approval.getByText('check:11').waitFor();
    expect(await approval.locator('.stat').textContent()).toBe(
      ' src/stack.js | 12 ++++\n 1 file changed, 12 insertions(+)',
    );
    expect(await trouble()).toEqual([]);
  });

  it('brings the reader to the details of a card, and back', async () => {
    const { page } = await world.open('view=sidebar&cards=20', { width: 280, height: 900 });
    await openSection(page, 'Failed');
    await page.locator('[data-card="5"]').click();
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
      .toBe('Close details');
    expect(await page.evaluate(() => window.scrollY)).toBe(0);
    await page.keyboard.press('Escape');
    expect(await page.evaluate(() => document.activeElement?.getAttribute('data-card'))).toBe('5');
  });

  it('remembers over a reload which of its sections are open', async () => {
    const { page } = await world.open('view=sidebar&cards=20', { width: 280, height: 900 });
    // In one step, before the browser reports that the section was toggled.
    const kept = await page.locator('.section:not([open]) > summary', { hasText: 'Failed' }).evaluate((summary) => {
      (summary as HTMLElement).click();
      return Object.values(sessionStorage).join();
    });
    expect(kept).toContain('"folds":{"lane failed":true}');
    await page.reload();
    await page.locator('[data-card="5"]').waitFor();
    expect(await page.locator('[data-card="1"]').isVisible()).toBe(false);
  });

  it('offers a brief, the demo and a project when there is nothing yet', async () => {
    const { page } = await world.open('view=sidebar&cards=0', { width: 280, height: 600 });
    await button(page, 'New Brief').click();
    await button(page, 'Try the Demo').click();
    await button(page, 'New Project…').click();
    expect(await posted(page)).toEqual([{ kind: 'newBrief' }, { kind: 'runDemo' }, { kind: 'newProject' }]);
  });
});
