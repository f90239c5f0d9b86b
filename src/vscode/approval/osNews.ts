/** Shows notifications of the operating system about pending approvals and ended jobs while VS Code is not in front. */

import * as vscode from 'vscode';
import { lookedAt, type News, newsFor } from '../../core/workspace/osNotices.ts';
import type { Workspaces } from '../../engine/workspace/workspace.ts';
import { messageOf } from '../../shared/errors.ts';
import { setting } from '../settings/read.ts';
import type { HostContext } from '../window/context.ts';

/** Returns the look that follows each change. */
export function osWatch({ engine, log }: HostContext, load: () => Promise<Workspaces>): () => void {
  let before = lookedAt(engine.state);
  let failed = '';
  const show = async (news: News): Promise<void> => {
    try {
      await (await load()).notifyOs(engine.projectDir, { title: 'Autonomous', message: newsText(news) });
    } catch (thrown) {
      // The window is not in front, so that the problem is logged, once.
      if (failed !== messageOf(thrown)) log.warn(messageOf(thrown));
      failed = messageOf(thrown);
    }
  };
  return () => {
    const windowState = { enabled: setting.osNotifications(), focused: vscode.window.state.focused, isHere: isHere() };
    const news = newsFor(windowState, before, engine.state);
    before = lookedAt(engine.state);
    if (news !== null) void show(news);
  };
}

/** In a remote window, or in a browser, this process runs on another machine than the user's screen. */
const isHere = (): boolean => vscode.env.remoteName === undefined && vscode.env.uiKind === vscode.UIKind.Desktop;

function newsText({ approvals, completed, failed }: News): string {
  const parts = [
    approvals === 0
      ? ''
      : approvals === 1
        ? vscode.l10n.t('1 approval pending')
        : vscode.l10n.t('{0} approvals pending', approvals),
    completed === 0
      ? ''
      : completed === 1
        ? vscode.l10n.t('1 job completed')
        : vscode.l10n.t('{0} jobs completed', completed),
    failed === 0 ? '' : failed === 1 ? vscode.l10n.t('1 job failed') : vscode.l10n.t('{0} jobs failed', failed),
  ];
  return parts.filter((part) => part !== '').join(', ');
}
