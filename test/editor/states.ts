/** States that are not ours, or not whole, and folders without what a job stands on: told of with a message, and never changed. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { nodeFiles } from '../../src/adapters/files/files.ts';
import { openEventLog } from '../../src/adapters/log/eventLog.ts';
import { loadKey } from '../../src/adapters/log/key.ts';
import { lineSeal } from '../../src/adapters/log/seal.ts';
import type { Event } from '../../src/shared/workspace/events.ts';
import { finishJob, stateFiles } from './finished.ts';
import { terminal } from './terminal.ts';
import type { EditorWindow } from './window.ts';
import { newProject, type World } from './world.ts';

/** A folder of the window in which nothing can be done, and what is done there. */
export interface Trouble {
  readonly folder: string;
  readonly name: string;
  readonly see: (window: EditorWindow) => Promise<void>;
}

const trouble = (folder: string, see: Trouble['see']): Trouble => ({ folder, name: basename(folder), see });

/** It is told of, nothing runs, and the disk is as it was. */
function isLeftAlone(folder: string, why: RegExp): Trouble {
  const before = stateFiles(folder);
  return trouble(folder, async (window) => {
    await window.boardSays(why);
    await refuses(window, why);
    assert.deepEqual(stateFiles(folder), before);
  });
}

async function refuses(window: EditorWindow, why: RegExp): Promise<void> {
  await window.brief('Write a few notes.');
  await window.notifications.saying(why);
}

/** The state is that of another person. */
async function foreign(world: World): Promise<Trouble> {
  const place = await newProject(world, 'foreign');
  const home = join(world.folder, 'elsewhere');
  mkdirSync(home);
  const env = { ...world.vsCode.env, HOME: home, XDG_RUNTIME_DIR: home };
  await finishJob({ ...place, terminal: terminal(world.program, place.project, { env }) });
  return isLeftAlone(place.project, /not written by this installation/);
}

/** Sealed with this installation's own key, as a newer version on this machine does. */
async function newer(world: World): Promise<Trouble> {
  const place = await newProject(world, 'newer');
  const { project } = place;
  await finishJob(place);
  const key = await loadKey(join(world.vsCode.home, '.config', 'autonomous'), nodeFiles);
  const stateDir = join(project, '.autonomous');
  const log = await openEventLog({ stateDir, ops: nodeFiles, seal: lineSeal(key, 'events') });
  const { end } = await log.read(null);
  const epoch = await log.claim();
  const event = { seq: (end?.seq ?? 0) + 1, epoch, at: new Date(0).toISOString(), type: 'of_a_later_version' };
  await log.append([event as unknown as Event], end);
  await log.close();
  return isLeftAlone(project, /a newer version of Autonomous/);
}

async function damaged(world: World): Promise<Trouble> {
  const place = await newProject(world, 'damaged');
  await finishJob(place);
  const events = join(place.project, '.autonomous', 'events');
  const [segment = ''] = readdirSync(events);
  const lines = readFileSync(join(events, segment), 'utf8').split('\n');
  writeFileSync(join(events, segment), lines.with(-3, '{"seq":').join('\n'));
  return trouble(place.project, async (window) => {
    await window.boardSays(/First note/);
    await window.notifications.saying(/damaged|left out|lost/i);
  });
}

async function unreadable(world: World): Promise<Trouble> {
  const { project } = await newProject(world, 'unreadable');
  writeFileSync(join(project, '.autonomous'), 'not a folder\n');
  const { see } = isLeftAlone(project, /cannot be read/);
  return trouble(project, async (window) => {
    await see(window);
    assert.equal(readFileSync(join(project, '.autonomous'), 'utf8'), 'not a folder\n');
  });
}

function withoutGit(world: World): Trouble {
  const folder = join(world.folder, 'plain');
  mkdirSync(folder);
  return trouble(folder, (window) => refuses(window, /Not a git repository/));
}

function withoutCommit(world: World): Trouble {
  const folder = join(world.folder, 'empty');
  execFileSync('git', ['init', '--quiet', folder]);
  return trouble(folder, (window) => refuses(window, /no commit yet/));
}

export const troubles = (world: World): Promise<readonly Trouble[]> =>
  Promise.all([
    foreign(world),
    withoutGit(world),
    newer(world),
    damaged(world),
    withoutCommit(world),
    unreadable(world),
  ]);
