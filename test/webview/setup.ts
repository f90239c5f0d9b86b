/** The built page on a server, and a browser, for all files of the suite. */
import { chromium } from 'playwright-core';
import type { TestProject } from 'vitest/node';
import { BROWSER_FLAGS, ensureBrowser } from '../../scripts/vscode.mjs';
import { BEGINS_AGAIN, type ServedPage, servedPage } from './browser.ts';

declare module 'vitest' {
  interface ProvidedContext {
    webview: ServedPage & { readonly endpoint: string };
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { tempRoot } = project.getProvidedContext();
  const page = await servedPage(tempRoot, { plugins: [BEGINS_AGAIN] });
  // Each page another process would be most of what opening it takes.
  const args = [...BROWSER_FLAGS, '--process-per-site'];
  const browser = await chromium.launchServer({ executablePath: await ensureBrowser(), args });
  project.provide('webview', { origin: page.origin, sizes: page.sizes, endpoint: browser.wsEndpoint() });
  return async () => {
    await browser.close();
    await page[Symbol.asyncDispose]();
  };
}
