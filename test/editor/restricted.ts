import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { inWindow, type World } from './world.ts';

export async function restrictedModeRunsNothing(world: World): Promise<void> {
  await inWindow(world, 'r', { workspaceTrust: true }, async ({ window, project }) => {
    await window.page.getByText('Restricted Mode is intended').waitFor();
    await window.command('Autonomous: Show Log');
    assert.ok(!(await window.offers('Autonomous: New Brief')), 'nothing that would run is offered');
    assert.ok(!existsSync(join(project, '.autonomous')));
  });
}
