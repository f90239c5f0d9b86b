/** Actions of the demo. Loaded on first use. */
import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import type { Demos } from '../../engine/workspace/workspace.ts';
import { withErrorMessage } from '../window/command.ts';
import type { HostContext } from '../window/context.ts';
import { oneByKey } from '../window/oneByKey.ts';
import { offerQuickFix } from '../window/quickFixes.ts';
import type { World } from '../window/world.ts';
import { PANEL_VIEW } from '../words/viewIds.ts';
import { keepFolder } from './demoFolder.ts';
import { WALKTHROUGH } from './walkthrough.ts';

/** By folder: a second press, also in the window that was opened for the demo, does not start another one. */
const begun = oneByKey();

export async function tryDemo(context: HostContext, { load }: World): Promise<void> {
  const { engine, extension } = context;
  const { demo } = await load();
  const present = engine.projectDir;
  if (present !== null && (await demo.briefFor(present)) !== null) {
    if (engine.blocker === 'untrusted') return askForTrust(context);
    return begun.run(present, () => begin(context, present, demo));
  }
  const create = vscode.l10n.t('Create and Open');
  const answer = await vscode.window.showInformationMessage(
    vscode.l10n.t('Make a sample repository and open it?'),
    {
      modal: true,
      detail: vscode.l10n.t('A simulated model builds a small program in it. It needs no key and costs nothing.'),
    },
    create,
  );
  if (answer !== create) return;
  const folder = vscode.Uri.joinPath(extension.globalStorageUri, 'demo', `sheet-${randomBytes(3).toString('hex')}`);
  await demo.makeSample(folder.fsPath);
  await keepFolder(extension, folder.fsPath);
  await vscode.commands.executeCommand('vscode.openFolder', folder, { forceReuseWindow: true });
}

async function begin({ engine }: HostContext, folder: string, demo: Demos): Promise<void> {
  const input = await demo.briefFor(folder);
  if (input === null) return;
  const title = vscode.l10n.t('Filing the brief');
  const { jobId } = await vscode.window.withProgress({ location: vscode.ProgressLocation.Window, title }, () =>
    engine.request('submitBrief', input),
  );
  await keepWalkthrough();
  await vscode.commands.executeCommand('autonomous.openBoard', { jobId });
}

/** The walkthrough opens as a preview tab: the next one, the review, would replace it. Its tab has no recognizable type. */
async function keepWalkthrough(): Promise<void> {
  const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
  if (tab?.isPreview === true && tab.input === undefined)
    await vscode.commands.executeCommand('workbench.action.keepEditor');
}

/** The walkthrough went with the window that it was pressed in. */
async function openWalkthrough({ extension }: HostContext): Promise<void> {
  const walkthrough = `${extension.extension.id}#${WALKTHROUGH.id}`;
  await vscode.commands.executeCommand('workbench.action.openWalkthrough', walkthrough);
}

/** Not awaited: the message stays until the user answers, and every way to trust the folder starts the demo. */
function askForTrust(context: HostContext): void {
  void withErrorMessage(context, () =>
    offerQuickFix('untrusted', vscode.l10n.t('Trust this folder to start the demo.')),
  );
}

/** Starts the demo in the window that was opened for it. While the folder is not trusted, shows what is missing. */
export async function beginHere(context: HostContext, { load }: World, folder: string): Promise<void> {
  const { engine, extension } = context;
  if (engine.blocker === 'untrusted') {
    await vscode.commands.executeCommand(`${PANEL_VIEW}.focus`);
    askForTrust(context);
  }
  if (engine.blocker !== null) return;
  await keepFolder(extension, undefined);
  await openWalkthrough(context);
  await begun.run(folder, async () => begin(context, folder, (await load()).demo));
}
