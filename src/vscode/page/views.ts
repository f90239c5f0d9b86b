/** The page in the sidebar and as an editor tab. */
import * as vscode from 'vscode';
import type { Pages } from '../window/pages.ts';
import { BOARD_PANEL, PANEL_VIEW } from '../words/viewIds.ts';
import { pageHtml } from './pageHtml.ts';
import { type PagePorts, type Served, servePage } from './webviewSource.ts';

export class BoardViews implements Pages, vscode.WebviewViewProvider, vscode.WebviewPanelSerializer {
  readonly #ports: PagePorts;
  #side: vscode.WebviewView | null = null;
  #tab: vscode.WebviewPanel | null = null;
  #tabServed: Served | null = null;

  constructor(ports: PagePorts) {
    const act: PagePorts['act'] = async (message) => {
      if (message.kind === 'openConversation') this.talk(message.project);
      else if (message.kind === 'openTask') this.task(message.taskId);
      else if (message.kind === 'openPlan') this.plan(message.jobId);
      else await ports.act(message);
    };
    this.#ports = { ...ports, act };
  }

  register(): vscode.Disposable {
    return vscode.Disposable.from(
      vscode.window.registerWebviewViewProvider(PANEL_VIEW, this),
      vscode.window.registerWebviewPanelSerializer(BOARD_PANEL, this),
    );
  }

  /** Whether the sidebar's page exists, and so carries the badge. */
  setBadge(badge: vscode.ViewBadge | undefined): boolean {
    if (this.#side === null) return false;
    this.#side.badge = badge;
    return true;
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    this.#side = view;
    const served = servePage(this.#ports, { webview: view.webview, place: 'sidebar', visible: () => view.visible });
    view.onDidChangeVisibility(() => served.refresh());
    view.onDidDispose(() => {
      served.dispose();
      this.#side = null;
    });
  }

  async deserializeWebviewPanel(tab: vscode.WebviewPanel): Promise<void> {
    this.#serve(tab);
  }

  /** Shows the board, also if the tab shows a plan. */
  openBoard(): void {
    this.#openTab();
    this.#tabServed?.lead({ kind: 'board' });
  }

  #openTab(): void {
    if (this.#tab !== null) {
      this.#tab.reveal();
      return;
    }
    const title = vscode.l10n.t('Autonomous Board');
    this.#serve(vscode.window.createWebviewPanel(BOARD_PANEL, title, vscode.ViewColumn.Active));
  }

  /** Shows a card in the tab. */
  focus(featureId: number): void {
    this.#openTab();
    this.#tabServed?.lead({ kind: 'focus', featureId });
  }

  /** Shows a job in the tab. */
  job(jobId: string): void {
    this.#openTab();
    this.#tabServed?.lead({ kind: 'job', jobId });
  }

  /** Shows a project's conversation in the tab. */
  talk(project: string): void {
    this.#openTab();
    this.#tabServed?.lead({ kind: 'talk', project });
  }

  /** Shows a task with its steps in the tab. */
  task(taskId: string): void {
    this.#openTab();
    this.#tabServed?.lead({ kind: 'task', taskId });
  }

  /** Shows the plan of a job in the tab. */
  plan(jobId: string): void {
    this.#openTab();
    this.#tabServed?.lead({ kind: 'plan', jobId });
  }

  /** Reloads the pages, for example after one went blank. */
  reload(): void {
    const { extensionUri } = this.#ports.context.extension;
    if (this.#side !== null) this.#side.webview.html = pageHtml(this.#side.webview, extensionUri, 'sidebar');
    if (this.#tab !== null) this.#tab.webview.html = pageHtml(this.#tab.webview, extensionUri, 'board');
  }

  #serve(tab: vscode.WebviewPanel): void {
    this.#tab = tab;
    tab.iconPath = vscode.Uri.joinPath(this.#ports.context.extension.extensionUri, 'media', 'icon.svg');
    const served = servePage(this.#ports, { webview: tab.webview, place: 'board', visible: () => tab.visible });
    this.#tabServed = served;
    tab.onDidChangeViewState(() => served.refresh());
    tab.onDidDispose(() => {
      served.dispose();
      if (this.#tab !== tab) return;
      this.#tab = null;
      this.#tabServed = null;
    });
  }
}
