/**
 * Stands in for VS Code in a plain browser: theme, bridge, sample data. Query: `view=board|sidebar`,
 * `theme=dark|light|hc|hc-light`, `cards=20`. What the page posts is kept in `window.posted` and, for people, logged.
 */
import type { PanelDetails, PanelView } from '../../src/shared/panelView.ts';
import type { FromPage, ToPage } from '../../src/shared/webviewProtocol.ts';
import { sampleView } from './sample.ts';
import { sampleDetails } from './sampleCards.ts';
import { applyTheme } from './themes.ts';

declare global {
  interface Window {
    posted: FromPage[];
    send(message: ToPage): void;
    show(view: PanelView): void;
    sample(cards: number): PanelView;
    /** The details of a sample's card. */
    sampleDetails(cards: number, featureId: number): PanelDetails | null;
    acquireVsCodeApi(): unknown;
  }
}

const query = new URLSearchParams(window.location.search);
document.body.dataset['view'] = query.get('view') === 'sidebar' ? 'sidebar' : 'board';
applyTheme(query.get('theme') ?? 'dark');

const KEPT = 'autonomous-page-state';
let revision = 0;
let shown: PanelView | null = null;
let looked: number | null = null;

function detailsIn(view: PanelView, featureId: number | null): PanelDetails | null {
  if (view.details !== null && view.details.featureId === featureId) return view.details;
  const card = view.cards.find(({ id }) => id === featureId);
  return card === undefined ? null : sampleDetails(card);
}

window.posted = [];
window.sample = sampleView;
window.sampleDetails = (cards, featureId) => detailsIn(sampleView(cards), featureId);
window.send = (message) => window.postMessage(message, '*');
window.show = (view) => {
  revision += 1;
  shown = view;
  window.send({ kind: 'snapshot', revision, view: { ...view, details: detailsIn(view, looked) } });
};
window.acquireVsCodeApi = () => ({
  postMessage(message: FromPage) {
    window.posted.push(message);
    if (message.kind === 'look') {
      looked = message.featureId;
      if (shown !== null) window.show(shown);
    }
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
