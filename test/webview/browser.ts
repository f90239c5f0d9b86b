/**
 * The built page, minified as released, in the machine's Chromium under the host's content security policy: a loopback server,
 * the fake bridge, and a record of everything that must not happen.
 */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import type { Browser, ConsoleMessage, Dialog, Page, Request } from 'playwright-core';
import { webviewBundle, webviewStandIn } from '../../esbuild.mjs';
import { ensureBrowser, openBrowser } from '../../scripts/vscode.mjs';

const TYPES: Readonly<Record<string, string>> = { '.js': 'text/javascript', '.css': 'text/css', '.ttf': 'font/ttf' };
const NONCE = 'bm9uY2U';
/** Files do not change while they are served. */
const KEPT = { 'cache-control': 'max-age=3600' };

/** As the host's: `chunks` are asked for along with main.js. */
function html(origin: string, chunks: readonly string[]): string {
  const policy = `default-src 'none'; script-src 'nonce-${NONCE}'; style-src ${origin}; font-src ${origin}`;
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Autonomous</title>
<meta http-equiv="Content-Security-Policy" content="${policy}">
${chunks.map((name) => `<link rel="modulepreload" nonce="${NONCE}" href="${origin}/${name}">`).join('')}
<link rel="stylesheet" href="${origin}/main.css"></head><body><div id="root"></div>
<script nonce="${NONCE}">window.violations = []; addEventListener('securitypolicyviolation', (event) =>
  window.violations.push(event.violatedDirective + ' ' + event.blockedURI));</script>
<script nonce="${NONCE}" src="${origin}/fake.js"></script>
<script type="module" nonce="${NONCE}" src="${origin}/main.js"></script></body></html>`;
}

declare global {
  interface Window {
    violations: string[];
    /** Of `BEGINS_AGAIN`. */
    beginAgain(): void;
  }
}

type PageOf = (origin: string) => string;

async function serve(folder: string, pageOf: PageOf | undefined): Promise<Server> {
  const chunks = (await readdir(folder)).filter((name) => /^chunk-\w+\.js$/.test(name));
  const server = createServer((request, response) => {
    const origin = `http://${request.headers.host}`;
    const path = new URL(request.url ?? '/', origin).pathname;
    if (path === '/blank') {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Blank</title>');
      return;
    }
    if (path === '/favicon.ico') {
      // The browser's own request, at a time of its own.
      response.writeHead(204).end();
      return;
    }
    if (path === '/') {
      response.writeHead(200, { 'content-type': 'text/html' }).end(pageOf?.(origin) ?? html(origin, chunks));
      return;
    }
    readFile(join(folder, path.slice(1))).then(
      (body) => response.writeHead(200, { 'content-type': TYPES[extname(path)] ?? 'text/plain', ...KEPT }).end(body),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

export interface OpenPage {
  readonly page: Page;
  /** Dialogs, refused loads, requests to anything but the bundle's own files, errors of the console. */
  trouble(): Promise<string[]>;
}

export interface WebviewWorld extends AsyncDisposable {
  /** Sizes of the released files in bytes, by name. */
  readonly sizes: ReadonlyMap<string, number>;
  /** The page of the last `open` is gone then. `prepare` runs in the page before its own scripts, `before` here. */
  open(query: string, size?: Size, prepare?: () => void, before?: (blank: Page) => Promise<void>): Promise<OpenPage>;
}

type Size = { readonly width: number; readonly height: number };

/** How long a page may take for anything before a test gives up. */
const PATIENCE_MS = 180_000;

/** What a page cannot change once it is there. */
const KINDS = ['view', 'lang'];
const READY = 'main:not(:has([role=status]:text("Loading")))';

/**
 * A tab of its own for whoever wants it prepared; all others go through those of their kind, which are left as they were new: by
 * loading the page again, or where the page can begin again, by that: that takes a third of the time.
 */
class Tabs {
  readonly #browser: Browser;
  readonly #beginsAgain: boolean;
  readonly #plain = new Map<string, Page>();
  #other: Page | null = null;
  #watch: (() => void) | null = null;

  constructor(browser: Browser, beginsAgain: boolean) {
    this.#browser = browser;
    this.#beginsAgain = beginsAgain;
  }

  async open(
    url: string,
    viewport: Size,
    prepare: (() => void) | undefined,
    before: ((blank: Page) => Promise<void>) | undefined,
  ): Promise<OpenPage> {
    const { origin, search } = new URL(url);
    const isPlain = prepare === undefined && before === undefined;
    const { page, isOpen } = isPlain
      ? await this.#used(search, viewport)
      : { page: await this.#fresh(viewport), isOpen: false };
    this.#watch?.();
    if (isOpen) {
      await page.evaluate(begin, search);
    } else {
      // Its process is there before the page is: what is measured is the page.
      await page.goto(`${origin}/blank`);
      await page.evaluate(() => sessionStorage.clear());
      await before?.(page);
      if (prepare !== undefined) await page.addInitScript(prepare);
    }
    const { seen, stop } = watched(page, origin);
    this.#watch = stop;
    if (!isOpen) await page.goto(url);
    await page.waitForSelector(READY);
    // What is under the mouse now counts, not what was there before.
    if (isOpen) await page.mouse.move(1, 1);
    const trouble = async () => [...seen, ...(await page.evaluate(() => window.violations))];
    return { page, trouble };
  }

  async close(): Promise<void> {
    for (const page of [...this.#plain.values(), this.#other]) await page?.context().close();
  }

  async #used(search: string, viewport: Size): Promise<{ readonly page: Page; readonly isOpen: boolean }> {
    const query = new URLSearchParams(search);
    const kind = this.#beginsAgain ? KINDS.map((name) => query.get(name)).join() : '';
    const known = this.#plain.get(kind);
    if (known === undefined || known.isClosed()) {
      const page = await this.#made(viewport);
      this.#plain.set(kind, page);
      return { page, isOpen: false };
    }
    await known.emulateMedia({ reducedMotion: 'reduce', forcedColors: 'none' });
    await known.setViewportSize(viewport);
    await known.mouse.move(0, 0);
    return { page: known, isOpen: this.#beginsAgain };
  }

  async #fresh(viewport: Size): Promise<Page> {
    await this.#other?.context().close();
    this.#other = await this.#made(viewport);
    return this.#other;
  }

  async #made(viewport: Size): Promise<Page> {
    const context = await this.#browser.newContext({ viewport, reducedMotion: 'reduce' });
    context.setDefaultTimeout(PATIENCE_MS);
    return context.newPage();
  }
}

/** In the page: as if it had just been loaded, with another query. */
async function begin(search: string): Promise<void> {
  sessionStorage.clear();
  history.replaceState(null, '', search);
  window.dress(new URLSearchParams(search).get('theme') ?? 'dark');
  window.posted.length = 0;
  window.violations.length = 0;
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  window.beginAgain();
  for (const element of document.querySelectorAll('*')) if (element.scrollTop > 0) element.scrollTop = 0;
  await new Promise((painted) => requestAnimationFrame(painted));
}

/** Lets a page begin again: nothing of what it shows or remembers is left then. */
export const BEGINS_AGAIN: Plugin = {
  name: 'begins-again',
  setup({ onLoad }) {
    onLoad({ filter: /webview-ui[\\/]src[\\/]store[\\/]store\.ts$/ }, async ({ path }) => ({
      loader: 'ts',
      contents: `${await readFile(path, 'utf8')}
window.beginAgain = () => {
  usePage.setState({ ...usePage.getInitialState(), ui: readUiState(null) });
  postLook();
  post({ kind: 'ready' });
};`,
    }));
  },
};

/** What must not happen in a page, from now on until `stop`. */
function watched(page: Page, origin: string): { readonly seen: string[]; stop(): void } {
  const seen: string[] = [];
  const onDialog = (dialog: Dialog): void => {
    seen.push(`dialog ${dialog.message()}`);
    dialog.dismiss().catch((error: unknown) => seen.push(String(error)));
  };
  const onError = (error: Error): void => void seen.push(`error ${error.message}`);
  const onConsole = (message: ConsoleMessage): void => {
    if (message.type() === 'error') seen.push(`console ${message.text()}`);
  };
  const onRequest = (request: Request): void => {
    const { origin: of, pathname } = new URL(request.url());
    const own = of === origin && (/^\/[\w.-]*\.(js|css|ttf)$/.test(pathname) || pathname === '/');
    if (!own && pathname !== '/favicon.ico') seen.push(`request ${request.url()}`);
  };
  page.on('dialog', onDialog).on('pageerror', onError).on('console', onConsole).on('request', onRequest);
  return {
    seen,
    stop: () => {
      page.off('dialog', onDialog).off('pageerror', onError).off('console', onConsole).off('request', onRequest);
    },
  };
}

/** What the page asked the host for, but for what it asks by itself. */
export const posted = (page: Page) =>
  page.evaluate(() => window.posted.filter(({ kind }) => !['ready', 'look', 'led'].includes(kind)));

interface WorldParts {
  /** Of the page's own bundle. */
  readonly plugins?: readonly Plugin[];
  /** Makes the document in place of the one above, from the folder of the bundle. */
  readonly pageOf?: (folder: string) => Promise<PageOf>;
}

export interface ServedPage {
  readonly origin: string;
  /** Sizes of the released files in bytes, by name. */
  readonly sizes: Readonly<Record<string, number>>;
}

/** Builds into a folder of its own, and serves; disposing ends and removes all of it. */
export async function servedPage(
  tempRoot: string,
  { plugins = [], pageOf }: WorldParts = {},
): Promise<ServedPage & AsyncDisposable> {
  const folder = await mkdtemp(join(tempRoot, 'webview-'));
  const bundle = webviewBundle(folder, true);
  const built = await build({ ...bundle, plugins: [...(bundle.plugins ?? []), ...plugins] });
  await build(webviewStandIn('fake', folder));
  const sizes = Object.entries(built.metafile.outputs).map(([path, { bytes }]) => [path.replace(/^.*\//, ''), bytes]);
  const server = await serve(folder, await pageOf?.(folder));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sizes: Object.fromEntries(sizes) as Record<string, number>,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** `beginsAgain`: the page was built with `BEGINS_AGAIN`. */
export function worldOf(
  { origin, sizes }: ServedPage,
  browser: Browser,
  close: () => Promise<unknown>,
  beginsAgain = false,
): WebviewWorld {
  const tabs = new Tabs(browser, beginsAgain);
  return {
    sizes: new Map(Object.entries(sizes)),
    open: (query, size = { width: 1280, height: 800 }, prepare, before) =>
      tabs.open(`${origin}/?${query}`, size, prepare, before),
    async [Symbol.asyncDispose]() {
      await tabs.close();
      await browser.close();
      await close();
    },
  };
}

/** A page and a browser of its own. */
export async function webviewWorld(tempRoot: string, parts: WorldParts = {}): Promise<WebviewWorld> {
  const served = await servedPage(tempRoot, parts);
  const browser = await openBrowser({ browser: await ensureBrowser() });
  return worldOf(served, browser, () => served[Symbol.asyncDispose]());
}
