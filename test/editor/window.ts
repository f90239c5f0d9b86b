/** A window of VS Code, used as a person does: through palette, notifications, inputs, views and tabs. */
import type { Browser, Frame, Locator, Page } from 'playwright-core';
import { Notifications } from './notifications.ts';
import { QuickInput } from './quickInput.ts';

/** For a job to get somewhere, on a machine that does other things too. */
const PATIENCE_MS = 120_000;
const LOOK_MS = 100;

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
    const end = performance.now() + PATIENCE_MS;
    // An open palette does not learn of extensions that arrive later.
    while (!(await this.typed(title))) {
      if (performance.now() > end) throw new Error(`the palette does not offer ${title}`);
      await this.page.keyboard.press('Escape');
    }
    await this.input.row(title).click();
  }

  /** Whether the palette offers a command now. */
  async offers(title: string): Promise<boolean> {
    const found = await this.typed(title);
    await this.page.keyboard.press('Escape');
    return found;
  }

  private async typed(title: string): Promise<boolean> {
    await this.page.keyboard.press('F1');
    await this.input.fill(`>${title}`);
    await this.page.waitForTimeout(1_000);
    return this.input.row(title).isVisible();
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

async function isVisibleIn(frame: Frame, selector: string): Promise<boolean> {
  try {
    return await frame.locator(selector).first().isVisible();
  } catch {
    return false; // a frame that is just going away
  }
}
