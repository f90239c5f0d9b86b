/** A file of the project in a text editor. */
import type { Locator } from 'playwright-core';
import { type EditorWindow, shows } from './window.ts';

/** For an editor to come back by itself. */
const REOPENED_MS = 10_000;

export class Code {
  readonly #window: EditorWindow;

  constructor(window: EditorWindow) {
    this.#window = window;
  }

  async open(name: string): Promise<void> {
    await this.#window.goToFile(name);
    await this.#window.tab(name).waitFor();
  }

  async save(name: string): Promise<void> {
    await this.#window.page.keyboard.press('ControlOrMeta+S');
    await this.#window.page.locator('.tabs-container .tab:not(.dirty)').filter({ hasText: name }).first().waitFor();
  }

  /** After a reload: a busy window may go before it has written down which files were open. */
  async openAgain(name: string): Promise<void> {
    const tab = this.#window.tab(name);
    if (await shows(tab, REOPENED_MS)) await tab.click();
    else await this.open(name);
  }

  /** The line that has these words; of several, the first. */
  line(words: string): Locator {
    return this.#window.page.locator('.editor-instance .view-line').filter({ hasText: words }).first();
  }

  /** Puts the cursor at the beginning of a line. */
  async goTo(words: string): Promise<void> {
    await this.line(words).click();
    await this.#window.page.keyboard.press('Home');
  }

  /** What is shown when the mouse rests on the beginning of a line. */
  async hover(words: string): Promise<Locator> {
    await this.line(words)
      .locator('span span')
      .first()
      .hover({ position: { x: 12, y: 8 } });
    const shown = this.#window.page.locator('.monaco-hover').filter({ visible: true }).first();
    await shown.waitFor();
    return shown;
  }
}
