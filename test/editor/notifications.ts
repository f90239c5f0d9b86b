/** Notifications: they are toasts for a while, and stay in the notification centre until they are answered. */
import type { Locator, Page } from 'playwright-core';
import { inTime, until } from './patience.ts';

/** The bell shows what is new a moment before the toast comes. */
const TOAST_LOOKS = 15;
/** A defect of the editor: a notification that came while the centre was open, and then closed by itself, has no dot on the bell. */
const DOTLESS_LOOKS = 50;
/** A toast that hides while it is pressed is looked for again, in the centre. */
const CLICK_MS = 20_000;

interface Seen {
  /** Of those that are shown, in their order. */
  readonly texts: readonly string[];
  /** Whether something new waits in a closed centre. */
  readonly dot: boolean;
  readonly centre: boolean;
}

/** All of it in one call: who waits for an agent looks hundreds of times. */
const LOOK = `(() => {
  const shown = (selector) => [...document.querySelectorAll(selector)].filter((one) => one.checkVisibility({ visibilityProperty: true }));
  return {
    texts: shown('.notification-list-item').map((one) => one.textContent.replace(/\\s+/g, ' ').trim()),
    dot: shown('[id="status.notifications"] a .codicon-bell-dot').length > 0,
    centre: shown('.notifications-center.visible').length > 0,
  };
})()`;

/** As playwright finds words in a text. */
const says = (text: string, words: string | RegExp): boolean =>
  typeof words === 'string' ? text.toLowerCase().includes(words.toLowerCase()) : words.test(text);

export class Notifications {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  /** The one that has these words, once it is there; in the centre when its toast is gone. */
  async saying(words: string | RegExp): Promise<Locator> {
    const found = this.#page.locator('.notification-list-item').filter({ hasText: words }).first();
    let hiddenLooks = 0;
    let dotlessLooks = 0;
    let texts: readonly string[] = [];
    await until(
      () => `a notification that says ${words}; there are: ${texts.join(' | ') || 'none'}`,
      async () => {
        const seen = await this.#page.evaluate<Seen>(LOOK);
        texts = seen.texts;
        if (texts.some((text) => says(text, words)) && (await found.isVisible())) return true;
        hiddenLooks = seen.dot ? hiddenLooks + 1 : 0;
        dotlessLooks = seen.dot || seen.centre ? 0 : dotlessLooks + 1;
        if (hiddenLooks > TOAST_LOOKS) await this.#dot.click();
        if (dotlessLooks > DOTLESS_LOOKS) await this.#bell.click();
        return false;
      },
    );
    return found;
  }

  /** Presses a button of the notification that has these words, once it is there. */
  async press(words: string | RegExp, button: string): Promise<void> {
    await until(`a notification that says ${words} to take a press of ${button}`, async () => {
      const one = await this.saying(words);
      return inTime(one.locator('.monaco-button').filter({ hasText: button }).first().click({ timeout: CLICK_MS }));
    });
  }

  get #bell(): Locator {
    return this.#page.locator('[id="status.notifications"] a');
  }

  get #dot(): Locator {
    return this.#bell.locator('.codicon-bell-dot');
  }
}
