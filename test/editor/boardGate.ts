/** A result that is approved on the board: the editor asks how, and nothing is merged before that is said. */
import assert from 'node:assert/strict';
import { jobAtItsGate } from './gateJob.ts';
import type { Terminal } from './terminal.ts';
import { inWindow, type World } from './world.ts';

const AS_THE_BRIEF_SAYS = 'Leave it on a branch of its own';

export async function boardAsksHowToMerge(world: World): Promise<void> {
  const prepare = (terminal: Terminal, folder: string) => jobAtItsGate(terminal, folder, 'branch');
  await inWindow(world, 'g', { prepare }, async ({ window, terminal }) => {
    const { input, page } = window;
    const before = await terminal.git('rev-parse', 'main');
    await window.command('Autonomous: Open Board');
    const board = await window.frameWith('.tab-panel .approval');
    const approve = board.locator('.approval').getByText('Approve', { exact: true }).first();
    await approve.click();
    await input.row('Merge').waitFor();
    const [first] = await input.box.locator('.monaco-list-row').allTextContents();
    assert.equal(first, AS_THE_BRIEF_SAYS);
    await page.keyboard.press('Escape');
    await input.box.waitFor({ state: 'hidden' });
    const { approvals } = (await terminal.ask('approvals')) as { approvals: { status: string }[] };
    assert.deepEqual(
      approvals.map(({ status }) => status),
      ['pending'],
      'what was dismissed is no answer',
    );
    await approve.click();
    await input.pick(AS_THE_BRIEF_SAYS);
    await input.tick('package.json');
    await terminal.until('jobs', ({ jobs }) => (jobs as { status: string }[])[0]?.status === 'completed');
    assert.equal(await terminal.git('rev-parse', 'main'), before);
  });
}
