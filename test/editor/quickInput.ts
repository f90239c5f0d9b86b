/** The one input at the top of the window: typed into, picked from, ticked. */
import type { Locator, Page } from 'playwright-core';

const LOOK_MS = 100;
/** So often a typed path is found unchanged before it counts. */
const HELD_LOOKS = 10;

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

  async fill(text: string, timeout?: number): Promise<void> {
    await this.box.locator('input.input').fill(text, timeout === undefined ? {} : { timeout });
  }

  /** Waits for the input that has these words in its title or prompt, types, and confirms. */
  async answer(words: string, text: string): Promise<void> {
    await this.box.filter({ hasText: words }).waitFor();
    await this.fill(text);
    await this.#page.keyboard.press('Enter');
    await this.box.filter({ hasText: words }).waitFor({ state: 'hidden' });
  }

  /** Answers the input that asks for a file and has these words in its title; `path` is absolute. */
  async file(words: string, path: string): Promise<void> {
    const asking = this.box.filter({ hasText: words });
    await asking.waitFor();
    // It writes a path of its own once it has read the folder, over what was typed before.
    await this.row('..').waitFor();
    const input = asking.locator('input.input');
    for (let held = 0; held < HELD_LOOKS; held++) {
      if ((await input.inputValue()) !== path) {
        await input.fill(path);
        held = 0;
      }
      await this.#page.waitForTimeout(LOOK_MS);
    }
    await this.#page.keyboard.press('Enter');
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
