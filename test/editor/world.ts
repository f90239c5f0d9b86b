/** What each test of this suite is given, and a window on a folder of its own. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { startServer, workbenchUrl } from '../../scripts/vscode.mjs';
import { demoSampleFiles } from '../../src/adapters/simulated/scenarios/demo/sample.ts';
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

function makeProject(folder: string): string {
  const project = join(folder, 'sheet');
  mkdirSync(project, { recursive: true });
  for (const [path, text] of Object.entries(demoSampleFiles)) writeFileSync(join(project, path), text);
  const env = { PATH: process.env['PATH'], HOME: folder, GIT_CONFIG_NOSYSTEM: '1' };
  const git = (...args: string[]): Buffer => execFileSync('git', args, { cwd: project, env });
  git('init', '--quiet', '--initial-branch=main');
  git('add', '--all');
  git(
    '-c',
    'user.name=You',
    '-c',
    'user.email=you@localhost',
    'commit',
    '--quiet',
    '--message',
    'An empty spreadsheet',
  );
  return project;
}

/** Opens the demo's sample repository in a VS Code of its own. */
export async function inWindow(
  { editor, browser, folder, extensionsDir }: World,
  name: string,
  workspaceTrust: boolean,
  body: (place: Place) => Promise<void>,
): Promise<void> {
  const own = join(folder, name);
  const project = makeProject(own);
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
