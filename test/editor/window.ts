/** A window of VS Code, used as a person does: through palette, notifications, inputs, views and tabs. */
import { type Browser, errors, type Frame, type Locator, type Page } from 'playwright-core';
import { Notifications } from './notifications.ts';
import { QuickInput } from './quickInput.ts';

/** For a job to get somewhere, on a machine that does other things too. */
const PATIENCE_MS = 120_000;
const LOOK_MS = 100;
/** How long an open palette is looked at before it is opened anew. */
const OPEN_MS = 3_000;

export class EditorWindow {
  readonly page: Page;
  readonly notifications: Notifications;
  readonly input: QuickInput;

  private constructor(page: Page) {
    this.page = page;
    this.notifications = new Notifications(page);
    this.input = new QuickInput(page);
  }

  static async open(browser: Browser, url: string, size = { width: 1280, height: 800 }): Promise<EditorWindow> {
    const page = await browser.newPage({ viewport: size });
    page.setDefaultTimeout(PATIENCE_MS);
    await page.goto(url);
    await page.locator('.monaco-workbench').waitFor();
    return new EditorWindow(page);
  }

  /** Runs a command by its title in the palette. Rejects when the palette does not come to offer it. */
  async command(title: string): Promise<void> {
    const row = this.input.row(title);
    // Whatever opens by itself just then takes the focus, and the palette goes.
    do await this.palette(title, title);
    while (!(await inTime(row.click({ timeout: OPEN_MS }))));
  }

  /** What the palette offers under a category, once this one is among it: all in one list. */
  async offered(category: string, title: string): Promise<readonly string[]> {
    await this.palette(`${category}:`, title);
    const rows = this.input.box.locator('.quick-input-list .monaco-list-row .label-name');
    const end = performance.now() + PATIENCE_MS;
    // Until the typed words count, the list is the one of all commands.
    for (;;) {
      const titles = await rows.allTextContents();
      if (titles.length > 0 && titles.every((one) => one.startsWith(`${category}:`))) {
        await this.page.keyboard.press('Escape');
        return titles;
      }
      if (performance.now() > end) throw new Error(`the palette shows ${titles.join(', ')}`);
      await this.page.waitForTimeout(LOOK_MS);
    }
  }

  /** Opens a file of the workspace by its name. */
  async goToFile(name: string): Promise<void> {
    await this.type('ControlOrMeta+P', name, name);
    await this.input.row(name).click();
  }

  /** Types into the palette until it shows this command. */
  private palette(words: string, title: string): Promise<void> {
    return this.type('F1', `>${words}`, title);
  }

  /** Opens the input by a key and types, until a row has these words: a window that just begins hears no key yet. */
  private async type(key: string, text: string, row: string): Promise<void> {
    const end = performance.now() + PATIENCE_MS;
    for (;;) {
      await this.page.keyboard.press(key);
      if ((await inTime(this.input.fill(text, OPEN_MS))) && (await shows(this.input.row(row)))) return;
      if (performance.now() > end) throw new Error(`nothing is offered as ${row}`);
      // An open palette does not learn of extensions that arrive later.
      await this.page.keyboard.press('Escape');
    }
  }

  /** Presses a button of the modal dialog, and waits until it is gone. */
  async answerDialog(button: string): Promise<void> {
    const dialog = this.page.locator('.monaco-dialog-box');
    await dialog.locator('.monaco-button').filter({ hasText: button }).click();
    await dialog.waitFor({ state: 'hidden' });
  }

  /** The page inside a webview, once one shows this; `selector` as playwright knows them. */
  async frameWith(selector: string, patienceMs = PATIENCE_MS): Promise<Frame> {
    const end = performance.now() + patienceMs;
    while (performance.now() < end) {
      for (const frame of this.page.frames()) {
        if (await isVisibleIn(frame, selector)) return frame;
      }
      await this.page.waitForTimeout(LOOK_MS);
    }
    throw new Error(`no view shows ${selector} within ${patienceMs} ms`);
  }

  /** The tab of an editor whose label has these words. */
  tab(words: string): Locator {
    return this.page.locator('.tabs-container .tab').filter({ hasText: words }).first();
  }

  /** An icon in the title of the editor in front, by what it says. */
  titleAction(label: string): Locator {
    return this.page.locator(`.editor-actions .action-label[aria-label^="${label}"]`).first();
  }

  async close(): Promise<void> {
    await this.page.close();
  }
}

/** Whether it comes within that time. */
export const shows = (row: Locator, ms = OPEN_MS): Promise<boolean> => inTime(row.waitFor({ timeout: ms }));

async function inTime(done: Promise<void>): Promise<boolean> {
  try {
    await done;
    return true;
  } catch (thrown) {
    if (thrown instanceof errors.TimeoutError) return false;
    throw thrown;
  }
}

async function isVisibleIn(frame: Frame, selector: string): Promise<boolean> {
  try {
    return await frame.locator(selector).first().isVisible();
  } catch {
    return false; // a frame that is just going away
  }
}
