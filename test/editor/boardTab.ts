/** The board as an editor tab: its cards, dragged by mouse or keyboard, and what it says to who does not see it. */
import assert from 'node:assert/strict';
import type { Frame, Locator, Page } from 'playwright-core';
import { until } from './patience.ts';
import type { EditorWindow } from './window.ts';

export class BoardTab {
  readonly #page: Page;
  readonly #frame: Frame;

  private constructor(page: Page, frame: Frame) {
    this.#page = page;
    this.#frame = frame;
  }

  static async open(window: EditorWindow): Promise<BoardTab> {
    await window.command('Autonomous: Open Board');
    return new BoardTab(window.page, await window.frameWith('.board .card'));
  }

  lane(title: string): Locator {
    return this.#frame.locator(`section[aria-label="${title}"]`);
  }

  card(name: string): Locator {
    return this.#frame.locator('.column .card').filter({ hasText: name }).first();
  }

  search(): Locator {
    return this.#frame.locator('.toolbar .text-field');
  }

  /** Picks from a list of the toolbar. */
  async pick(list: string, choice: string): Promise<void> {
    await this.#frame.locator(`vscode-single-select[label="${list}"]`).click();
    await this.#frame.getByRole('option', { name: choice }).click();
  }

  groups(): Locator {
    return this.#frame.locator('.column .group');
  }

  /** Waits until a lane has exactly these cards, from the top. */
  async until(title: string, ...names: readonly string[]): Promise<void> {
    await this.#look(
      async () => JSON.stringify(await this.lane(title).locator('.card-open').allTextContents()),
      (seen) => seen === JSON.stringify(names),
    );
  }

  /** Waits until the page says this to a screen reader. */
  async saying(words: string): Promise<void> {
    const said = this.#frame.locator('[aria-live=assertive]');
    await this.#look(
      async () => (await said.allTextContents()).join('\n'),
      (seen) => seen.includes(words),
    );
  }

  /** Takes a card by the mouse and holds it over something. */
  async hold(name: string, over: Locator): Promise<void> {
    const from = await middleOf(this.card(name));
    const to = await middleOf(over);
    await this.#page.mouse.move(from.x, from.y);
    await this.#page.mouse.down();
    await this.#page.mouse.move(from.x, from.y + 12, { steps: 3 });
    await this.#page.mouse.move(to.x, to.y, { steps: 10 });
    await this.saying('If dropped here: ');
  }

  async drop(): Promise<void> {
    await this.#page.mouse.up();
    await this.saying('Dropped. ');
  }

  /** Takes a card by the keyboard and moves it with these keys; `over` is said before it is dropped. */
  async carry(name: string, keys: readonly string[], over: string): Promise<void> {
    await this.#frame.getByRole('button', { name: `Move ${name}`, exact: true }).focus();
    await this.#page.keyboard.press('Space');
    // Told after "Picked up", which it replaces at once.
    await this.saying(`If dropped here: ${name} stays.`);
    // The sensor listens for keys from its next tick.
    await this.#frame.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
    for (const key of keys) await this.#page.keyboard.press(key);
    await this.saying(`If dropped here: ${over}`);
    await this.#page.keyboard.press('Space');
    await this.saying(`Dropped. ${over}`);
  }

  async #look(read: () => Promise<string>, isIt: (seen: string) => boolean): Promise<void> {
    let seen = '';
    await until(
      () => `the board, which shows ${seen}`,
      async () => {
        seen = await read();
        return isIt(seen);
      },
    );
  }
}

async function middleOf(locator: Locator): Promise<{ readonly x: number; readonly y: number }> {
  await locator.waitFor();
  const box = await locator.boundingBox();
  assert.ok(box !== null);
  return { x: box.x + box.width / 2, y: box.y + Math.min(box.height / 2, 60) };
}
