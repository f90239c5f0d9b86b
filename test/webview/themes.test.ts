/** What every view of the page looks like in every theme, to axe. */
import { beforeAll, expect, it } from 'vitest';
import type { WebviewWorld } from './browser.ts';
import { seriousFindings } from './findings.ts';
import { sharedWorld } from './shared.ts';
import { toAgents, toConversation, toCosts, toResults, toTask, unfold } from './ways.ts';

let world: WebviewWorld;

beforeAll(async () => {
  world = await sharedWorld();
});

const NARROW = { width: 280, height: 900 };

it('has no serious finding of axe in the board, a card, the costs and the sidebar', async () => {
  const board = (await world.open('view=board')).page;
  await board.click('[data-card="5"]');
  await board.getByText('Testing steps').waitFor();
  await unfold(board);
  expect(await seriousFindings(board)).toEqual([]);
  await toCosts(board);
  await unfold(board);
  expect(await seriousFindings(board)).toEqual([]);
  const sidebar = (await world.open('view=sidebar', NARROW)).page;
  await unfold(sidebar);
  expect(await seriousFindings(sidebar)).toEqual([]);
});

it('has no serious finding in projects and their conversations, wide and narrow', async () => {
  const { page } = await world.open('view=board&sample=projects');
  await toConversation(page);
  await unfold(page);
  expect(await seriousFindings(page, 400)).toEqual([]);
});

it('has no serious finding in a task and its steps, wide and narrow', async () => {
  const { page } = await world.open('view=board&sample=tasks');
  await toTask(page);
  await unfold(page);
  expect(await seriousFindings(page, 320)).toEqual([]);
  await page.getByRole('button', { name: 'List', exact: true }).click();
  expect(await seriousFindings(page, 320)).toEqual([]);
});

it('has no serious finding in results side by side and the list of agents, wide and narrow', async () => {
  const { page } = await world.open('view=board&sample=agents');
  await toCosts(page, '.cost-panel .section');
  await unfold(page);
  expect(await seriousFindings(page, 320)).toEqual([]);
  await page.getByRole('tab', { name: 'Board' }).click();
  await toResults(page);
  expect(await seriousFindings(page, 320)).toEqual([]);
  await page.keyboard.press('Escape');
  await toAgents(page);
  expect(await seriousFindings(page, 320)).toEqual([]);
});

it.each(['projects', 'tasks'])('has no serious finding in %s beside the code', async (sample) => {
  const { page } = await world.open(`view=sidebar&sample=${sample}`, NARROW);
  await unfold(page);
  expect(await seriousFindings(page)).toEqual([]);
});

it.each([
  ['board', 'none'],
  ['sidebar', 'none'],
  ['board', 'planning'],
  ['sidebar', 'planning'],
  ['board', 'plan'],
  ['board', 'unpriced'],
])('has no serious finding where there is little to see: %s, %s', async (view, sample) => {
  const { page } = await world.open(`view=${view}&sample=${sample}`, NARROW);
  expect(await seriousFindings(page)).toEqual([]);
});
