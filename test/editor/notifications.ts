/** Notifications: they are toasts for a while, and stay in the notification centre until they are answered. */
import type { Locator, Page } from 'playwright-core';
import { until } from './patience.ts';

/** The bell shows what is new a moment before the toast comes. */
const TOAST_LOOKS = 30;
/** A defect of the editor: a notification that came while the centre was open, and then closed by itself, has no dot on the bell. */
const DOTLESS_LOOKS = 100;

export class Notifications {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  /** The one that has these words, once it is there; in the centre when its toast is gone. */
  async saying(words: string | RegExp): Promise<Locator> {
    const all = this.#page.locator('.notification-list-item');
    const found = all.filter({ hasText: words }).first();
    let hiddenLooks = 0;
    let dotlessLooks = 0;
    let seen: readonly string[] = [];
    await until(
      () => `a notification that says ${words}; there are: ${seen.join(' | ') || 'none'}`,
      async () => {
        if (await found.isVisible()) return true;
        seen = await all.allInnerTexts();
        const dot = await this.#dot.isVisible();
        hiddenLooks = dot ? hiddenLooks + 1 : 0;
        dotlessLooks = dot || (await this.#centre.isVisible()) ? 0 : dotlessLooks + 1;
        if (hiddenLooks > TOAST_LOOKS) await this.#dot.click();
        if (dotlessLooks > DOTLESS_LOOKS) await this.#bell.click();
        return false;
      },
    );
    return found;
  }

  /** Presses a button of the notification that has these words, once it is there. */
  async press(words: string | RegExp, button: string): Promise<void> {
    const one = await this.saying(words);
    await one.locator('.monaco-button').filter({ hasText: button }).first().click();
  }

  get #centre(): Locator {
    return this.#page.locator('.notifications-center.visible');
  }

  get #bell(): Locator {
    return this.#page.locator('[id="status.notifications"] a');
  }

  /** Visible while something new waits in a closed centre. */
  get #dot(): Locator {
    return this.#bell.locator('.codicon-bell-dot');
  }
}
