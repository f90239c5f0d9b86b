/** What of the page is looked at, and how one gets there. */
import type { Page } from 'playwright-core';
import type { SampleKind } from '../../../webview-ui/dev/sample.ts';

export interface PageView {
  readonly name: string;
  readonly narrow: boolean;
  readonly sample: SampleKind;
  /** Leads there from the page as it opens. */
  readonly go?: (page: Page) => Promise<void>;
  /** The card that is looked at. */
  readonly featureId?: number;
  /** The project that is talked with, and keeps its name. */
  readonly talker?: string;
}

const tab = (name: string) => (page: Page) => page.getByRole('tab', { name }).click();

async function toTask(page: Page): Promise<void> {
  await page.evaluate(() => window.send({ kind: 'task', taskId: 'task-notes' }));
  await page.locator('[data-step="105"]').click();
  await page.locator('.value-result').waitFor();
}

async function toStepList(page: Page): Promise<void> {
  await toTask(page);
  await page.getByRole('button', { name: 'List', exact: true }).click();
}

export const VIEWS: readonly PageView[] = [
  { name: 'board', narrow: false, sample: 'usual' },
  { name: 'card with its attempts, notes and log', narrow: false, sample: 'usual', featureId: 5 },
  { name: 'card in the sidebar', narrow: true, sample: 'usual', featureId: 2 },
  { name: 'sidebar', narrow: true, sample: 'usual' },
  { name: 'plan that waits', narrow: false, sample: 'plan' },
  { name: 'costs', narrow: false, sample: 'usual', go: tab('Cost') },
  { name: 'projects', narrow: true, sample: 'projects' },
  { name: 'conversation', narrow: false, sample: 'projects', talker: 'api-migration' },
  { name: 'tasks', narrow: true, sample: 'tasks' },
  { name: 'graph and step of a task', narrow: false, sample: 'tasks', go: toTask },
  { name: 'steps and log of a task', narrow: false, sample: 'tasks', go: toStepList },
  { name: 'agents', narrow: false, sample: 'agents' },
  { name: 'results side by side', narrow: false, sample: 'agents', featureId: 7 },
];
