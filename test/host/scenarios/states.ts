/** States that are not ours, or not whole: shown with a message, and never changed. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nodeFiles } from '../../../src/adapters/files.ts';
import { openEventLog } from '../../../src/adapters/log/eventLog.ts';
import { loadKey } from '../../../src/adapters/log/key.ts';
import { lineSeal } from '../../../src/adapters/log/seal.ts';
import type { Event } from '../../../src/shared/events.ts';
import { finishedProject, stateFiles } from '../support/finished.ts';
import { inWindow } from '../support/window.ts';
import { newFolder, newProject, type Scenario, type World } from '../support/world.ts';

/** It is told of, nothing runs, and the disk is as it was. */
async function isLeftAlone(world: World, project: string, why: RegExp): Promise<void> {
  const before = stateFiles(project);
  await inWindow(world, project, async (window) => {
    await window.boardSays(why);
    await window.brief('Write a few notes.');
    await window.notified(why);
  });
  assert.deepEqual(stateFiles(project), before);
}

async function foreign(world: World): Promise<void> {
  const home = newFolder(world, 'elsewhere');
  const env = { ...world.env, HOME: home, XDG_RUNTIME_DIR: home };
  const project = await finishedProject({ ...world, env });
  await isLeftAlone(world, project, /not written by this installation/);
}

/** Sealed with this installation's own key, as a newer version on this machine does. */
async function newer(world: World): Promise<void> {
  const project = await finishedProject(world);
  const key = await loadKey(join(world.env['HOME'] ?? '', '.config', 'autonomous'), nodeFiles);
  const stateDir = join(project, '.autonomous');
  const log = await openEventLog({ stateDir, ops: nodeFiles, seal: lineSeal(key, 'events') });
  const { end } = await log.read(null);
  const epoch = await log.claim();
  const event = { seq: (end?.seq ?? 0) + 1, epoch, at: new Date(0).toISOString(), type: 'of_a_later_version' };
  await log.append([event as unknown as Event], end);
  await log.close();
  await isLeftAlone(world, project, /a newer version of Autonomous/);
}

async function damaged(world: World): Promise<void> {
  const project = await finishedProject(world);
  const events = join(project, '.autonomous', 'events');
  const [segment = ''] = readdirSync(events);
  const lines = readFileSync(join(events, segment), 'utf8').split('\n');
  writeFileSync(join(events, segment), lines.with(-3, '{"seq":').join('\n'));
  await inWindow(world, project, async (window) => {
    await window.boardSays(/First note/);
    await window.notified(/damaged|left out|lost/i);
  });
}

async function unreadable(world: World): Promise<void> {
  const project = await newProject(world);
  writeFileSync(join(project, '.autonomous'), 'not a folder\n');
  await isLeftAlone(world, project, /cannot be read/);
  assert.equal(readFileSync(join(project, '.autonomous'), 'utf8'), 'not a folder\n');
}

export const states: readonly Scenario[] = [
  { name: 'a state that came with the repository is shown and not obeyed', body: foreign },
  { name: 'a state of a newer version is shown and not changed', body: newer },
  { name: 'a damaged line is told of, and the rest is shown', body: damaged },
  { name: 'a state that is no folder is told of and left alone', body: unreadable },
];
