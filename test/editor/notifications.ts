/** Notifications: they are toasts for a while, and stay in the notification centre until they are answered. */
import type { Locator, Page } from 'playwright-core';

const LOOK_MS = 100;
const TOAST_LOOKS = 30;
/** A job has to get somewhere before it asks. */
const JOB_MS = 120_000;

export class Notifications {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  /** The one that has these words, once it is there; in the centre when its toast is gone. */
  async saying(words: string, patienceMs = JOB_MS): Promise<Locator> {
    const found = this.#page.locator('.notification-list-item').filter({ hasText: words }).first();
    const end = performance.now() + patienceMs;
    let hiddenLooks = 0;
    while (!(await found.isVisible())) {
      if (performance.now() > end) throw new Error(`no notification says ${words} within ${patienceMs} ms`);
      hiddenLooks = (await this.#bell.isVisible()) ? hiddenLooks + 1 : 0;
      // The bell shows what is new a moment before the toast comes.
      if (hiddenLooks > TOAST_LOOKS) await this.#bell.click();
      await this.#page.waitForTimeout(LOOK_MS);
    }
    return found;
  }

  /** Presses a button of the notification that has these words, once it is there. */
  async press(words: string, button: string, patienceMs = JOB_MS): Promise<void> {
    const one = await this.saying(words, patienceMs);
    await one.locator('.monaco-button').filter({ hasText: button }).first().click();
  }

  /** Visible while something waits in a closed centre. */
  get #bell(): Locator {
    return this.#page.locator('[id="status.notifications"] .codicon-bell-dot');
  }
}
