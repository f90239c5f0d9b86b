/** Pictures for the README: the board with something in every column, in three themes, the sidebar, and the costs. */
import type { Frame } from 'playwright-core';
import { DARK, PICTURE_SIZE } from './pictures.ts';
import { planOfRichJob } from './shootJob.ts';
import { writeUserSettings } from './vsCode.ts';
import type { EditorWindow } from './window.ts';
import { inWindow, type Place, type World } from './world.ts';

const SIDEBAR = '.part.sidebar';

/** The classes by which VS Code marks its window. */
const THEMES = { 'Dark Modern': 'vs-dark', 'Light Modern': 'vs', 'Default High Contrast': 'hc-black' } as const;

async function dressed({ window, vsCode }: Place, theme: keyof typeof THEMES): Promise<void> {
  writeUserSettings(vsCode.folder, { 'workbench.colorTheme': theme });
  await window.reload();
  await window.page.locator(`.monaco-workbench.${THEMES[theme]}`).waitFor();
}

async function richBoard(window: EditorWindow): Promise<Frame> {
  const board = await window.frameWith('.board .card.lane-failed');
  await board.locator('.card.lane-needs_you').waitFor();
  await board.locator('.card-live').waitFor();
  await window.page.locator('.notifications-toasts .notification-list-item').first().waitFor({ state: 'hidden' });
  return board;
}

async function showSidebar(window: EditorWindow): Promise<void> {
  await window.page.locator('.part.activitybar [aria-label^="Autonomous"]').first().click();
  await window.frameWith('.sidebar .job');
}

export async function picturesForReaders(world: World): Promise<void> {
  await inWindow(world, { prepare: planOfRichJob, size: PICTURE_SIZE, user: DARK }, async (place) => {
    const { window, pictures } = place;
    await window.notifications.press('Carry out this plan', 'Approve');
    await window.command('Autonomous: Open Board');
    await window.command('View: Toggle Primary Side Bar Visibility');
    const board = await richBoard(window);
    await pictures.take('board-dark');
    await board.getByRole('tab', { name: 'Cost' }).click();
    await board.getByText('By model').waitFor();
    await board.locator('.uplot canvas').waitFor();
    await pictures.take('costs');
    await board.getByRole('tab', { name: 'Board' }).click();
    await showSidebar(window);
    await pictures.take('sidebar', window.page.locator(SIDEBAR));
    await window.command('View: Toggle Primary Side Bar Visibility');
    for (const [theme, file] of [
      ['Light Modern', 'board-light'],
      ['Default High Contrast', 'board-hc'],
    ] as const) {
      await dressed(place, theme);
      await richBoard(window);
      await pictures.take(file);
    }
    await dressed(place, 'Dark Modern');
    await window.command('Autonomous: Edit Plan');
    await window.page.locator('.view-line span[class*="mtk"]:not(.mtk1)').first().waitFor();
    await pictures.take('plan');
  });
}
