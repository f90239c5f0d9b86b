/** What each journey is given, and a window on a folder of its own. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { makeRepository } from '../../src/app/demo/demo.ts';
import { TreeGuard } from '../support/git/treeGuard.ts';
import { type Pictures, pictures } from './pictures.ts';
import { shownIn, withShown } from './shown.ts';
import { type Terminal, terminal } from './terminal.ts';
import { type VsCode, writeMachineSettings, writeUserSettings } from './vsCode.ts';
import { EditorWindow, type Size } from './window.ts';

export interface World {
  readonly editor: { readonly browser: string; readonly server: string };
  readonly browser: Browser;
  /** The VS Code of all journeys that need none of their own. */
  readonly vsCode: VsCode;
  /** Of the journey; everything lies below it. Its name is short, for sockets. */
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

/** A folder with a repository, and a terminal in it. */
export interface Workplace {
  readonly world: World;
  readonly vsCode: VsCode;
  /** For files that the test makes. */
  readonly folder: string;
  readonly project: string;
  readonly terminal: Terminal;
}

export interface Place extends Workplace {
  readonly window: EditorWindow;
  readonly pictures: Pictures;
  /** The working tree of the person; checked after each test. */
  readonly guard: TreeGuard;
}

/** How a window differs from one that is opened on the demo's sample repository. */
export interface Opened {
  readonly vsCode?: VsCode;
  readonly size?: Size;
  /** Settings of the machine and of the user, until the window closes. */
  readonly machine?: object;
  readonly user?: object;
  /** Runs before the window opens. */
  readonly prepare?: (place: Workplace) => Promise<void>;
  /** Files of the project that the person saves other than they were. */
  readonly edits?: readonly string[];
}

/** The demo's sample repository, below the folder of the journey. */
export async function newProject(world: World, name = 'sheet', vsCode: VsCode = world.vsCode): Promise<Workplace> {
  const project = join(world.folder, name);
  await mkdir(project, { recursive: true });
  await makeRepository(project);
  return { world, vsCode, folder: world.folder, project, terminal: terminal(world.program, project, vsCode) };
}

/** Those who take pictures have the pace that people get. */
const paced = ({ screenshots }: World, machine: object): object =>
  screenshots === null ? machine : { 'autonomous.simulated.delayMs': undefined, ...machine };

async function withSettings(
  world: World,
  { vsCode = world.vsCode, machine = {}, user = {} }: Pick<Opened, 'vsCode' | 'machine' | 'user'>,
  body: () => Promise<void>,
): Promise<void> {
  writeMachineSettings(vsCode.folder, paced(world, machine));
  writeUserSettings(vsCode.folder, user);
  try {
    await body();
  } finally {
    writeMachineSettings(vsCode.folder);
    writeUserSettings(vsCode.folder);
  }
}

/** A window on a target; where `body` fails, a picture of it is left, and its error states what the window shows. */
export async function withWindow(
  world: World,
  vsCode: VsCode,
  target: string | null,
  body: (window: EditorWindow) => Promise<void>,
  size?: Size,
): Promise<void> {
  const window = await EditorWindow.open(world.browser, vsCode, target, size);
  try {
    await body(window);
  } catch (thrown) {
    if (world.failures !== null) await window.page.screenshot({ path: join(world.failures, `${Date.now()}.png`) });
    throw withShown(thrown, await shownIn(window));
  } finally {
    await window.close();
  }
}

/** Opens the demo's sample repository. */
export async function inWindow(world: World, opened: Opened, body: (place: Place) => Promise<void>): Promise<void> {
  const { vsCode = world.vsCode, size, prepare, edits = [] } = opened;
  await withSettings(world, opened, async () => {
    const workplace = await newProject(world, 'sheet', vsCode);
    await prepare?.(workplace);
    const guard = new TreeGuard(workplace.project);
    guard.mine(...edits);
    const use = (window: EditorWindow): Promise<void> =>
      body({ ...workplace, window, guard, pictures: pictures(world, window) });
    await withWindow(world, vsCode, workplace.project, use, size);
  });
}
