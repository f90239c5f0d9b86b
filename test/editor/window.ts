/** A window of VS Code, used as a person does: through the palette. */
import type { Browser, Locator, Page } from 'playwright-core';

const PATIENCE_MS = 30_000;

export class EditorWindow {
  readonly page: Page;

  private constructor(page: Page) {
    this.page = page;
  }

  static async open(browser: Browser, url: string, size = { width: 1280, height: 800 }): Promise<EditorWindow> {
    const page = await browser.newPage({ viewport: size });
    page.setDefaultTimeout(PATIENCE_MS);
    await page.goto(url);
    await page.locator('.monaco-workbench').waitFor();
    return new EditorWindow(page);
  }

  /** Runs a command by its title in the palette. Rejects when the palette does not offer it for 30 s. */
  async command(title: string): Promise<void> {
    const end = performance.now() + PATIENCE_MS;
    // An open palette does not learn of extensions that arrive later.
    while (!(await this.typed(title))) {
      if (performance.now() > end) throw new Error(`the palette does not offer ${title}`);
      await this.page.keyboard.press('Escape');
    }
    await this.offered(title).first().click();
  }

  /** Whether the palette offers a command now. */
  async offers(title: string): Promise<boolean> {
    const found = await this.typed(title);
    await this.page.keyboard.press('Escape');
    return found;
  }

  private async typed(title: string): Promise<boolean> {
    await this.page.keyboard.press('F1');
    await this.page.locator('.quick-input-widget input.input').fill(`>${title}`);
    await this.page.waitForTimeout(1_000);
    return this.offered(title).first().isVisible();
  }

  private offered(title: string): Locator {
    return this.page.locator('.quick-input-list .monaco-list-row').filter({ hasText: title });
  }

  async close(): Promise<void> {
    await this.page.close();
  }
}
