/** The folder that the demo begins in when its window opens, kept over the change of windows. */
import type * as vscode from 'vscode';

const KEY = 'autonomous.demoFolder';

type Memory = Pick<vscode.ExtensionContext, 'globalState'>;

export const waitingFolder = ({ globalState }: Memory): string | undefined => globalState.get<string>(KEY);

export async function keepFolder({ globalState }: Memory, folder: string | undefined): Promise<void> {
  await globalState.update(KEY, folder);
}
