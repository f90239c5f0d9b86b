/** The one input at the top of the window: typed into, picked from, ticked. */
import type { Locator, Page } from 'playwright-core';
import { inTime, until } from './patience.ts';

const LOOK_MS = 100;
/** After it the key is pressed again. */
const CLOSES_MS = 1_000;
/** For something that may go away meanwhile. */
const CLICK_MS = 20_000;
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

  get #field(): Locator {
    return this.box.locator('input.input');
  }

  isOpen(): Promise<boolean> {
    return this.#field.isVisible();
  }

  /** What is typed in; null when it is not open. */
  async text(): Promise<string | null> {
    if (!(await this.isOpen())) return null;
    const value = this.#field.inputValue({ timeout: CLICK_MS });
    return (await inTime(value)) ? value : null;
  }

  /** Types, unless it goes away just then. */
  async type(text: string): Promise<void> {
    await inTime(this.#field.fill(text, { timeout: CLICK_MS }));
  }

  /** Types into the input that is asked, and confirms. */
  async enter(text: string): Promise<void> {
    await this.#field.fill(text);
    await this.#field.press('Enter');
  }

  /** Waits for the input that has these words in its title or prompt, types, and confirms. */
  async answer(words: string, text: string): Promise<void> {
    await this.box.filter({ hasText: words }).waitFor();
    await this.enter(text);
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
    await input.press('Enter');
  }

  /** Closes it without an answer. A list that is still being filled may not take the key. */
  async dismiss(): Promise<void> {
    await until('the list to close', async () => {
      if (!(await this.isOpen())) return true;
      await inTime(this.#field.press('Escape', { timeout: CLICK_MS }));
      return inTime(this.box.waitFor({ state: 'hidden', timeout: CLOSES_MS }));
    });
  }

  async pick(words: string): Promise<void> {
    await this.#click(this.row(words));
  }

  /** The mouse may rest on another row, whose hover then covers this one: it is moved away before each try. */
  async #click(row: Locator): Promise<void> {
    await row.waitFor();
    await until('a row to be pressed', async () => {
      await this.#page.mouse.move(1, 1);
      return inTime(row.click({ timeout: CLICK_MS }));
    });
  }

  /** The row with this name. `row` finds words anywhere, in the path beside a name too. */
  async pickNamed(name: string): Promise<void> {
    const label = this.#page.locator('.label-name').getByText(name, { exact: true });
    await this.#click(this.box.locator('.quick-input-list .monaco-list-row').filter({ has: label }));
  }

  /** Ticks the rows that have these words, and confirms; without any it confirms as it stands. */
  async tick(...rows: readonly string[]): Promise<void> {
    await this.box.getByRole('button', { name: 'OK' }).waitFor();
    for (const words of rows) await this.#click(this.row(words));
    await this.box.getByRole('button', { name: 'OK' }).click();
  }
}
