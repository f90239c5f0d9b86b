/** What a newcomer without a folder does: the demo's sample opens in Restricted Mode, and begins when it is trusted. */
import { inWindow, type World } from './world.ts';

export async function emptyWindowLeadsToTheDemo(world: World): Promise<void> {
  await inWindow(world, 'e', { empty: true, workspaceTrust: true }, async ({ window, pictures }) => {
    const { page, notifications } = window;
    await window.command('Autonomous: Try the Demo');
    await page.locator('.monaco-dialog-box .monaco-button').filter({ hasText: 'Create and Open' }).click();
    await pictures.take('untrusted', await notifications.saying('Trust this folder to begin the demo'));
    await notifications.press('Trust this folder to begin the demo', 'Manage Trust');
    const side = await window.frameWith('.banner');
    await side.getByRole('button', { name: 'Manage Trust', exact: true }).first().waitFor();
    await pictures.take('restricted');
    await page
      .locator('.workspace-trust-editor .monaco-button')
      .filter({ hasText: /^Trust$/ })
      .first()
      .click();
    await notifications.saying('Carry out this plan');
    await pictures.take('trusted');
    await window.tab('Autonomous Board').waitFor();
    await window.tab('Welcome').click();
    await page.locator('.getting-started-step [data-done-step-id$="#demo"].complete').first().waitFor();
  });
}
