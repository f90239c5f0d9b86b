/** What each test of this suite is given, and a window on a folder of its own. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { startServer, workbenchUrl } from '../../scripts/vscode.mjs';
import { makeRepository } from '../../src/compose/demo.ts';
import { within } from '../support/endings.ts';
import { TreeGuard } from '../support/treeGuard.ts';
import { type Pictures, pictures } from './pictures.ts';
import { type Terminal, terminal } from './terminal.ts';
import { EditorWindow } from './window.ts';

/** Of the simulated model: it answers as soon as a page can still be watched. Who takes pictures has the pace that people get. */
const QUICK = { 'autonomous.simulated.delayMs': 60 };
/** Of a test in its window: more than its longest wait, on two busy cores. */
const TEST_MS = 300_000;

export interface World {
  readonly editor: { readonly browser: string; readonly server: string };
  readonly browser: Browser;
  readonly folder: string;
  readonly extensionsDir: string;
  /** The terminal's program of the same build. */
  readonly program: string;
  /** Where named pictures go; null: none are wanted. */
  readonly screenshots: string | null;
  /** Where the picture of a window goes whose test fails; null: none is wanted. */
  readonly failures: string | null;
  /** Aborted when all is to end. */
  readonly stop: AbortSignal;
}

export interface Place {
  readonly window: EditorWindow;
  readonly project: string;
  /** Everything that this VS Code wrote. */
  readonly folder: string;
  readonly terminal: Terminal;
  readonly pictures: Pictures;
}

/** How a window differs from one that is opened on the demo's sample repository, trusted. */
export interface Opened {
  readonly workspaceTrust?: boolean;
  readonly size?: { readonly width: number; readonly height: number };
  /** Made before the window opens. */
  readonly prepare?: (terminal: Terminal, folder: string) => Promise<void>;
  /** Files of the project that the person saves other than they were. */
  readonly edits?: readonly string[];
}

/** Those of the machine or of the user, which a window reads when it opens. */
export async function writeSettings(folder: string, settings: object): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'settings.json'), JSON.stringify(settings));
}

/** Opens the demo's sample repository in a VS Code of its own. `name` is short: sockets lie below it. */
export async function inWindow(
  world: World,
  name: string,
  { workspaceTrust = false, size, prepare, edits = [] }: Opened,
  body: (place: Place) => Promise<void>,
): Promise<void> {
  const { editor, browser, extensionsDir } = world;
  const folder = join(world.folder, name);
  const project = join(folder, 'sheet');
  await makeRepository(project);
  if (world.screenshots === null) await writeSettings(join(folder, 'user', 'Machine'), QUICK);
  const inTerminal = terminal(world.program, project, folder);
  await prepare?.(inTerminal, folder);
  const guard = new TreeGuard(project);
  guard.mine(...edits);
  const server = await startServer(editor, { folder, extensionsDir, workspaceTrust, testDriver: false });
  try {
    const window = await EditorWindow.open(browser, workbenchUrl(server.url, project), size);
    try {
      const place = { window, project, folder, terminal: inTerminal, pictures: pictures(world, window) };
      await within(body(place), TEST_MS, 'the test', world.stop);
    } catch (thrown) {
      if (world.failures !== null) await window.page.screenshot({ path: join(world.failures, `${name}.png`) });
      throw thrown;
    } finally {
      await window.close();
    }
  } finally {
    await server.stop();
  }
  guard.check();
}
