/** Long-running tasks on the pages: the list, the drawing of the steps and its twin, the log, and what is asked for. */
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { sampleTasks } from '../../webview-ui/dev/sampleTasks.ts';
import { elapsed, inOrder, readable, remaining } from '../../webview-ui/src/task/taskFacts.ts';
import { posted, type WebviewWorld } from './browser.ts';
import { sharedWorld } from './shared.ts';
import { openQuestion, openSection } from './ways.ts';

let world: WebviewWorld;

beforeAll(async () => {
  world = await sharedWorld();
});

const NARROW = { width: 320, height: 900 };
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const focused = (page: Page) => page.evaluate(() => (document.activeElement as HTMLElement).dataset['step'] ?? null);
const looked = (page: Page) => page.evaluate(() => window.posted.findLast(({ kind }) => kind === 'look'));

async function live(task = 'task-research', more = '', size?: { width: number; height: number }) {
  const opened = await world.open(`view=board&sample=tasks${more}`, size);
  await opened.page.evaluate((taskId) => window.send({ kind: 'task', taskId }), task);
  await opened.page.locator('.task-steps').waitFor();
  return opened;
}

describe('the list of tasks', () => {
  it('begins with those that run and those that wait for you, and folds away those that are over', async () => {
    const { page, trouble } = await world.open('view=sidebar&sample=tasks', NARROW);
    await openSection(page, 'Tasks');
    const names = page.getByRole('list', { name: 'Tasks', exact: true }).locator('.row-name');
    expect(await names.allTextContents()).toEqual([
      'Market Research',
      'Release notes of 2.4.0',
      'Translate the manual',
      'Weekly summary',
    ]);
    const facts = await page.locator('.task', { hasText: 'Market Research' }).textContent();
    expect(facts).toMatch(
      /Running4 of 11 steps34m \d\dsabout 2[56]m \d\ds left\$0\.08, simulatedGather details and 2 more$/,
    );
    expect(await page.locator('.task', { hasText: 'Release notes' }).textContent()).toContain('time left unknown');
    await page.getByText('2 ended, 1 failed').waitFor();
    expect(await page.getByText('Dependency audit').isVisible()).toBe(false);
    expect(await page.locator('.schedule').textContent()).toMatch(/^Weekly summaryNext Nov 9, 2026/);
    expect(await trouble()).toEqual([]);
  });

  it('shows a task as not running while no process carries out tasks, without a time that ticks, and offers to resume it', async () => {
    const { page } = await live();
    const show = (still: boolean) =>
      page.evaluate((isStill) => {
        const all = window.shown();
        const { task } = all;
        const stop = <T extends { readonly status: string }>(one: T): T =>
          one.status === 'RUNNING' ? { ...one, still: isStill } : one;
        window.show({ ...all, tasks: all.tasks.map(stop), task: task && { ...task, steps: task.steps.map(stop) } });
      }, still);
    await show(true);
    await page.locator('.task-head').getByRole('button', { name: 'Resume: Market Research' }).waitFor();
    const head = page.locator('.task-head');
    expect(await head.locator('.job-facts').textContent()).toBe('Not running4 of 11 steps$0.08, simulated');
    expect(await page.locator('.task-page .codicon-loading').count()).toBe(0);
    expect(await page.locator('.step-still').first().textContent()).toMatch(/Not running · \$/);
    expect(await head.getByRole('button', { name: /^Pause/ }).count()).toBe(0);
  });

  it('asks for what a task allows, and opens it in the wide page', async () => {
    const { page } = await world.open('view=sidebar&sample=tasks', NARROW);
    await openSection(page, 'Tasks');
    await page.getByText('2 ended, 1 failed').click();
    const acts = [
      'Start Weekly summary',
      'Pause Market Research',
      'Resume Translate the manual',
      'Retry Dependency audit',
    ];
    for (const name of [...acts, 'Cancel Market Research']) {
      await button(page, name).focus();
      await page.keyboard.press('Enter');
    }
    expect(await button(page, 'Cancel Dependency audit').count()).toBe(0);
    // Beside its question, too.
    const asked = page.getByRole('article', { name: 'Send the release notes to the list?' });
    await openQuestion(page, 'Send the release notes to the list?');
    expect(await asked.getByRole('button', { name: 'Release notes of 2.4.0', exact: true }).count()).toBe(1);
    await button(page, 'Market Research').click();
    const task = (taskId: string, act: string) => ({ kind: 'task', taskId, act });
    expect(await posted(page)).toEqual([
      task('task-waits', 'start'),
      task('task-research', 'pause'),
      task('task-paused', 'resume'),
      task('task-failed', 'retry'),
      task('task-research', 'cancel'),
      { kind: 'openTask', taskId: 'task-research' },
    ]);
  });

  it('is on the board what is not over, and leads from there to its steps and back', async () => {
    const { page } = await world.open('view=board&sample=tasks');
    expect(await page.locator('.task').count()).toBe(4);
    await button(page, 'Market Research').click();
    await page.getByRole('tab', { name: 'Tasks', selected: true }).waitFor();
    await page.locator('.graph').waitFor();
    expect(await looked(page)).toMatchObject({ task: 'task-research', step: null });
    await button(page, 'All tasks').click();
    await page.getByText('2 ended, 1 failed').waitFor();
    expect(await looked(page)).toMatchObject({ task: null });
    await button(page, 'Needs your input: Release notes of 2.4.0').click();
    await page.getByRole('tab', { name: 'Board', selected: true }).waitFor();
    await page.getByRole('heading', { name: 'Send the release notes to the list?' }).waitFor();
    await page.getByRole('tab', { name: 'Tasks' }).click();
    await button(page, 'New Task…').click();
    expect(await posted(page)).toEqual([{ kind: 'newTask' }]);
    await page.evaluate(() => window.send({ kind: 'task', taskId: 'gone' }));
    await page.getByText('This task is not here any more.').waitFor();
  });
});

describe('the steps of a task', () => {
  it('are walked along their edges by keys, and opened', async () => {
    const { page } = await live();
    await page.locator('[data-step="101"]').focus();
    const press = async (key: string) => {
      await page.keyboard.press(key);
      return focused(page);
    };
    expect(await press('ArrowDown')).toBe('102');
    expect(await press('ArrowUp')).toBe('101');
    await press('ArrowDown');
    const branch = await press('ArrowDown');
    expect(['103', '104']).toContain(branch);
    expect(await press(branch === '103' ? 'ArrowRight' : 'ArrowLeft')).toBe(branch === '103' ? '104' : '103');
    expect(await press('Home')).toBe('101');
    expect(await page.locator('.step[tabindex="0"]').count()).toBe(1);
    await page.keyboard.press('Enter');
    const pane = page.getByRole('complementary', { name: 'Step 1' });
    await pane.getByText('"name": "Acme"').waitFor();
    expect(await looked(page)).toMatchObject({ task: 'task-research', step: 101 });
    await pane.getByRole('button', { name: 'Transcript' }).click();
    await pane.getByRole('button', { name: 'Close details' }).click();
    expect(await focused(page)).toBe('101');
    await page.keyboard.press('Enter');
    await pane.waitFor();
    await page.keyboard.press('Escape');
    expect(await pane.count()).toBe(0);
    expect(await posted(page)).toEqual([{ kind: 'openTranscript', sessionId: 77 }]);
  });

  it('say what they wait for, what became of them, and how to see all of it', async () => {
    const { page } = await live();
    const pane = (number: number) => page.getByRole('complementary', { name: `Step ${number}`, exact: true });
    await page.locator('[data-step="106"]').click();
    await pane(6).getByText('answered 503').waitFor();
    expect(await pane(6).textContent()).toMatch(
      /answered 503.*Failed attempts1Resumesin [12]m \d\ds.*retried up to 3 times/,
    );
    await page.locator('[data-step="104"]').click();
    await pane(4).getByRole('button', { name: 'Open all 8000 characters: Result' }).click();
    expect(await pane(4).locator('.facts').textContent()).toContain('Onlyif step 2 is true');
    await page.locator('[data-step="102"]').click();
    await pane(2).getByRole('button', { name: 'Open all 2345678 bytes: Result' }).click();
    const open = (stepId: number) => ({ kind: 'openStep', taskId: 'task-research', stepId, part: 'result' });
    expect(await posted(page)).toEqual([open(104), open(102)]);
  });

  it('are the same as a list', async () => {
    const { page } = await live();
    const facts = () =>
      page
        .locator('.step')
        .evaluateAll((all) =>
          all.map((one) => (one.textContent ?? '').replace(/ · (\d+m )?\d+s| · in .*?s(?= |$)/g, '')),
        );
    const drawn = (await facts()).map((text) => text.replace(/^(\d+\. )/, '$1')).toSorted();
    expect(await page.locator('.edge text').allTextContents()).toEqual(expect.arrayContaining(['true', 'false']));
    await button(page, 'List').click();
    await page.locator('.step-list').waitFor();
    const listed = (await facts()).toSorted();
    const bare = (text: string) =>
      text.replace(/ · (Ask the model|Condition|Fetch an address|Wait|Combine results|Ask you|Notify)/, '');
    expect(listed.map(bare)).toEqual(drawn);
    await page.locator('[data-step="101"]').focus();
    await page.keyboard.press('End');
    expect(await focused(page)).toBe('111');
  });

  it('are a list where a thousand are too many to be drawn', async () => {
    const { page } = await live('task-research', '&steps=1000');
    expect(await page.locator('.step').count()).toBeLessThan(100);
    expect(await page.locator('.step-place').first().getAttribute('aria-setsize')).toBe('1000');
    expect(await button(page, 'Graph').count()).toBe(0);
    await page.locator('.step[tabindex="0"]').focus();
    await page.keyboard.press('End');
    expect(await focused(page)).toBe('1100');
    await expect
      .poll(() => page.locator('[data-step="1100"]').evaluate((one) => one.getBoundingClientRect().top))
      .toBeLessThan(900);
  });
});

describe('a task that is looked at', () => {
  it('links to its question', async () => {
    const { page } = await live('task-notes');
    await page.getByRole('button', { name: 'Send the release notes to the list?', exact: true }).waitFor();
    await page.locator('[data-step="106"]').click();
    await page.getByRole('button', { name: 'Show Question' }).click();
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('question-900004');
    await button(page, 'Approve: Send the release notes to the list?').click();
    await page.getByRole('tab', { name: 'Tasks' }).click();
    await button(page, 'Report: Release notes of 2.4.0').click();
    expect(await posted(page)).toEqual([
      { kind: 'approve', approvalId: 900_004, jobId: null, choice: null },
      { kind: 'task', taskId: 'task-notes', act: 'report' },
    ]);
  });

  it('shows its log by what matters, and follows its end', async () => {
    const { page } = await live();
    const lines = page.locator('.line');
    expect(await lines.count()).toBe(6);
    expect(await lines.first().locator('.line-text').textContent()).toBe('Started');
    // The page listens some moments after the list is there.
    await expect
      .poll(async () => {
        await page.locator('.task-log vscode-single-select').evaluate((element) => {
          (element as HTMLSelectElement).value = 'warning';
          element.dispatchEvent(new Event('change'));
        });
        return lines.count();
      })
      .toBe(2);
    await page.evaluate(() => {
      const view = window.shown();
      const { task } = view;
      const last = task?.log.at(-1);
      if (task === null || last === undefined) throw new Error('there is no log');
      const more = Array.from({ length: 40 }, (_, at) => ({ ...last, id: 10 + at, text: `again ${at}` }));
      window.show({ ...view, task: { ...task, log: [...task.log, ...more] } });
    });
    await expect.poll(() => lines.count()).toBe(42);
    const fromEnd = () =>
      page.locator('.log-scroll').evaluate((log) => log.scrollHeight - log.scrollTop - log.clientHeight);
    await expect.poll(fromEnd).toBeLessThan(2);
  });
});

describe('in words', () => {
  const task = (id: string) => sampleTasks().find((one) => one.id === id)!;

  it('time goes on while a task runs, and only then', () => {
    const research = { ...task('task-research'), asOf: '2026-11-02T10:00:00.000Z', etaAt: '2026-11-02T10:20:00.000Z' };
    const at = (minutes: number) => Date.parse(research.asOf) + minutes * 60_000;
    expect([elapsed(research, at(1)), remaining(research, at(1))]).toEqual(['35m 00s', 'about 19m 00s left']);
    expect(remaining(research, at(21))).toBe('done any moment');
    expect(remaining({ ...research, etaAt: null }, at(1))).toBe('time left unknown');
    const paused = { ...research, status: 'PAUSED' as const };
    expect([elapsed(paused, at(9)), remaining(paused, at(9))]).toEqual(['34m 00s', '']);
  });

  it('JSON is indented, also where it came as text, and text is as it is', () => {
    expect(readable('{"a":[1]}')).toBe('{\n  "a": [\n    1\n  ]\n}');
    expect(readable({ a: 1 })).toBe('{\n  "a": 1\n}');
    expect(['[not json', 'Fine.', ''].map(readable)).toEqual(['[not json', 'Fine.', '']);
  });

  it('who waits for you comes after who runs, and the newest first', () => {
    const two = inOrder([task('task-notes'), task('task-research'), { ...task('task-research'), id: 'newer' }]);
    expect(two.map(({ id }) => id)).toEqual(['newer', 'task-research', 'task-notes']);
  });
});
