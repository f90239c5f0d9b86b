/** Commands about this window: the board, the folder, the key, the provider, the ownership of the workspace. */
import type * as vscode from 'vscode';
import { given } from '../window/command.ts';
import type { HostContext } from '../window/context.ts';
import { chooseFolder } from '../window/folder.ts';
import { registerCommands } from '../window/report.ts';
import type { World } from '../window/world.ts';

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
    'autonomous.setApiKey': async () => {
      const { askForKey } = await import('../window/owner/askForKey.ts');
      await askForKey(key, handle.blocker === null ? (await handle.workspace()).model : null);
    },
    'autonomous.addConnection': async () => {
      const { addConnection } = await import('../model/addConnection.ts');
      await addConnection((await handle.workspace()).model, key);
    },
    'autonomous.chooseModels': async () => {
      const { chooseModels } = await import('../model/chooseModels.ts');
      await chooseModels((await handle.workspace()).model, key);
    },
    'autonomous.chooseProvider': async () => (await import('./chooseProvider.ts')).chooseProvider(),
    'autonomous.takeOver': async () => (await import('../window/owner/ownerDialogs.ts')).takeOver(handle),
    'autonomous.restoreState': async () => (await import('../window/owner/ownerDialogs.ts')).restoreState(handle),
  });
}
