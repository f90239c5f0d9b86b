/** Try the Demo: runs a simulated model on a sample repository. */
import * as vscode from 'vscode';
import type { HostContext } from '../window/context.ts';
import { oneByKey } from '../window/oneByKey.ts';
import { registerCommands } from '../window/report.ts';
import type { World } from '../window/world.ts';
import { waitingFolder } from './demoFolder.ts';

const asked = oneByKey();

const acts = () => import('./demoActs.ts');

export function registerDemo(context: HostContext, world: World): vscode.Disposable {
  return registerCommands(context.log, {
    'autonomous.tryDemo': () => asked.run('demo', async () => (await acts()).tryDemo(context, world)),
  });
}

/** Starts the demo that this window was opened for. */
export async function beginWaitingDemo(context: HostContext, world: World): Promise<void> {
  const folder = waitingFolder(context.extension);
  const here = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
  if (folder !== undefined && folder === here) await (await acts()).beginHere(context, world, folder);
}
