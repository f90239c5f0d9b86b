/** States that are not ours, or not whole, and folders without what a job stands on: told of with a message, and never changed. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { nodeFiles } from '../../../src/adapters/files.ts';
import { openEventLog } from '../../../src/adapters/log/eventLog.ts';
import { loadKey } from '../../../src/adapters/log/key.ts';
import { lineSeal } from '../../../src/adapters/log/seal.ts';
import type { Event } from '../../../src/shared/events.ts';
import { finishedProject, stateFiles } from '../support/finished.ts';
import { type HostWindow, inWindow } from '../support/window.ts';
import { newFolder, newProject, type Scenario, type World, workspaceFile } from '../support/world.ts';

/** A folder of the window in which nothing can be done, and what is done there. */
interface Trouble {
  readonly folder: string;
  readonly see: (window: HostWindow) => Promise<void>;
}

/** It is told of, nothing runs, and the disk is as it was. */
function isLeftAlone(folder: string, why: RegExp): Trouble {
  const before = stateFiles(folder);
  return {
    folder,
    see: async (window) => {
      await window.boardSays(why);
      await refuses(window, why);
      assert.deepEqual(stateFiles(folder), before);
    },
  };
}

async function refuses(window: HostWindow, why: RegExp): Promise<void> {
  await window.brief('Write a few notes.');
  await window.notified(why);
}

async function foreign(world: World): Promise<Trouble> {
  const home = newFolder(world, 'elsewhere');
  const env = { ...world.env, HOME: home, XDG_RUNTIME_DIR: home };
  const project = await finishedProject({ ...world, env }, 'foreign');
  return isLeftAlone(project, /not written by this installation/);
}

/** Sealed with this installation's own key, as a newer version on this machine does. */
async function newer(world: World): Promise<Trouble> {
  const project = await finishedProject(world, 'newer');
  const key = await loadKey(join(world.env['HOME'] ?? '', '.config', 'autonomous'), nodeFiles);
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
  const project = await finishedProject(world, 'damaged');
  const events = join(project, '.autonomous', 'events');
  const [segment = ''] = readdirSync(events);
  const lines = readFileSync(join(events, segment), 'utf8').split('\n');
  writeFileSync(join(events, segment), lines.with(-3, '{"seq":').join('\n'));
  return {
    folder: project,
    see: async (window) => {
      await window.boardSays(/First note/);
      await window.notified(/damaged|left out|lost/i);
    },
  };
}

async function unreadable(world: World): Promise<Trouble> {
  const project = await newProject(world, 'unreadable');
  writeFileSync(join(project, '.autonomous'), 'not a folder\n');
  const trouble = isLeftAlone(project, /cannot be read/);
  return {
    folder: project,
    see: async (window) => {
      await trouble.see(window);
      assert.equal(readFileSync(join(project, '.autonomous'), 'utf8'), 'not a folder\n');
    },
  };
}

function withoutGit(world: World): Trouble {
  const folder = newFolder(world, 'plain');
  return { folder, see: (window) => refuses(window, /Not a git repository/) };
}

function withoutCommit(world: World): Trouble {
  const folder = newFolder(world, 'empty');
  execFileSync('git', ['init', '--quiet', folder]);
  return { folder, see: (window) => refuses(window, /no commit yet/) };
}

/** One after the other, in one window: none keeps what the one before it was told. */
async function eachIsTold(world: World): Promise<void> {
  const troubles = [
    await foreign(world),
    withoutGit(world),
    await newer(world),
    await damaged(world),
    withoutCommit(world),
    await unreadable(world),
  ];
  await inWindow(
    world,
    workspaceFile(
      world,
      troubles.map(({ folder }) => ({ path: folder })),
    ),
    async (window) => {
      for (const { folder, see } of troubles) {
        await Promise.all([window.command('autonomous.chooseFolder'), window.pick(basename(folder))]);
        await see(window);
        await window.command('notifications.clearAll');
      }
    },
  );
}

export const states: readonly Scenario[] = [
  {
    name: 'a state that came with the repository, is of a newer version, damaged or no folder, a folder without git or without a commit: each is told of, shown and left alone',
    body: eachIsTold,
  },
];
