/** Pictures for the README: the board with a card in every column in three themes, a plan, the costs, and the sidebar. */
import type { Frame } from 'playwright-core';
import { DARK, PICTURE_SIZE } from './pictures.ts';
import { planOfRichJob } from './shootJob.ts';
import { writeUserSettings } from './vsCode.ts';
import type { EditorWindow } from './window.ts';
import { inWindow, type Place, type World } from './world.ts';

const SIDEBAR = '.part.sidebar';
const OPENED = { prepare: planOfRichJob, size: PICTURE_SIZE, user: DARK };

/** The classes by which VS Code marks its window. */
const THEMES = { 'Light Modern': 'vs', 'Default High Contrast': 'hc-black' } as const;

const withoutToasts = ({ page }: EditorWindow): Promise<void> =>
  page.locator('.notifications-toasts .notification-list-item').first().waitFor({ state: 'hidden' });

async function richBoard(window: EditorWindow): Promise<Frame> {
  const board = await window.frameWith('.board .card.lane-failed');
  await board.locator('.card.lane-needs_you').waitFor();
  await board.locator('.card-live').waitFor();
  await withoutToasts(window);
  return board;
}

/** Changes the theme, and waits until the reloaded window shows the board. */
async function dressed({ window, vsCode }: Place, theme: keyof typeof THEMES): Promise<void> {
  writeUserSettings(vsCode.folder, { 'workbench.colorTheme': theme });
  await window.reload();
  await window.page.locator(`.monaco-workbench.${THEMES[theme]}`).waitFor();
  await richBoard(window);
}

async function showSidebar(window: EditorWindow): Promise<void> {
  await window.page.locator('.part.activitybar [aria-label^="Autonomous"]').first().click();
  await window.frameWith('.sidebar .job');
}

/**
 * VS Code for the web stores the layout and the state of a page every few seconds, and loses what changed since at a reload. So nothing
 * changes between the first board and the last.
 */
export async function picturesOfBoard(world: World): Promise<void> {
  await inWindow(world, OPENED, async (place) => {
    const { window, pictures } = place;
    await window.notifications.press('Carry out this plan', 'Approve');
    await window.command('Autonomous: Open Board');
    await window.command('View: Toggle Primary Side Bar Visibility');
    await richBoard(window);
    await pictures.take('board-dark');
    for (const [theme, file] of [
      ['Light Modern', 'board-light'],
      ['Default High Contrast', 'board-hc'],
    ] as const) {
      await dressed(place, theme);
      await pictures.take(file);
    }
  });
}

/** In a window without a reload, which would interrupt a call and show its worst case in the chart. */
export async function picturesOfJob(world: World): Promise<void> {
  await inWindow(world, OPENED, async ({ window, pictures }) => {
    await window.command('View: Toggle Primary Side Bar Visibility');
    await window.notifications.press('Carry out this plan', 'Open Plan');
    const page = await window.frameWith('.plan-page .plan-acts');
    const approve = page.getByRole('button', { name: /^Approve/ });
    await approve.waitFor();
    await withoutToasts(window);
    await pictures.take('plan');
    await approve.click();
    await window.answerDialog('Approve');
    const board = await richBoard(window);
    await board.getByRole('tab', { name: 'Cost' }).click();
    await board.getByText('By model').waitFor();
    await board.locator('.uplot canvas').waitFor();
    await pictures.take('costs');
    await showSidebar(window);
    await pictures.take('sidebar', window.page.locator(SIDEBAR));
  });
}
