/** A file of the project in a text editor. */
import type { Locator } from 'playwright-core';
import type { EditorWindow } from './window.ts';

export class Code {
  readonly #window: EditorWindow;

  constructor(window: EditorWindow) {
    this.#window = window;
  }

  async open(name: string): Promise<void> {
    await this.#window.page.keyboard.press('ControlOrMeta+P');
    await this.#window.input.fill(name);
    await this.#window.input.pick(name);
    await this.#window.tab(name).waitFor();
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
