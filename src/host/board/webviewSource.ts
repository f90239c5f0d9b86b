/** Feeds one page: whole snapshots, of which only the newest counts, live lines apart; takes its wishes. */
import * as vscode from 'vscode';
import { panel } from '../../core/views/panel.ts';
import type { Clock } from '../../shared/clock.ts';
import type { LiveLine } from '../../shared/live.ts';
import type { PanelLook, PanelView } from '../../shared/panelView.ts';
import type { FromPage, ToPage } from '../../shared/webviewProtocol.ts';
import type { HostContext } from '../context.ts';
import { hindranceText } from '../engine/folder.ts';
import { report } from '../report.ts';
import { pageHtml, pageRoot } from './pageHtml.ts';
import { throttle } from './throttle.ts';

/** At most ten snapshots a second. */
const BETWEEN_MS = 100;
/** Live lines kept for a page that is not shown. */
const MAX_LINES = 200;

export interface PagePorts {
  readonly context: HostContext;
  readonly clock: Clock;
  readonly act: (message: FromPage) => Promise<void>;
}

export interface Page {
  readonly webview: vscode.Webview;
  readonly place: 'sidebar' | 'board';
  visible(): boolean;
}

let revision = 0;

function frame({ engine }: HostContext): Pick<PanelView, 'banner' | 'mode'> {
  const { current, hindrance } = engine;
  const banner =
    hindrance === null
      ? current?.owner === false
        ? {
            text: vscode.l10n.t('Jobs run in another window or terminal; this one shows them.'),
            severity: 'info' as const,
          }
        : null
      : { text: hindranceText(hindrance), severity: 'warning' as const };
  return { banner, mode: current === null ? 'none' : current.owner ? 'owner' : 'viewer' };
}

export interface Served extends vscode.Disposable {
  refresh(): void;
  /** Shows a card's details, as soon as the page is there. */
  focus(featureId: number): void;
}

/** Whoever owns the page disposes what is given with it. */
export function servePage({ context, clock, act }: PagePorts, page: Page): Served {
  const { engine, log, extension } = context;
  let lines: LiveLine[] = [];
  let ready = false;
  let focused: number | null = null;
  let look: PanelLook = { featureId: null, costs: false };
  const send = (message: ToPage): void => void page.webview.postMessage(message);
  const snapshots = throttle(clock, BETWEEN_MS, () => {
    if (!ready || !page.visible()) return;
    revision++;
    send({ kind: 'snapshot', revision, view: panel(engine.state, context.today(), frame(context), look) });
    if (focused !== null) send({ kind: 'focus', featureId: focused });
    focused = null;
  });
  const flush = throttle(clock, BETWEEN_MS, () => {
    if (!ready || !page.visible()) return;
    send({ kind: 'live', lines });
    lines = [];
  });
  const hear = async (raw: unknown): Promise<void> => {
    // Loaded with the first page, not with the window: zod is heavy.
    const { fromPage } = await import('../../shared/webviewProtocol.ts');
    const parsed = fromPage.safeParse(raw);
    if (!parsed.success) {
      log.warn('a message of the board has a wrong shape and was ignored');
      return;
    }
    if (parsed.data.kind === 'ready' || parsed.data.kind === 'look') {
      if (parsed.data.kind === 'look') look = parsed.data;
      else ready = true;
      snapshots.ask();
      return;
    }
    try {
      await act(parsed.data);
    } catch (thrown) {
      report(log, thrown);
    }
  };
  const subscriptions = vscode.Disposable.from(
    page.webview.onDidReceiveMessage(hear),
    engine.onDidChange(() => snapshots.ask()),
    engine.onDidLive((line) => {
      lines = [...lines.slice(1 - MAX_LINES), line];
      flush.ask();
    }),
    snapshots,
    flush,
  );
  page.webview.options = { enableScripts: true, localResourceRoots: [pageRoot(extension.extensionUri)] };
  page.webview.html = pageHtml(page.webview, extension.extensionUri, page.place);
  return {
    refresh: () => snapshots.ask(),
    focus: (featureId) => {
      focused = featureId;
      snapshots.ask();
    },
    dispose: () => void subscriptions.dispose(),
  };
}
