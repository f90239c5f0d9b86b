import assert from 'node:assert/strict';
import { filesWith } from '../host/support/files.ts';
import { inWindow, type World } from './world.ts';

const SECRET = 'sk-ant-not-a-key-5d1f';

export async function keyIsKept(world: World): Promise<void> {
  await inWindow(world, 'k', {}, async ({ window, folder }) => {
    await window.command('Autonomous: Set API Key');
    const input = window.page.locator('.quick-input-widget input[type=password]');
    await input.fill(SECRET);
    await input.press('Enter');
    // Said when the editor has taken it; that it reaches the model, the tests in the extension host show.
    await window.notifications.saying('The API key is stored.');
    assert.deepEqual(filesWith(folder, SECRET), []);
  });
}
