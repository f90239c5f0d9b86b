/** A window of VS Code, used as a person does: through palette, notifications, inputs, views and tabs. */
import type { Browser, Frame, Locator, Page } from 'playwright-core';
import { workbenchUrl } from '../../scripts/vscode.mjs';
import { Door, knownDoors } from './door.ts';
import { Notifications } from './notifications.ts';
import { inTime, PATIENCE_MS, until } from './patience.ts';
import { isAlive, killProcess } from './processes.ts';
import { QuickInput } from './quickInput.ts';
import type { VsCode } from './vsCode.ts';

/** After so many looks at a palette that does not offer what is wanted, it is opened anew. */
const PALETTE_LOOKS = 30;
/** For one click on something that may go away. */
const CLICK_MS = 20_000;
const REOPENINGS = 5;

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Runs in each frame: what moves by itself is painted again and again. A sheet of this kind is not refused by the policy of a page. */
const WITHOUT_ANIMATIONS = `{
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('*, *::before, *::after { animation: none !important; transition: none !important; }');
  document.adoptedStyleSheets.push(sheet);
}`;

const SIZE: Size = { width: 1400, height: 1000 };

export class EditorWindow {
  readonly page: Page;
  readonly notifications: Notifications;
  readonly input: QuickInput;
  readonly #url: string;
  readonly #doors: string;
  readonly #hasFolders: boolean;
  #door: Door | null = null;

  private constructor(page: Page, url: string, doors: string, hasFolders: boolean) {
    this.page = page;
    this.#url = url;
    this.notifications = new Notifications(page);
    this.input = new QuickInput(page);
    this.#doors = doors;
    this.#hasFolders = hasFolders;
  }

  /** `target`: a folder (a path, or the URI of a virtual one), a `.code-workspace` file, or null for nothing. */
  static async open(
    browser: Browser,
    { url, doors }: Pick<VsCode, 'url' | 'doors'>,
    target: string | null,
    size: Size = SIZE,
  ): Promise<EditorWindow> {
    const context = await browser.newContext({ viewport: size, reducedMotion: 'reduce' });
    await context.addInitScript({ content: WITHOUT_ANIMATIONS });
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    const window = new EditorWindow(page, workbenchUrl(url, target), doors, target !== null);
    await window.#load(() => page.goto(window.#url));
    return window;
  }

  /** The way into its extension host. */
  get door(): Door {
    if (this.#door === null) throw new Error('the window is not open');
    return this.#door;
  }

  async reload(): Promise<void> {
    const { hostPid } = this.door;
    await this.#load(() => this.page.reload());
    await until(`the end of extension host ${hostPid}`, () => !isAlive(hostPid));
  }

  /** Ends the extension host as a crash does, and opens the window again. */
  async crash(): Promise<void> {
    const { hostPid } = this.door;
    killProcess(hostPid);
    // The page would start another one.
    await this.page.goto('about:blank');
    await until(`the end of extension host ${hostPid}`, () => !isAlive(hostPid));
    await this.#load(() => this.page.goto(this.#url));
  }

  async #load(open: () => Promise<unknown>): Promise<void> {
    for (let left = REOPENINGS; ; left -= 1) {
      const known = knownDoors(this.#doors);
      await open();
      await this.page.locator('.monaco-workbench').waitFor();
      const door = await Door.next(this.#doors, known);
      this.#door = door;
      await until('the extension to be active', () => door.isActive());
      // A defect of VS Code in a browser: it may miss the `.code-workspace` file that it reads while it starts, and shows no folder then.
      if (!this.#hasFolders || (await door.folders()) > 0) return;
      if (left === 0) throw new Error('the window shows none of its folders');
      process.stdout.write('   VS Code has opened a workspace without its folders: opened again\n');
    }
  }

  /** Runs a command by its title in the palette. */
  async command(title: string): Promise<void> {
    do await this.#type('F1', `>${title}`, title);
    while (
      // What opens by itself just then takes the focus, and the palette goes.
      !(await inTime(this.input.row(title).click({ timeout: CLICK_MS })))
    );
  }

  /** What the palette offers under a category, once this one is among it: all in one list. */
  async offered(category: string, title: string): Promise<readonly string[]> {
    await this.#type('F1', `>${category}:`, title);
    const rows = this.input.box.locator('.quick-input-list .monaco-list-row .label-name');
    let titles: readonly string[] = [];
    // Until the typed words count, the list is the one of all commands.
    await until(
      () => `the palette to show one category; it shows ${titles.join(', ')}`,
      async () => {
        titles = await rows.allTextContents();
        return titles.length > 0 && titles.every((one) => one.startsWith(`${category}:`));
      },
    );
    await this.input.dismiss();
    return titles;
  }

  /** Opens a file of the workspace by its name. */
  async goToFile(name: string): Promise<void> {
    await this.#type('ControlOrMeta+P', name, name);
    await this.input.row(name).click();
  }

  /** Opens the input by a key and types, until a row has these words. */
  async #type(key: string, text: string, row: string): Promise<void> {
    let looks = 0;
    await until(`the palette to offer ${row}`, async () => {
      if (!(await this.input.isOpen())) {
        await this.page.keyboard.press(key);
        looks = 0;
        return false;
      }
      if ((await this.input.text()) !== text) {
        await this.input.type(text);
        return false;
      }
      if (await this.input.row(row).isVisible()) return true;
      looks += 1;
      // An open palette shows what was offered when it was opened.
      if (looks % PALETTE_LOOKS === 0) await this.page.keyboard.press('Escape');
      return false;
    });
  }

  /** Presses a button of the modal dialog, and waits until it is gone. */
  async answerDialog(button: string): Promise<void> {
    const dialog = this.page.locator('.monaco-dialog-box');
    await dialog.locator('.monaco-button').filter({ hasText: button }).click();
    await dialog.waitFor({ state: 'hidden' });
  }

  /** The page inside a webview, once one shows this; `selector` as playwright knows them. */
  frameWith(selector: string): Promise<Frame> {
    return until(`a view that shows ${selector}`, async () => {
      for (const frame of this.page.frames()) if (await isVisibleIn(frame, selector)) return frame;
      return null;
    });
  }

  /** Waits until the page of the board, in its tab, has these words. */
  async boardSays(words: RegExp): Promise<void> {
    await this.door.command('autonomous.openBoard');
    await until(`the board to say ${words}`, async () => {
      for (const frame of this.page.frames()) {
        const shown = frame.locator('#root').getByText(words);
        // A frame may go away while it is looked at.
        if ((await shown.count().catch(() => 0)) > 0) return true;
      }
      return false;
    });
  }

  /** Files a brief as a person does, up to whatever stops it. */
  async brief(text: string): Promise<void> {
    await this.door.command('autonomous.newBrief', { text });
    await this.door.command('autonomous.startBrief');
  }

  /** Chooses the folder of the workspace to work in. */
  async choose(folder: string): Promise<void> {
    await Promise.all([this.door.command('autonomous.chooseFolder'), this.input.pickNamed(folder)]);
  }

  /** Leaves no editor open for the next test; what is not saved is lost. */
  async tidy(): Promise<void> {
    const tabs = this.page.locator('.tabs-container .tab');
    await until('all editors to be closed', async () => {
      if ((await tabs.count()) === 0) return true;
      await this.door.command('workbench.action.revertAndCloseActiveEditor');
      return false;
    });
  }

  /** The tab of an editor whose label has these words. */
  tab(words: string): Locator {
    return this.page.locator('.tabs-container .tab').filter({ hasText: words }).first();
  }

  /** An icon in the title of the editor in front, by what it says. */
  titleAction(label: string): Locator {
    return this.page.locator(`.editor-actions .action-label[aria-label^="${label}"]`).first();
  }

  /** Closes it, and waits until its extension host has ended. */
  async close(): Promise<void> {
    const hostPid = this.#door?.hostPid;
    // A page that is left lets its extension host end; one that is closed may come back, and VS Code keeps it for hours.
    await this.page.goto('about:blank');
    await this.page.context().close();
    if (hostPid !== undefined) await until(`the end of extension host ${hostPid}`, () => !isAlive(hostPid));
  }
}

async function isVisibleIn(frame: Frame, selector: string): Promise<boolean> {
  try {
    return await frame.locator(selector).first().isVisible();
  } catch {
    return false; // a frame that is just going away
  }
}
