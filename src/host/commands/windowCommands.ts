/** Commands about this window: the board, the folder, the key, the provider, whose workspace it is. */
import type * as vscode from 'vscode';
import type { HostContext } from '../context.ts';
import { chooseFolder } from '../engine/folder.ts';
import { registerCommands } from '../report.ts';
import { given } from '../stewardship/command.ts';
import type { World } from '../world.ts';

export function registerWindowCommands({ extension, log }: HostContext, world: World): vscode.Disposable {
  const { handle, key, views } = world;
  return registerCommands(log, {
    'autonomous.openBoard': async (target) => {
      const [featureId, jobId] = [given(target, 'featureId'), given(target, 'jobId')];
      if (featureId !== undefined) views.focus(Number(featureId));
      else if (typeof jobId === 'string') views.job(jobId);
      else views.openBoard();
    },
    'autonomous.reloadBoard': async () => {
      views.reload();
      await handle.begin();
    },
    'autonomous.chooseFolder': async () => {
      if (await chooseFolder(extension.workspaceState)) await handle.restart();
    },
    'autonomous.setApiKey': async () => (await import('../engine/askForKey.ts')).askForKey(key),
    'autonomous.chooseProvider': async () => (await import('./chooseProvider.ts')).chooseProvider(),
    'autonomous.takeOver': async () => (await import('./ownerDialogs.ts')).takeOver(handle),
    'autonomous.restoreState': async () => (await import('./ownerDialogs.ts')).restoreState(handle),
  });
}
