import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inWindow, type World } from './world.ts';

const SECRET = 'sk-ant-not-a-key-5d1f';

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
}

export async function keyIsKept(world: World): Promise<void> {
  await inWindow(world, 'k', {}, async ({ window, folder }) => {
    await window.command('Autonomous: Set API Key');
    const input = window.page.locator('.quick-input-widget input[type=password]');
    await input.fill(SECRET);
    await input.press('Enter');
    await input.waitFor({ state: 'hidden' });
    // The browser keeps secrets here; a desktop's keyring has its own tests.
    for (const file of filesBelow(folder)) assert.ok(!readFileSync(file, 'latin1').includes(SECRET), file);
  });
}
