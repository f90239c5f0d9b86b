/** A window of VS Code with the agent in it: commands by name, and what the person sees. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContext, Locator, Page } from 'playwright-core';
import { workbenchUrl } from '../../../scripts/vscode.mjs';
import type { Answer, Door, Errand } from '../agent/errand.ts';
import { until, type World } from './world.ts';

const SIZE = { width: 1280, height: 800 };
const REOPENINGS = 5;

export class HostWindow {
  readonly page: Page;
  readonly #context: BrowserContext;
  readonly #url: string;
  readonly #agent: string;
  readonly #hasFolders: boolean;
  #door: Door | null = null;

  private constructor(
    context: BrowserContext,
    page: Page,
    agent: string,
    target: { url: string; hasFolders: boolean },
  ) {
    this.#context = context;
    this.page = page;
    this.#agent = agent;
    this.#url = target.url;
    this.#hasFolders = target.hasFolders;
  }

  /** `target`: a folder (a path, or the URI of a virtual one), a `.code-workspace` file, or nothing. */
  static async open(world: World, target: string | null): Promise<HostWindow> {
    const agent = join(world.folder, 'agents', randomBytes(3).toString('hex'));
    mkdirSync(agent, { recursive: true });
    copyFileSync(world.agent, join(agent, 'agent.js'));
    const payload = { extensionDevelopmentPath: world.extension, extensionTestsPath: join(agent, 'agent.js') };
    const context = await world.browser.newContext({ viewport: SIZE });
    const page = await context.newPage();
    // Without them the workbench takes the test for one that nobody waits for.
    await page.exposeFunction('codeAutomationLog', () => undefined);
    await page.exposeFunction('codeAutomationExit', () => undefined);
    const url = workbenchUrl(world.url, target, payload);
    const window = new HostWindow(context, page, agent, { url, hasFolders: target !== null });
    try {
      await window.load();
      return window;
    } catch (thrown) {
      await window.failed(world);
      await window.close();
      throw thrown;
    }
  }

  /** A picture of it, where pictures are wanted. */
  async failed({ pictures }: World): Promise<void> {
    if (pictures !== null) await this.page.screenshot({ path: join(pictures, `${Date.now()}.png`) });
  }

  /** Opens the same window anew, as after a crash or a reload. */
  async load(): Promise<void> {
    await this.#opened(() => this.page.goto(this.#url));
  }

  async reload(): Promise<void> {
    await this.#opened(() => this.page.reload());
  }

  async #opened(open: () => Promise<unknown>): Promise<void> {
    await this.#begun(open);
    // In a browser VS Code may miss the `.code-workspace` file that it reads while it starts: it shows no folder then, for good.
    for (let left = REOPENINGS; this.#hasFolders && (await this.#ask({ kind: 'folders' })) === 0; left -= 1) {
      if (left === 0) throw new Error('the window shows none of its folders');
      await this.#begun(() => this.page.reload());
    }
  }

  async #begun(open: () => Promise<unknown>): Promise<void> {
    rmSync(this.#doorFile, { force: true });
    await open();
    this.#door = await until('the extension host of the window', () => this.#readDoor());
  }

  get #doorFile(): string {
    return join(this.#agent, 'door.json');
  }

  #readDoor(): Door | null {
    if (!existsSync(this.#doorFile)) return null;
    const text = readFileSync(this.#doorFile, 'utf8');
    return text.endsWith('}') ? JSON.parse(text) : null;
  }

  /** The process that runs extensions for this window. */
  get hostPid(): number {
    assert.ok(this.#door, 'the window is open');
    return this.#door.pid;
  }

  /** Rejects with what the command throws. */
  async command(id: string, ...args: readonly unknown[]): Promise<unknown> {
    return this.#ask({ kind: 'command', id, args });
  }

  /** Opens a link of the extension. */
  async link(path: string): Promise<void> {
    await this.#ask({ kind: 'link', path });
  }

  async active(): Promise<boolean> {
    return (await this.#ask({ kind: 'active' })) === true;
  }

  async #ask(errand: Errand): Promise<unknown> {
    assert.ok(this.#door, 'the window is open');
    const response = await fetch(this.#door.url, { method: 'POST', body: JSON.stringify(errand) });
    const answer = (await response.json()) as Answer;
    if ('error' in answer) throw new Error(answer.error);
    return answer.value;
  }

  /** Every notification of this window that is not cleared yet. */
  async notifications(): Promise<readonly string[]> {
    await this.command('notifications.showList');
    return this.page.locator('.notifications-center .notification-list-item-message').allInnerTexts();
  }

  async notified(words: RegExp): Promise<string> {
    let seen: readonly string[] = [];
    return until(
      () => `a notification like ${words}; there are: ${seen.join(' | ') || 'none'}`,
      async () => {
        seen = await this.notifications();
        return seen.find((text) => words.test(text));
      },
    );
  }

  /** Waits until the page of the board, in its tab, has these words. */
  async boardSays(words: RegExp): Promise<void> {
    await this.command('autonomous.openBoard');
    await until(`the board to say ${words}`, async () => {
      for (const frame of this.page.frames()) {
        const shown = frame.locator('#root').getByText(words);
        // A frame may go away while it is looked at.
        if ((await shown.count().catch(() => 0)) > 0) return true;
      }
      return false;
    });
  }

  /** Presses a button of a notification. */
  async press(label: string): Promise<void> {
    await this.command('notifications.showList');
    await this.page.locator('.notifications-center').getByRole('button', { name: label, exact: true }).first().click();
  }

  /** The editor tab of the board. */
  boardTab(): Locator {
    return this.page.locator('.tabs-container .tab').filter({ hasText: 'Autonomous Board' });
  }

  /** Files a brief as a person does, up to whatever stops it. */
  async brief(text: string): Promise<void> {
    await this.command('autonomous.newBrief', { text });
    await this.command('autonomous.startBrief');
  }

  /** Chooses a line of the list that is asked. */
  async pick(label: string): Promise<void> {
    await this.page.locator('.quick-input-list .monaco-list-row').filter({ hasText: label }).click();
  }

  /** Answers the input line that is asked. */
  async type(text: string): Promise<void> {
    const input = this.page.locator('.quick-input-widget input.input');
    await input.fill(text);
    await input.press('Enter');
  }

  async close(): Promise<void> {
    await this.#context.close();
  }
}

export async function inWindow(
  world: World,
  target: string | null,
  body: (window: HostWindow) => Promise<void>,
): Promise<void> {
  const window = await HostWindow.open(world, target);
  try {
    await body(window);
  } catch (thrown) {
    await window.failed(world);
    throw thrown;
  } finally {
    await window.close();
  }
}
