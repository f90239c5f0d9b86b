import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/setup.mjs';
import { inWindow, type World } from './world.ts';

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

export async function restrictedModeRunsNothing(world: World): Promise<void> {
  await inWindow(world, 'r', { workspaceTrust: true }, async ({ window, project }) => {
    await window.page.getByText('Restricted Mode is intended').waitFor();
    const offered = await window.offered('Autonomous', 'Autonomous: Show Log');
    const running = runsSomething();
    assert.ok(running.includes('Autonomous: New Brief'));
    assert.deepEqual(
      offered.filter((title) => running.includes(title)),
      [],
      'nothing that would run is offered',
    );
    await window.command('Autonomous: Show Log');
    assert.ok(!existsSync(join(project, '.autonomous')));
  });
}
