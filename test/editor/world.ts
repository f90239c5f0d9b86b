/** What each test of this suite is given, and a window on a folder of its own. */
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { startServer, workbenchUrl } from '../../scripts/vscode.mjs';
import { makeRepository } from '../../src/compose/demo.ts';
import { EditorWindow } from './window.ts';

export interface World {
  readonly editor: { readonly browser: string; readonly server: string };
  readonly browser: Browser;
  readonly folder: string;
  readonly extensionsDir: string;
}

export interface Place {
  readonly window: EditorWindow;
  readonly project: string;
  /** Everything that this VS Code wrote. */
  readonly folder: string;
}

/** Opens the demo's sample repository in a VS Code of its own. */
export async function inWindow(
  { editor, browser, folder, extensionsDir }: World,
  name: string,
  workspaceTrust: boolean,
  body: (place: Place) => Promise<void>,
): Promise<void> {
  const own = join(folder, name);
  const project = join(own, 'sheet');
  await makeRepository(project);
  const server = await startServer(editor, { folder: own, extensionsDir, workspaceTrust });
  try {
    const window = await EditorWindow.open(browser, workbenchUrl(server.url, project));
    try {
      await body({ window, project, folder: own });
    } finally {
      await window.close();
    }
  } finally {
    await server.stop();
  }
}
