/** The one input at the top of the window: typed into, picked from, ticked. */
import type { Locator, Page } from 'playwright-core';

export class QuickInput {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  get box(): Locator {
    return this.#page.locator('.quick-input-widget');
  }

  /** The row that has these words; of several, the first. */
  row(words: string): Locator {
    return this.box.locator('.quick-input-list .monaco-list-row').filter({ hasText: words }).first();
  }

  async fill(text: string): Promise<void> {
    await this.box.locator('input.input').fill(text);
  }

  /** Waits for the input that has these words in its title or prompt, types, and confirms. */
  async answer(words: string, text: string): Promise<void> {
    await this.box.filter({ hasText: words }).waitFor();
    await this.fill(text);
    await this.#page.keyboard.press('Enter');
    await this.box.filter({ hasText: words }).waitFor({ state: 'hidden' });
  }

  async pick(words: string): Promise<void> {
    await this.row(words).click();
  }

  /** Ticks the rows that have these words, and confirms; without any it confirms as it stands. */
  async tick(...rows: readonly string[]): Promise<void> {
    await this.box.getByRole('button', { name: 'OK' }).waitFor();
    for (const words of rows) await this.row(words).click();
    await this.box.getByRole('button', { name: 'OK' }).click();
  }
}
