/** Comment threads in an editor: begun in the margin, answered, edited and closed by their buttons. */
import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { until } from './patience.ts';

/** What a line's box and its sign in the margin may differ by. */
const NEAR_PX = 6;

export class Comments {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  /** The open thread whose title or notes have these words. */
  thread(words: string): Locator {
    return this.#page.locator('.review-widget').filter({ hasText: words }).first();
  }

  /** Waits for exactly this title of a thread. */
  async titled(thread: Locator, title: string): Promise<void> {
    await thread.locator('.review-title').getByText(title, { exact: true }).waitFor();
  }

  /** Begins a thread by the `+` that the margin of a line shows under the mouse. */
  async begin(line: Locator): Promise<Locator> {
    await this.#page.locator('.comment-range-glyph').first().waitFor();
    const { x, y, height } = await boxOf(line);
    await this.#page.mouse.move(x + 40, y + height / 2, { steps: 5 });
    const plus = await boxOf(this.#page.locator('.comment-range-glyph.line-hover').first());
    await this.#page.mouse.click(plus.x + 6, y + height / 2);
    const begun = this.thread('Start discussion');
    await begun.waitFor();
    return begun;
  }

  /** Opens the thread whose sign stands in the margin beside a line, unless it is open. */
  async open(line: Locator, words: string): Promise<Locator> {
    const thread = this.thread(words);
    if (!(await thread.isVisible())) await (await this.sign(line)).click();
    await thread.waitFor();
    return thread;
  }

  /** The sign of a thread in the margin beside a line, once it is there. */
  sign(line: Locator): Promise<Locator> {
    return until('a thread beside the line', async () => {
      const { y } = await boxOf(line);
      for (const sign of await this.#page.locator('.comment-range-glyph.comment-thread').all()) {
        const box = await sign.boundingBox();
        if (box !== null && Math.abs(box.y - y) < NEAR_PX) return sign;
      }
      return null;
    });
  }

  /** Writes in the field of a thread that is begun or answered, and presses the button. */
  async write(thread: Locator, text: string, button: string): Promise<void> {
    const form = thread.locator('.comment-form-container');
    const collapsed = form.locator('.review-thread-reply-button');
    await collapsed.or(form.locator('.monaco-editor')).filter({ visible: true }).first().waitFor();
    if (await collapsed.isVisible()) await collapsed.click();
    await this.#fill(form, text, button);
  }

  /** Turns a note into a field, as its pencil does, and ends that with the button. */
  async edit(thread: Locator, note: string, text: string, button: string): Promise<void> {
    const comment = thread.locator('.review-comment').filter({ hasText: note });
    await comment.hover();
    await comment.getByRole('button', { name: 'Edit Note' }).click();
    await this.#fill(thread.locator('.edit-container'), text, button);
  }

  async #fill(form: Locator, text: string, button: string): Promise<void> {
    await form.locator('.monaco-editor').first().click();
    await this.#page.keyboard.press('ControlOrMeta+A');
    await this.#page.keyboard.type(text);
    await form.locator('.monaco-button').filter({ hasText: button }).first().click();
  }

  /** Waits until exactly these notes are read in the thread. */
  async until(thread: Locator, ...texts: readonly string[]): Promise<void> {
    let seen: string[] = [];
    await until(
      () => `a thread of the notes ${texts.join(' | ')}; its notes are ${seen.join(' | ')}`,
      async () => {
        seen = (await thread.locator('.review-comment .comment-body').allInnerTexts()).map((text) => text.trim());
        return JSON.stringify(seen) === JSON.stringify(texts);
      },
    );
  }
}

async function boxOf(locator: Locator): Promise<{ x: number; y: number; width: number; height: number }> {
  await locator.waitFor();
  const box = await locator.boundingBox();
  assert.ok(box !== null);
  return box;
}
