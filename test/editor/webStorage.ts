/** What the browser stores for the window of a VS Code that it shows. */
import type { Page } from 'playwright-core';
import { until } from './patience.ts';

/** The workspace state of extensions, as the browser stores it: JSON text. */
const WORKSPACE_STATE = `(async () => {
  const done = (request) => new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  const values = async ({ name }) => {
    const database = await done(indexedDB.open(name));
    const stores = [...database.objectStoreNames];
    const all = stores.map((store) => done(database.transaction(store).objectStore(store).getAll()));
    return Promise.all(all).finally(() => database.close());
  };
  const all = await indexedDB.databases();
  return JSON.stringify(await Promise.all(all.filter(({ name }) => name.startsWith('vscode-web-state-db-')).map(values)));
})()`;

/** The browser stores it some moments after an extension has set it, and a reload does not wait for that. */
export async function whenKept(page: Page, words: string): Promise<void> {
  const isKept = async () => (await page.evaluate<string>(WORKSPACE_STATE)).includes(words);
  await until(`the browser to store ${words}`, isKept);
}
