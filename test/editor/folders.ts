/**
 * One window of several folders. In some of them nothing can be done: each says why, and nothing is written into it. In others something
 * waits: tests that need a folder of their own, but no window, work there.
 */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { TreeGuard } from '../support/git/treeGuard.ts';
import { olderTool } from './backlog.ts';
import { jobOfSmallBudget } from './limits.ts';
import { pictures } from './pictures.ts';
import { PLAN_SIZE } from './plans.ts';
import { onlyJob, whenAsked, whenState } from './state.ts';
import { type Trouble, troubles } from './states.ts';
import { ownedByTerminal, VIEWER } from './terminalOwner.ts';
import { whenKept } from './webStorage.ts';
import type { EditorWindow } from './window.ts';
import { newProject, type Place, type Workplace, type World, withWindow } from './world.ts';

export interface Folders {
  readonly window: EditorWindow;
  readonly world: World;
  /** Where nothing was done yet. */
  readonly one: Workplace;
  readonly two: Workplace;
  readonly viewed: Workplace;
  readonly followed: Workplace;
  readonly shared: Workplace;
  /** The top of the repository of which the window has a folder below. */
  readonly top: Workplace;
  readonly troubles: readonly Trouble[];
  /** Whose job has a small budget. */
  readonly small: Workplace;
  /** In which an older tool worked. */
  readonly older: Workplace;
}

const BELOW = 'bin';

/** A window of them all; none is chosen yet. */
export async function inSeveralFolders(world: World, use: (folders: Folders) => Promise<void>): Promise<void> {
  const make = (name: string): Promise<Workplace> => newProject(world, name);
  const [troubled, one, two, viewed, followed, shared, top, small, older] = await Promise.all([
    troubles(world),
    make('one'),
    make('two'),
    make('viewed'),
    make('followed'),
    make('shared'),
    make('top'),
    make('small'),
    make('older'),
  ]);
  await Promise.all([jobOfSmallBudget(small), olderTool(older)]);
  const folders = [one, two, viewed, followed, shared, small, older].map(({ project }) => project);
  const guards = [...folders, top.project].map((project) => new TreeGuard(project));
  const paths = [...folders, join(top.project, BELOW), ...troubled.map(({ folder }) => folder)];
  await mkdir(join(top.project, BELOW), { recursive: true });
  await mkdir(join(world.folder, 'several'));
  const workspace = join(world.folder, 'several', 'several.code-workspace');
  await writeFile(workspace, JSON.stringify({ folders: paths.map((path) => ({ path })) }));
  const places = { one, two, viewed, followed, shared, top, small, older };
  const body = (window: EditorWindow): Promise<void> => use({ window, world, ...places, troubles: troubled });
  await withWindow(world, world.vsCode, workspace, body, PLAN_SIZE);
  for (const guard of guards) guard.check();
  assert.ok(!existsSync(join(world.folder, 'several', '.autonomous')));
}

/** What a test does in a window of one folder, here in one of the folders. */
export async function inFolder(
  { window, world, ...places }: Folders,
  name: 'small' | 'older',
  body: (place: Place) => Promise<void>,
): Promise<void> {
  const place = places[name];
  const guard = new TreeGuard(place.project);
  await body({ ...place, window, guard, pictures: pictures(world, window) });
  guard.check();
}

/** Leaves what was done in another folder. */
export async function enters({ window }: Folders, name: 'small' | 'older'): Promise<void> {
  await window.tidy();
  await window.door.command('notifications.clearAll');
  await window.choose(name);
}

export async function isAskedOnce({ window, one, two }: Folders): Promise<void> {
  await Promise.all([window.brief('Write a few notes.'), window.input.pickNamed('two')]);
  await whenAsked(two, 'plan');
  await whenKept(window.page, 'autonomous.folder');
  await window.reload();
  await window.boardSays(/Simulated run/);
  const owner = await ownedByTerminal(window, one, false);
  try {
    await window.boardSays(VIEWER);
  } finally {
    await owner.kill();
  }
}

export async function worksAtTheTop({ window, top }: Folders): Promise<void> {
  await window.choose(BELOW);
  await window.brief('Write a few notes.');
  await whenAsked(top, 'plan');
  assert.ok(!existsSync(join(top.project, BELOW, '.autonomous')), 'the state is at the top of the repository');
  const state = await whenState(top, 'a job', (now) => onlyJob(now) !== undefined);
  assert.equal(state.jobs.size, 1);
}

/** One after the other, in one window: none keeps what the one before it was told. */
export async function eachTroubleIsTold({ window, troubles: all }: Folders): Promise<void> {
  for (const { name, see } of all) {
    await window.choose(name);
    await see(window);
    await window.door.command('notifications.clearAll');
  }
}

/** In a window that has no folder of this machine. */
export async function refuses(window: EditorWindow, why: string | RegExp): Promise<void> {
  await window.brief('Write a few notes.');
  await window.notifications.saying(why);
}
