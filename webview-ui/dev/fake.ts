/**
 * Stands in for VS Code in a plain browser: theme, bridge, sample data. Query: `view=board|sidebar`,
 * `theme=dark|light|hc|hc-light`, `cards=20`. What the page posts is kept in `window.posted` and, for people, logged.
 */
import type { PanelView } from '../../src/shared/panelView.ts';
import type { FromPage, ToPage } from '../../src/shared/webviewProtocol.ts';
import { sampleView } from './sample.ts';
import { applyTheme } from './themes.ts';

declare global {
  interface Window {
    posted: FromPage[];
    send(message: ToPage): void;
    show(view: PanelView): void;
    sample(cards: number): PanelView;
    acquireVsCodeApi(): unknown;
  }
}

const query = new URLSearchParams(window.location.search);
document.body.dataset['view'] = query.get('view') === 'sidebar' ? 'sidebar' : 'board';
applyTheme(query.get('theme') ?? 'dark');

const KEPT = 'autonomous-page-state';
let revision = 0;

window.posted = [];
window.sample = sampleView;
window.send = (message) => window.postMessage(message, '*');
window.show = (view) => {
  revision += 1;
  window.send({ kind: 'snapshot', revision, view });
};
window.acquireVsCodeApi = () => ({
  postMessage(message: FromPage) {
    window.posted.push(message);
    if (message.kind !== 'ready') return;
    window.show(sampleView(Number(query.get('cards') ?? 20)));
    const at = new Date().toISOString();
    window.send({
      kind: 'live',
      lines: [{ at, jobId: 'job-1', sessionId: 1, featureId: 4, text: 'edit src/config/parse.js' }],
    });
  },
  getState: () => JSON.parse(sessionStorage.getItem(KEPT) ?? 'null') as unknown,
  setState: (state: unknown) => sessionStorage.setItem(KEPT, JSON.stringify(state)),
});
