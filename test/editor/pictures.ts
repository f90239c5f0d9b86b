/** Named pictures of a window, for people to look at; nothing where none are wanted. */
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import type { EditorWindow } from './window.ts';

/** What this VS Code says of its own makers, and no reader's does. */
const STYLE = '.getting-started-footer { display: none !important }';

export const PICTURE_SIZE = { width: 1600, height: 900 };
export const DARK = { 'workbench.colorTheme': 'Dark Modern' };

export interface Pictures {
  /** `of`: a part of the window; without it all of it. */
  take(name: string, of?: Locator): Promise<void>;
}

export function pictures({ screenshots }: { readonly screenshots: string | null }, { page }: EditorWindow): Pictures {
  return {
    take: async (name, of) => {
      if (screenshots === null) return;
      // It goes by itself, some time after the window opened.
      await page.locator('.statusbar-item').filter({ hasText: 'Activating Extensions' }).waitFor({ state: 'hidden' });
      await (of ?? page).screenshot({ path: join(screenshots, `${name}.png`), style: STYLE });
    },
  };
}
