/** What a window shows, in words: evidence for the error of a test that fails where nobody can open its picture. */
import type { EditorWindow } from './window.ts';

/** Characters of one line. */
const LINE = 240;
/** A page that answers no more must not hold the test, which has failed. */
const LONGEST_MS = 10_000;

/** In the workbench: what may be in front of what a test waits for. */
const PARTS = {
  list: '.quick-input-widget',
  dialog: '.monaco-dialog-box',
  notifications: '.notification-list-item',
  tabs: '.tabs-container .tab',
};

/** For a function that runs in the page. */
const TEXTS = `((selector) => [...document.querySelectorAll(selector)]
  .filter((one) => one.checkVisibility({ visibilityProperty: true }))
  .map((one) => one.innerText.replace(/\\s+/g, ' ').trim())
  .join(' | '))`;

async function lineOf(what: string, texts: Promise<unknown>): Promise<readonly string[]> {
  const late = new Promise<string>((resolve) => setTimeout(resolve, LONGEST_MS, 'does not answer').unref());
  // A frame that goes away while it is read shows nothing.
  const text = await Promise.race([texts.catch(() => ''), late]);
  return typeof text === 'string' && text !== '' ? [`${what}: ${text.slice(0, LINE)}`] : [];
}

/** A line for each part of the window that shows some text. Never rejects. */
export async function shownIn({ page }: EditorWindow): Promise<readonly string[]> {
  const call = (selector: string): string => `${TEXTS}(${JSON.stringify(selector)})`;
  const parts = Object.entries(PARTS).map(([what, selector]) => lineOf(what, page.evaluate(call(selector))));
  const views = page.frames().map((frame) => lineOf('view', frame.evaluate(call('#root'))));
  return (await Promise.all([...parts, ...views])).flat();
}

/** The error with what the window showed below its message, and then where it was thrown. */
export function withShown(thrown: unknown, shown: readonly string[]): Error {
  const { message, stack = '' } = thrown instanceof Error ? thrown : new Error(String(thrown));
  const seen = new Error([message, ...shown.map((line) => `the window shows ${line}`)].join('\n'), { cause: thrown });
  seen.stack = `${seen.message}${stack.slice(Math.max(0, stack.indexOf('\n    at ')))}`;
  return seen;
}
