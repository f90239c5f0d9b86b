/** Switches notifications of the operating system on with their setting. What shows them is loaded only then. */

import * as vscode from 'vscode';
import type { Workspaces } from '../../engine/workspace/workspace.ts';
import { setting } from '../settings/read.ts';
import type { HostContext } from '../window/context.ts';

export function showOsNotifications(context: HostContext, load: () => Promise<Workspaces>): vscode.Disposable {
  let watch: Promise<() => void> | null = null;
  const begin = (): void => {
    if (setting.osNotifications()) watch ??= import('./osNews.ts').then(({ osWatch }) => osWatch(context, load));
  };
  begin();
  return vscode.Disposable.from(
    vscode.workspace.onDidChangeConfiguration(begin),
    context.engine.onDidChange(() => void watch?.then((look) => look())),
  );
}
