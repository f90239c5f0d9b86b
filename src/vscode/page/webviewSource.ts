/** Serves one page: sends whole snapshots, of which only the newest counts, and live lines separately; receives its requests. */
import * as vscode from 'vscode';
import type { PanelMaker } from '../../core/workspace/panel.ts';
import type { Clock } from '../../shared/clock.ts';
import type { LiveLine } from '../../shared/live.ts';
import type { FromPage, ToPage } from '../../shared/workspace/pageProtocol.ts';
import { NO_LOOK, type PanelLook } from '../../shared/workspace/panel.ts';
import type { SnapshotPacker } from '../../shared/workspace/snapshot.ts';
import type { HostContext } from '../window/context.ts';
import { blockerText } from '../window/folder.ts';
import { quickFixOf } from '../window/quickFixes.ts';
import { report } from '../window/report.ts';
import { throttle } from '../window/throttle.ts';
import { pageHtml, pageRoot } from './pageHtml.ts';
import { BETWEEN_MS, snapshotFeed } from './snapshotFeed.ts';

/** Maximum number of live lines kept for a hidden page. */
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

function frame({ engine, agents: { seen } }: HostContext): Parameters<PanelMaker['view']>[2] {
  const { current, blocker } = engine;
  const banner =
    blocker === null
      ? current?.owner === false
        ? {
            text: vscode.l10n.t('Jobs run in another window or terminal; this one shows them.'),
            severity: 'info' as const,
            quickFix: 'takeOver' as const,
          }
        : null
      : { text: blockerText(blocker), severity: 'warning' as const, quickFix: quickFixOf(blocker) };
  const agents = seen === null ? {} : { agents: seen.agents.map(({ probe }) => probe) };
  const folder = engine.folder === null ? {} : { folder: engine.folder };
  const { atWork } = engine;
  return {
    atWork,
    banner,
    mode: current === null ? 'none' : current.owner ? 'owner' : 'viewer',
    ...agents,
    ...folder,
  };
}

export interface Served extends vscode.Disposable {
  refresh(): void;
  /** Navigates the page, once it has loaded. A later call replaces an earlier one. */
  lead(message: ToPage): void;
}

/** Loaded with the first page, not with the window, because they are large. */
interface Makers {
  readonly fromPage: typeof import('../../shared/workspace/pageProtocol.ts').fromPage;
  readonly panel: PanelMaker;
  readonly packer: SnapshotPacker;
}

/** One for all pages: what one has cost, the other need not. */
let shared: Promise<PanelMaker> | null = null;

async function load(): Promise<Makers> {
  shared ??= import('../../core/workspace/panel.ts').then(({ panelMaker }) => panelMaker());
  const [{ fromPage }, { snapshotPacker }, panel] = await Promise.all([
    import('../../shared/workspace/pageProtocol.ts'),
    import('../../shared/workspace/snapshot.ts'),
    shared,
  ]);
  return { fromPage, panel, packer: snapshotPacker() };
}

/** The owner of the page disposes the returned object. */
export function servePage({ context, clock, act }: PagePorts, page: Page): Served {
  const { agents, engine, log, extension } = context;
  const makers = load();
  let lines: LiveLine[] = [];
  let ready = false;
  /** The pending navigation, sent with each snapshot until the page confirms it. */
  let leads: ToPage | null = null;
  /** The navigation that was sent to this load of the page. A hidden page is loaded again, and messages sent meanwhile are lost. */
  let sentLead: ToPage | null = null;
  let look: PanelLook = NO_LOOK;
  let over = false;
  const shown = (): boolean => ready && !over && page.visible();
  const send = (message: ToPage): void => void page.webview.postMessage(message);
  const snapshots = snapshotFeed({
    clock,
    source: makers.then(({ panel, packer }) => ({
      packer,
      catchUp: () => panel.catchUp(engine.state),
      view: () => panel.view(engine.state, context.today(), frame(context), look, clock.now()),
    })),
    shown,
    send,
    sent: () => {
      if (leads !== null && leads !== sentLead) send(leads);
      sentLead = leads;
    },
    failed: (thrown) => report(log, thrown),
  });
  const lead = (message: ToPage): void => {
    // It only leaves a plan, as every other place does.
    if (message.kind === 'board' && leads !== null && leads.kind !== 'plan') return;
    leads = message;
    snapshots.ask();
  };
  const flush = throttle(clock, BETWEEN_MS, () => {
    if (!shown() || lines.length === 0) return;
    send({ kind: 'live', lines });
    lines = [];
  });
  const hear = async (raw: unknown): Promise<void> => {
    const { fromPage, packer } = await makers;
    const parsed = fromPage.safeParse(raw);
    if (!parsed.success) {
      log.warn('a message of the board has a wrong shape and was ignored');
      return;
    }
    const { data } = parsed;
    if (data.kind === 'led') {
      if (leads === sentLead) leads = null;
      return;
    }
    if (data.kind === 'ready' || data.kind === 'look') {
      if (data.kind === 'look') look = data;
      else {
        packer.forget();
        sentLead = null;
      }
      ready ||= data.kind === 'ready';
      snapshots.ask();
      return;
    }
    try {
      await act(data);
    } catch (thrown) {
      if (data.kind === 'sendMessage') send({ kind: 'unsent', project: data.project });
      report(log, thrown);
    }
  };
  const subscriptions = vscode.Disposable.from(
    page.webview.onDidReceiveMessage(hear),
    engine.onDidChange(() => {
      if (shown()) snapshots.ask();
    }),
    agents.onDidChange(() => {
      if (shown()) snapshots.ask();
    }),
    engine.onDidLive((line) => {
      lines = [...lines.slice(1 - MAX_LINES), line];
      if (shown()) flush.ask();
    }),
    snapshots,
    flush,
  );
  page.webview.options = { enableScripts: true, localResourceRoots: [pageRoot(extension.extensionUri)] };
  page.webview.html = pageHtml(page.webview, extension.extensionUri, page.place);
  return {
    refresh: () => {
      snapshots.ask();
      flush.ask();
    },
    lead,
    dispose: () => {
      over = true;
      subscriptions.dispose();
    },
  };
}
