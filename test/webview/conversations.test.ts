/** Projects and their conversations on the pages: what is shown, pressed and typed. */
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ConversationMessage } from '../../src/shared/project/projectView.ts';
import type { FromPage } from '../../src/shared/workspace/pageProtocol.ts';
import type { WebviewWorld } from './browser.ts';
import { sharedWorld } from './shared.ts';
import { openSection } from './ways.ts';

declare global {
  interface Window {
    /** What was changed in the list of messages. */
    changed: number;
  }
}

let world: WebviewWorld;

beforeAll(async () => {
  world = await sharedWorld();
});

const NARROW = { width: 280, height: 1000 };
const posted = (page: Page, kind?: FromPage['kind']) =>
  page.evaluate(
    (wanted) =>
      window.posted.filter(({ kind: is }) => (wanted === undefined ? is !== 'ready' && is !== 'look' : is === wanted)),
    kind,
  );
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const composer = (page: Page, project = 'api-migration') =>
  page.getByRole('textbox', { name: `Message to ${project}`, exact: true });

async function talking(project = 'api-migration', more = '', size?: { width: number; height: number }) {
  const opened = await world.open(`view=board&sample=projects${more}`, size);
  await opened.page.evaluate((name) => window.send({ kind: 'talk', project: name }), project);
  await opened.page.locator('.talk-head').waitFor();
  return opened;
}

/** The conversation that is shown, with one message more. */
async function say(page: Page, message: Partial<ConversationMessage>): Promise<void> {
  await page.evaluate((patch) => {
    const view = window.shown();
    const { conversation } = view;
    const last = conversation?.messages.at(-1);
    if (conversation === null || last === undefined) throw new Error('nothing was said yet');
    const next = { ...last, direction: 'out' as const, sender: 'project' as const, id: last.id + 1, ...patch };
    window.show({ ...view, conversation: { ...conversation, messages: [...conversation.messages, next] } });
  }, message);
}

describe('a conversation', () => {
  it('is reached, read and answered by keys alone', async () => {
    const { page, trouble } = await world.open('view=board&sample=projects');
    await page.getByRole('tab', { name: 'Board' }).focus();
    await page.keyboard.press('ArrowLeft');
    await page.getByRole('tab', { name: 'Conversations 3 new messages', selected: true }).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toContain('Main agent');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'api-migration', exact: true }).waitFor();
    await composer(page).waitFor();
    expect(await page.locator('[data-message="38"]').textContent()).toContain('web');
    await composer(page).focus();
    await page.keyboard.type('First line');
    await page.keyboard.press('Enter');
    await page.keyboard.type('second');
    expect(await posted(page, 'sendMessage')).toEqual([]);
    await page.keyboard.press('Control+Enter');
    const sent = { kind: 'sendMessage', project: 'api-migration', text: 'First line\nsecond' };
    expect(await posted(page, 'sendMessage')).toEqual([sent]);
    await page.keyboard.press('Control+Enter');
    expect(await posted(page, 'sendMessage'), 'not twice').toEqual([sent]);
    await say(page, { direction: 'in', sender: 'steward', text: 'First line\nsecond', read_at: null });
    await expect.poll(() => composer(page).inputValue()).toBe('');
    expect(await page.locator('[data-message="43"]').textContent()).toContain('not read yet');
    expect(await trouble()).toEqual([]);
  });

  it('shows who said what, what is new, and what is being done', async () => {
    const { page } = await talking();
    const message = (id: number) => page.locator(`[data-message="${id}"]`);
    await message(42).waitFor();
    expect(await message(31).locator('strong').first().textContent()).toBe('You');
    expect(await message(34).locator('li').count()).toBe(6);
    expect(await message(34).locator('pre').textContent()).toBe(`router.get('/v2/items', page(listItems));`);
    expect(await message(38).textContent()).toMatch(/^web.*passed onWe read total from/);
    expect(await message(40).textContent()).toMatch(/^(?!.*concerns).*passed on to web/);
    expect(await page.locator('li:has(> .new-from-here) [data-message]').getAttribute('data-message')).toBe('40');
    expect(await page.locator('.working').textContent()).toBe('api-migration is working…read src/routes/items.tsStop');
    await button(page, 'Stop').click();
    expect(await posted(page, 'stopTurn')).toEqual([{ kind: 'stopTurn', project: 'api-migration' }]);
    await button(page, 'Memory: api-migration').click();
    expect(await posted(page, 'project')).toEqual([{ kind: 'project', project: 'api-migration', act: 'memory' }]);
  });

  it('is read when it was seen, once, and not while one reads further up', async () => {
    const { page } = await talking();
    await expect
      .poll(() => posted(page, 'markRead'))
      .toEqual([{ kind: 'markRead', project: 'api-migration', upTo: 41 }]);
    await say(page, { text: 'Seen at once.', read_at: null });
    await expect.poll(() => posted(page, 'markRead')).toHaveLength(2);
    for (let at = 0; at < 20; at++)
      await say(page, { text: 'A line.\n\nAnother.', read_at: '2026-11-02T10:00:00.000Z' });
    await page.locator('[data-message="63"]').waitFor();
    const scroller = page.locator('.thread-scroll');
    // Text may grow in the very frame in which one scrolls.
    await scroller.evaluate((element) => {
      element.scrollTo(0, 0);
      (element.firstElementChild as HTMLElement).style.minHeight = `${element.scrollHeight + 20}px`;
    });
    await button(page, 'To the newest message').waitFor();
    await say(page, { text: 'Not seen.', read_at: null });
    await page.locator('[data-message="64"]').waitFor({ state: 'attached' });
    expect(await scroller.evaluate((element) => element.scrollTop)).toBeLessThan(5);
    expect(await posted(page, 'markRead')).toHaveLength(2);
    await button(page, 'To the newest message').click();
    await expect.poll(() => posted(page, 'markRead')).toHaveLength(3);
  });

  it('keeps what is typed over snapshots, other conversations and a reload, and gives back what was not sent', async () => {
    const { page } = await talking();
    await composer(page).fill('Do not lose me.');
    await say(page, { text: 'News.' });
    await page.locator('[data-message="43"]').waitFor();
    await page.locator('.talker', { hasText: 'web' }).click();
    await page.getByText('It has ended. You can read it').waitFor();
    expect(await page.locator('textarea').count()).toBe(0);
    await page.reload();
    await page.getByRole('heading', { name: 'web', exact: true }).waitFor();
    await page.locator('.talker', { hasText: 'api-migration' }).click();
    await expect.poll(() => composer(page).inputValue()).toBe('Do not lose me.');
    await button(page, 'Send').click();
    await button(page, 'Sending…').waitFor();
    await page.evaluate(() => window.send({ kind: 'unsent', project: 'api-migration' }));
    await button(page, 'Send').waitFor();
    expect(await composer(page).inputValue()).toBe('Do not lose me.');
  });

  it('says aloud what came', async () => {
    const { page } = await talking();
    await page.locator('[data-message="42"]').waitFor();
    await say(page, { text: 'It is merged.' });
    await expect.poll(() => page.locator('[data-announcer]').textContent()).toBe('api-migration says: It is merged.');
  });

  it('asks for earlier messages, and stays where one reads', async () => {
    const { page } = await talking('api-migration', '&said=1000');
    const scroller = page.locator('.thread-scroll');
    await page.locator('[data-message="1000"]').waitFor();
    expect(await page.locator('[data-message]').count()).toBe(100);
    await scroller.evaluate((element) => element.scrollTo(0, 0));
    const top = () => page.locator('[data-message="901"]').evaluate((element) => element.getBoundingClientRect().top);
    await expect.poll(top).toBeGreaterThan(0);
    const before = await top();
    await button(page, 'Show earlier messages (900)').click();
    await expect.poll(() => page.locator('[data-message]').count()).toBe(200);
    await expect.poll(async () => Math.abs((await top()) - before)).toBeLessThan(20);
  });

  it('is as long as it is: of two thousand messages one more is one more, and typing touches none', async () => {
    const { page } = await talking('api-migration', '&said=2000');
    await page.locator('[data-message="2000"]').waitFor();
    await page.evaluate(() => {
      const view = window.shown();
      window.show({ ...view, conversation: window.said('api-migration', 2_000) });
    });
    await expect.poll(() => page.locator('[data-message]').count()).toBe(2_000);
    await page.evaluate(() => {
      window.changed = 0;
      const list = document.querySelector('.thread-scroll');
      if (list === null) throw new Error('no messages');
      new MutationObserver((records) => {
        window.changed += records.length;
      }).observe(list, { childList: true, subtree: true, characterData: true, attributes: true });
    });
    await composer(page).pressSequentially('typed quickly');
    expect(await page.evaluate(() => window.changed)).toBe(0);
    await say(page, { text: 'One more.' });
    await page.locator('[data-message="2001"]').waitFor();
    // A stretch of its own, and one that is no longer among the last.
    expect(await page.evaluate(() => window.changed)).toBeLessThanOrEqual(3);
    expect(await composer(page).inputValue()).toBe('typed quickly');
  });

  it('says what to do where nothing was said, and why nothing is answered', async () => {
    const { page } = await talking('docs');
    await page.getByRole('heading', { name: 'No messages yet' }).waitFor();
    expect(await page.locator('.talk-hint').textContent()).toContain('Your messages are kept until it is resumed');
    await page.locator('.talker', { hasText: 'test-coverage' }).click();
    await button(page, 'Try Again: test-coverage').click();
    expect(await posted(page, 'project')).toEqual([{ kind: 'project', project: 'test-coverage', act: 'unpark' }]);
    await page.evaluate(() => window.send({ kind: 'talk', project: 'gone' }));
    await page.getByText('There is no project gone here.').waitFor();
    const fresh = (await world.open('view=board&sample=none')).page;
    expect(await fresh.getByRole('tab').count()).toBe(0);
    await fresh.evaluate(() => window.send({ kind: 'talk', project: 'main' }));
    await fresh.getByText('The main agent knows all projects.').waitFor();
    await fresh.getByRole('textbox', { name: 'Message to the main agent' }).waitFor();
  });

  it('is picked from a list above it where it is narrow', async () => {
    const { page } = await talking('api-migration', '', { width: 400, height: 700 });
    await page.getByRole('combobox', { name: 'Conversation' }).click();
    await page.getByRole('option', { name: 'Main agent (1)' }).click();
    await page.getByRole('heading', { name: 'Main agent', exact: true }).waitFor();
  });
});

describe('the projects in the sidebar', () => {
  it('offer what their state allows', async () => {
    const { page, trouble } = await world.open('view=sidebar&sample=projects', NARROW);
    await openSection(page, 'Projects');
    const acts = (name: string) =>
      page
        .locator('.project', { has: page.locator('strong', { hasText: name }) })
        .locator('.acts button')
        .evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')));
    expect(await acts('Default project')).toEqual(['Conversation with Default project', 'Suspend Default project']);
    expect(await acts('api-migration')).toEqual([
      'Conversation with api-migration',
      'Suspend api-migration',
      'Complete api-migration…',
    ]);
    expect(await acts('docs')).toEqual(['Conversation with docs', 'Resume docs']);
    expect(await acts('web')).toEqual(['Conversation with web', 'Archive web…']);
    await button(page, 'Suspend api-migration').focus();
    await page.keyboard.press('Enter');
    await button(page, '2 new messages: api-migration').click();
    await button(page, 'Details of api-migration').click();
    await button(page, 'Message…: api-migration').click();
    await button(page, 'Definition: api-migration').click();
    await button(page, 'Try Again: test-coverage').click();
    await button(page, 'New Project…').click();
    await button(page, 'Main agent (1): 1 new message').click();
    const project = 'api-migration';
    expect(await posted(page)).toEqual([
      { kind: 'project', project, act: 'suspend' },
      { kind: 'openConversation', project },
      { kind: 'project', project, act: 'message' },
      { kind: 'project', project, act: 'definition' },
      { kind: 'project', project: 'test-coverage', act: 'unpark' },
      { kind: 'newProject' },
      { kind: 'openConversation', project: 'main' },
    ]);
    expect(await trouble()).toEqual([]);
  });

  it('tell what they cost and ask, and keep the archived out of the way', async () => {
    const { page } = await world.open('view=sidebar&sample=projects', NARROW);
    await openSection(page, 'Projects');
    const row = page.locator('.project', { has: page.locator('strong', { hasText: 'api-migration' }) });
    expect(await row.locator('.job-facts').textContent()).toBe(
      'Talking1 job$0.84 of $2.00 today1 question2 new messages',
    );
    expect(await page.getByText('old-importer').isVisible()).toBe(false);
    await page.getByText('1 archived').click();
    expect(await page.getByText('old-importer').isVisible()).toBe(true);
    await button(page, '1 question: api-migration').click();
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('question-900003');
  });

  it('are not there for those who never heard of projects', async () => {
    const { page } = await world.open('view=sidebar&cards=20', NARROW);
    expect(await page.getByRole('heading', { name: 'Projects' }).count()).toBe(0);
    expect(await page.getByRole('combobox', { name: 'Project' }).count()).toBe(0);
  });

  it('are shown in pieces when there are many', async () => {
    const { page } = await world.open('view=sidebar&sample=projects', NARROW);
    await openSection(page, 'Projects');
    await page.evaluate(() => {
      const view = window.sample(5, 'projects');
      const [one] = view.projects;
      if (one === undefined) throw new Error('the sample has no projects');
      const projects = Array.from({ length: 5_000 }, (_, index) => ({ ...one, name: `project-${index}` }));
      window.show({ ...view, projects });
    });
    await button(page, 'Show 25 more of 5000').click();
    await expect.poll(() => page.locator('.project').count()).toBe(50);
  });
});

describe('the switcher', () => {
  it('shows the board of one project, remembers it, and files the next brief there', async () => {
    const { page } = await world.open('view=board&sample=projects&cards=20');
    await page.getByRole('combobox', { name: 'Project', exact: true }).click();
    await page.getByRole('option', { name: 'api-migration' }).click();
    await expect.poll(() => page.locator('.job').count()).toBe(1);
    expect(await page.locator('.job strong').textContent()).toBe('Translate the manual');
    expect(await page.getByText('Merge “A calculator for the terminal” into main?').count()).toBe(1);
    await page.reload();
    await expect.poll(() => page.locator('.job').count()).toBe(1);
    await button(page, 'New Brief').click();
    expect(await posted(page)).toEqual([{ kind: 'newBrief', project: 'api-migration' }]);
    await page.getByRole('combobox', { name: 'Project', exact: true }).click();
    await page.getByRole('option', { name: 'docs' }).click();
    await page.getByText('Briefs of this project appear here').waitFor();
    await page.getByRole('combobox', { name: 'Project', exact: true }).click();
    await page.getByRole('option', { name: 'All projects' }).click();
    await expect.poll(() => page.locator('.job').count()).toBe(3);
    await page.evaluate(() => window.show({ ...window.shown(), jobs: [], cards: [] }));
    await page.getByText('Your briefs and those of projects').waitFor();
  });
});
