/** The page's only door to the extension host. */
import type { FromPage, ToPage } from '../../../src/shared/workspace/pageProtocol.ts';

interface VsCodeApi {
  postMessage(message: FromPage): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare function acquireVsCodeApi(): VsCodeApi;

const api = acquireVsCodeApi();

export function post(message: FromPage): void {
  api.postMessage(message);
}

/** The value that `saveState` kept before the page was hidden or reloaded, of any shape. */
export function savedState(): unknown {
  return api.getState();
}

export function saveState(state: unknown): void {
  api.setState(state);
}

const KINDS: readonly unknown[] = [
  'part',
  'snapshot',
  'live',
  'focus',
  'job',
  'talk',
  'task',
  'plan',
  'board',
  'unsent',
] satisfies ToPage['kind'][];

/** Calls `receive` for each message of the host, for as long as the page lives. */
export function listen(receive: (message: ToPage) => void): void {
  window.addEventListener('message', ({ data }: MessageEvent<ToPage | { kind?: unknown } | null>) => {
    if (data !== null && typeof data === 'object' && KINDS.includes(data.kind)) receive(data as ToPage);
  });
}
