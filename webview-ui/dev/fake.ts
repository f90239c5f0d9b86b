/**
 * Replaces VS Code in a plain browser: theme, bridge, sample data. Query: `view=board|sidebar`, `theme=dark|light|hc|hc-light`, `cards=20`,
 * `sample=none|planning|plan|unpriced|long|projects|tasks|agents`, `said=10000` (number of messages in a conversation), `steps=1000` (of the shown
 * task), `lang=de`. Posted messages are kept in `window.posted` and logged.
 */

import german from '../../l10n/bundle.l10n.de.json' with { type: 'json' };
import type { ConversationView } from '../../src/shared/project/projectView.ts';
import type { FromPage, ToPage } from '../../src/shared/workspace/pageProtocol.ts';
import { NO_LOOK, type PanelDetails, type PanelLook, type PanelView } from '../../src/shared/workspace/panel.ts';
import { snapshotPacker } from '../../src/shared/workspace/snapshot.ts';
import { type SampleKind, sampleView } from './sample.ts';
import { sideBySide } from './sampleAgents.ts';
import { sampleDetails } from './sampleCards.ts';
import { samplePlan } from './samplePlan.ts';
import { sampleConversation } from './sampleProjects.ts';
import { sampleTask } from './sampleTasks.ts';
import { applyTheme } from './themes.ts';

declare global {
  interface Window {
    posted: FromPage[];
    send(message: ToPage): void;
    /** Changes the theme as the user would. */
    dress(theme: string): void;
    /** Sends the view, with the next revision unless one is given. */
    show(view: PanelView, revision?: number): void;
    sample(cards: number, kind?: SampleKind): PanelView;
    /** The details of a sample's card. */
    sampleDetails(cards: number, featureId: number): PanelDetails | null;
    /** The last sent view. */
    shown(): PanelView;
    /** A sample's conversation, with so many of its messages. */
    said(project: string, messages: number): ConversationView;
    acquireVsCodeApi(): unknown;
  }
}

/** Reads the query each time: a test changes the sample of an open page. */
const asked = (name: string): string | null => new URLSearchParams(window.location.search).get(name);
document.body.dataset['view'] = asked('view') === 'sidebar' ? 'sidebar' : 'board';
applyTheme(asked('theme') ?? 'dark');
if (asked('lang') === 'de') {
  document.documentElement.lang = 'de';
  document.body.dataset['texts'] = JSON.stringify(german);
}

const KEPT = 'autonomous-page-state';
const packer = snapshotPacker();
let revision = 0;
let shown: PanelView | null = null;
let last: PanelView | null = null;
let looked: PanelLook = NO_LOOK;
/** Other projects have no messages. */
const conversations = [sampleConversation(false), sampleConversation(true)] as const;

function detailsIn(view: PanelView, featureId: number | null): PanelDetails | null {
  if (view.details !== null && view.details.featureId === featureId) return view.details;
  const card = view.cards.find(({ id }) => id === featureId);
  return card === undefined ? null : sideBySide(sampleDetails(card), card);
}

window.posted = [];
window.dress = applyTheme;
window.sample = sampleView;
window.sampleDetails = (cards, featureId) => detailsIn(sampleView(cards), featureId);
window.send = (message) => window.postMessage(message, '*');
window.said = (project, messages) =>
  conversations[asked('sample') === 'projects' ? 1 : 0](project, messages, Number(asked('said') ?? 0));
window.shown = () => {
  if (last === null) throw new Error('nothing was shown yet');
  return last;
};
window.show = (view, given) => {
  revision += 1;
  if (given === undefined) shown = view;
  const { conversation, messages, task, step } = looked;
  const said = conversation === null ? null : window.said(conversation, messages);
  const whole = {
    ...view,
    details: detailsIn(view, looked.featureId),
    plan: view.plan?.jobId === looked.plan ? view.plan : looked.plan === null ? null : samplePlan(view, looked.plan),
    conversation: view.conversation?.project === conversation ? view.conversation : said,
    task: view.task?.taskId === task ? view.task : sampleTask(view, task, step, Number(asked('steps') ?? 0)),
  };
  last = whole;
  for (const message of packer.pack(given ?? revision, whole)) window.send(message);
};
window.acquireVsCodeApi = () => ({
  postMessage(message: FromPage) {
    window.posted.push(message);
    if (message.kind === 'look') {
      looked = message;
      if (shown !== null) window.show(shown);
    }
    if (message.kind !== 'ready') return;
    packer.forget();
    const kind = (asked('sample') as SampleKind | null) ?? undefined;
    window.show(sampleView(Number(asked('cards') ?? 20), kind));
    const at = new Date().toISOString();
    window.send({
      kind: 'live',
      lines: [
        { at, jobId: 'job-1', sessionId: 1, featureId: 4, text: 'edit src/config/parse.js' },
        { at, jobId: '', sessionId: 77, featureId: null, text: 'read src/routes/items.ts' },
      ],
    });
  },
  getState: () => JSON.parse(sessionStorage.getItem(KEPT) ?? 'null') as unknown,
  setState: (state: unknown) => sessionStorage.setItem(KEPT, JSON.stringify(state)),
});
