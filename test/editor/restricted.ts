/** A folder that is not trusted: its state is shown, nothing that runs is offered, and nothing is written. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/setup.mjs';
import { finishJob, stateFiles } from './finished.ts';
import { startVsCode } from './vsCode.ts';
import { inWindow, type Place, type World } from './world.ts';

interface Command {
  readonly title: string;
  readonly enablement: string;
}

/** Titles of the commands that need a trusted folder, as the palette has them. */
function runsSomething(): readonly string[] {
  const { contributes } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const commands: readonly Command[] = contributes.commands;
  return commands
    .filter(({ enablement }) => enablement.includes('autonomous.usable'))
    .map(({ title }) => `Autonomous: ${title}`);
}

/** In a VS Code that asks whether a folder is trusted. */
export async function inRestrictedWindow(world: World, use: (place: Place) => Promise<void>): Promise<void> {
  const { extensionsDir } = world;
  const vsCode = await startVsCode(world.editor, join(world.folder, 'code'), { extensionsDir, workspaceTrust: true });
  try {
    await inWindow(world, { vsCode, prepare: finishJob }, use);
  } finally {
    await vsCode.stop();
  }
}

export async function restrictedModeRunsNothing({ window, project }: Place): Promise<void> {
  const before = stateFiles(project);
  await window.page.getByText('Restricted Mode is intended').waitFor();
  const offered = await window.offered('Autonomous', 'Autonomous: Show Log');
  const running = runsSomething();
  assert.ok(running.includes('Autonomous: New Brief'));
  assert.deepEqual(
    offered.filter((title) => running.includes(title)),
    [],
    'nothing that would run is offered',
  );
  await window.boardSays(/Restricted Mode/);
  await window.boardSays(/First note/);
  await window.brief('Write a few notes.');
  await window.notifications.saying(/Autonomous shows its state and runs nothing/);
  assert.deepEqual(stateFiles(project), before);
}
