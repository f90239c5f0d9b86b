/** A file of the project in a text editor. */
import type { Locator } from 'playwright-core';
import { inTime } from './patience.ts';
import type { EditorWindow } from './window.ts';

/** For what VS Code shows by itself. */
const SHOWN_MS = 30_000;

export class Code {
  readonly #window: EditorWindow;

  constructor(window: EditorWindow) {
    this.#window = window;
  }

  async open(name: string): Promise<void> {
    await this.#window.goToFile(name);
    await this.#window.page.locator('.tabs-container .tab.active').filter({ hasText: name }).waitFor();
  }

  /** Of a file that was changed just before. */
  async save(name: string): Promise<void> {
    const tabs = this.#window.page.locator('.tabs-container');
    await tabs.locator('.tab.dirty').filter({ hasText: name }).first().waitFor();
    await this.#window.page.keyboard.press('ControlOrMeta+S');
    await tabs.locator('.tab:not(.dirty)').filter({ hasText: name }).first().waitFor();
  }

  /** After a reload. A defect of VS Code in a browser: a busy window may go before it has stored which files are open. */
  async openAgain(name: string): Promise<void> {
    const tab = this.#window.tab(name);
    if (await tab.isVisible()) return tab.click();
    process.stdout.write(`   VS Code has lost the open editor ${name} in a reload: opened again\n`);
    await this.open(name);
  }

  /**
   * After a reload. A defect of VS Code: the margin of a file that a busy window opens again may show no threads, though its list of
   * comments has them, until the file is shown again.
   */
  async marginAgain(name: string, other: string): Promise<void> {
    const sign = this.#window.page.locator('.comment-range-glyph.comment-thread').first();
    if (await inTime(sign.waitFor({ timeout: SHOWN_MS }))) return;
    process.stdout.write(`   VS Code shows no threads in the margin of ${name} after a reload: shown again\n`);
    await this.open(other);
    await this.open(name);
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
