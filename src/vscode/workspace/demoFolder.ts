/** The folder of the demo that starts when its window opens. Kept while the windows change. */
import type * as vscode from 'vscode';

const KEY = 'autonomous.demoFolder';

type Memory = Pick<vscode.ExtensionContext, 'globalState'>;

export const waitingFolder = ({ globalState }: Memory): string | undefined => globalState.get<string>(KEY);

export async function keepFolder({ globalState }: Memory, folder: string | undefined): Promise<void> {
  await globalState.update(KEY, folder);
}
