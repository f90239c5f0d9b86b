/** Texts of a model or a repository, in every text field at once: each is shown as the text it is, and does nothing. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { visible } from '../../webview-ui/src/format.ts';
import { type WebviewWorld, webviewWorld } from './browser.ts';
import { HOSTILE } from './hostileTexts.ts';

let world: WebviewWorld;

beforeAll(async () => {
  world = await webviewWorld(inject('tempRoot'));
});

afterAll(async () => {
  await world[Symbol.asyncDispose]();
});

interface Place {
  /** Each finds at least one element, and each of them has to hold just the text. */
  readonly shown: readonly string[];
  readonly featureId: number | null;
  /** With projects; a name: with the conversation of this one. */
  readonly projects?: string | true;
  /** With a task and one of its steps. */
  readonly tasks?: true;
}

const table = (of: string) => `[aria-label="Cost: By ${of}"] th[scope=row]`;
const DETAILS = ['.details h2', '.details > .prose', '.details li .prose', '.details li code', '.details > .callout'];
const PLACES: Readonly<
  Record<'board' | 'sidebar' | 'details' | 'costs' | 'projects' | 'conversation' | 'task', Place>
> = {
  board: {
    shown: ['.card-name', '.card .tag', '.job strong', '.banner span:last-child', '.approval h3', ...DETAILS],
    featureId: 5,
  },
  sidebar: {
    shown: ['.card-name', '.card .tag', '.job strong', '.card-live .one-line', '.approval h3'],
    featureId: null,
  },
  details: { shown: DETAILS, featureId: 5 },
  projects: {
    shown: [
      '.project:last-child strong',
      '.project .standstill span',
      '.project .job-parts > p:first-child',
      '.project code',
      '.row-name',
      '.task .job-why',
    ],
    featureId: null,
    projects: true,
  },
  conversation: {
    shown: ['.said-text', '.said header strong', '.working .muted', '.talk > .standstill span'],
    featureId: null,
    projects: 'api-migration',
  },
  task: {
    shown: [
      '.task-head h2',
      '.task-head > .callout',
      '.task-about .prose',
      '.task-said .said-text',
      '.task-questions h3',
      '.step-name',
      '.step-details h2',
      '.step-details > .callout',
      '.value-result',
      // The first says only that it began.
      '.line + .line .line-text',
    ],
    featureId: null,
    tasks: true,
  },
  costs: { shown: ['.callout strong', ...['job', 'phase', 'feature', 'model'].map(table)], featureId: null },
};

interface Asked extends Place {
  /** JSON, so that half a pair crosses as it is. */
  readonly texts: string;
  readonly enough: number;
}

/** Runs in the page: shows the texts one after the other, and says of each what is not as it should be. */
async function faultsInPage({ texts, shown, featureId, enough, projects, tasks }: Asked): Promise<string[]> {
  const KEPT =
    /^(id|jobId|taskId|kind|key|status|lane|severity|mode|level|event|onError|roles?|.*At|asOf|artifact|diff|day)$/;
  const poisoned = <Value>(whole: Value, text: string): Value => {
    const poison = (value: unknown, key: string): unknown => {
      if (typeof value === 'string') return KEPT.test(key) ? value : text;
      // Paths and choices are not there twice.
      if (Array.isArray(value) && typeof value[0] === 'string' && !KEPT.test(key)) return [text];
      if (key === 'points') return []; // no chart: it takes the longest, and has no texts
      if (Array.isArray(value)) return value.map((entry) => poison(entry, key));
      if (value === null || typeof value !== 'object') return value;
      return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, poison(entry, name)]));
    };
    return poison(whole, '') as Value;
  };
  const sample = window.sample(10, tasks ? 'tasks' : projects === undefined ? 'usual' : 'projects');
  const looked = window.sampleDetails(10, 5);
  if (looked === null) throw new Error('the sample has no details');
  const details = { ...looked, notes: window.sampleDetails(10, 2)?.notes ?? [] };
  /** One project that talks though it stands still, so that all of its places are there, and one with such a name. */
  const withProjects = (text: string) => {
    const one = sample.projects.find(({ name }) => name === 'api-migration');
    if (projects === undefined || one === undefined) return {};
    const talker = { ...one, reason: text, goal: text, workdir: text, parked: true };
    if (projects === true) return { projects: [talker, { ...talker, name: text }] };
    const at = one.lastAt;
    const said = {
      direction: 'in',
      sender: 'project',
      text,
      concerns: text,
      read_at: null,
      relayedFrom: text,
    } as const;
    const conversation = { project: projects, earlier: 0, sessionId: 77, messages: [{ id: 1, at, ...said }] };
    return { projects: [talker], conversation };
  };
  /** What stands in their lists is the text and nothing more. */
  const withTasks = (text: string) => {
    if (projects !== true && !tasks) return {};
    const lines = poisoned(window.sample(10, 'tasks').tasks, text).map((line) => ({
      ...line,
      reason: text,
      running: 1,
    }));
    const { task } = window.shown();
    if (!tasks || task?.step == null) return { tasks: lines };
    const step = { ...poisoned(task.step, text), error: text };
    return { tasks: lines, task: { ...poisoned(task, text), lastCheckpointSummary: text, step } };
  };
  const show = (text: string) => {
    const banner = { text, severity: 'info' as const };
    window.show({
      ...poisoned(sample, text),
      banner,
      details: poisoned(details, text),
      ...withProjects(text),
      ...withTasks(text),
    });
    const line = { at: new Date().toISOString(), jobId: 'job-1', sessionId: 1, featureId: 4, text };
    window.send({ kind: 'live', lines: [line, { ...line, sessionId: 77, featureId: null }] });
  };
  /** Of a message that is set as text with lists and code: its letters, as many as are shown at first. */
  const letters = (text: string) => text.replace(/[^\p{L}\p{N}<>]/gu, '').slice(0, 3_000);
  const every = (root: Document | ShadowRoot): Element[] =>
    [...root.querySelectorAll('*')].flatMap((one) => [one, ...(one.shadowRoot === null ? [] : every(one.shadowRoot))]);
  const FORBIDDEN =
    'script:not([nonce]), iframe, object, embed, form, img, base, a, video, audio, math, plaintext, body link, body style, ' +
    'meta[http-equiv=refresh], [onload], [onerror], [onclick], [onfocus], [onmouseover], [ontoggle]';
  const wrong = (expected: string) =>
    shown.flatMap((selector) => {
      const found = [...document.querySelectorAll(selector)].map(({ textContent }) => textContent);
      const isShown = (content: string) =>
        selector.endsWith('.said-text') || selector === '.value-result'
          ? letters(content) === letters(expected)
          : content.replace(/^ ?\d+\. /, '') === expected || content === expected || content === `${expected}:12`;
      const other = found.find((content) => !isShown(content));
      if (found.length > 0 && other === undefined) return [];
      return [`${selector}: ${JSON.stringify(other ?? 'nothing')} for ${JSON.stringify(expected)}`];
    });
  if (featureId !== null) window.send({ kind: 'focus', featureId });
  if (typeof projects === 'string') window.send({ kind: 'talk', project: projects });
  const faults: string[] = [];
  for (const [text, expected] of JSON.parse(texts) as [string, string][]) {
    show(text);
    const until = performance.now() + 10_000;
    while (wrong(expected).length > 0 && performance.now() < until) await new Promise((later) => setTimeout(later));
    faults.push(...wrong(expected));
    for (const one of every(document)) if (one.matches(FORBIDDEN)) faults.push(`<${one.localName}> of ${expected}`);
    if (faults.length >= enough) break;
  }
  return faults;
}

async function toTask(page: Page): Promise<void> {
  await page.evaluate(() => {
    window.show(window.sample(10, 'tasks'));
    window.send({ kind: 'task', taskId: 'task-notes' });
  });
  await page.locator('[data-step="105"]').click();
  await page.locator('.value-result').waitFor();
}

const places = Object.keys(PLACES) as (keyof typeof PLACES)[];

describe('hostile text', () => {
  it('is of 500 kinds', () => {
    expect(new Set(HOSTILE.map(visible)).size).toBe(500);
  });

  it.each(places)('is shown as text and does nothing: %s', { timeout: 240_000 }, async (place) => {
    const narrow = place === 'sidebar' || place === 'details' || place === 'projects';
    const size = narrow ? { width: 280, height: 900 } : { width: 1280, height: 800 };
    const { page, trouble } = await world.open(`view=${narrow ? 'sidebar' : 'board'}&cards=20`, size);
    if (place === 'projects') await page.evaluate(() => window.show(window.sample(10, 'projects')));
    if (place === 'projects') await page.getByRole('button', { name: 'Details of api-migration' }).click();
    if (place === 'task') await toTask(page);
    if (place === 'costs') await page.getByRole('tab', { name: 'Cost' }).click();
    const texts = JSON.stringify(HOSTILE.map((text) => [text, visible(text)]));
    expect(await page.evaluate(faultsInPage, { ...PLACES[place], texts, enough: 3 })).toEqual([]);
    expect(await trouble()).toEqual([]);
    await page.close();
  });

  const banner = (page: Page) => page.locator('.banner').textContent();

  it('is written out where it would turn a text around', async () => {
    const { page } = await world.open('view=board&cards=20');
    await page.evaluate(() => {
      const sample = window.sample(3);
      window.show({ ...sample, banner: { text: '\u202egpj.exe\u0007', severity: 'warning' } });
    });
    await expect.poll(() => banner(page)).toBe('‹U+202E›gpj.exe‹U+0007›');
    await page.close();
  });
});
