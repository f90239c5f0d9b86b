/** The page and the browser of setup.ts, and a tab there for all files of one process. Both end with the suite. */
import { chromium } from 'playwright-core';
import { inject } from 'vitest';
import { type WebviewWorld, worldOf } from './browser.ts';

let world: Promise<WebviewWorld> | null = null;

export function sharedWorld(): Promise<WebviewWorld> {
  world ??= connect();
  return world;
}

async function connect(): Promise<WebviewWorld> {
  const { endpoint, ...served } = inject('webview');
  return worldOf(served, await chromium.connect(endpoint), async () => undefined, true);
}
