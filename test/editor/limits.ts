import assert from 'node:assert/strict';
import type { Terminal } from './terminal.ts';
import { inWindow, type World } from './world.ts';

/** Exit code of the terminal program when the steward is waited for. */
const WAITS = 3;

/** Less than its first call may cost. */
async function jobOfSmallBudget(terminal: Terminal): Promise<void> {
  const options = ['--provider', 'simulated', '--budget', '0.03', '--gates', 'plan'];
  const { code, printed } = await terminal.autonomous('run', 'Write a few notes.', ...options);
  assert.equal(code, WAITS, printed);
}

export async function limitIsRaisedOnce(world: World): Promise<void> {
  await inWindow(world, 'l', { prepare: jobOfSmallBudget }, async ({ window, terminal, pictures }) => {
    const asking = await window.notifications.saying('The job limit is reached. Raise it to $');
    await pictures.take('limit');
    await asking.locator('.monaco-button').filter({ hasText: 'Raise Limit' }).click();
    // Its planner's calls all have their money now: the next question is the plan's.
    await terminal.until('approvals', ({ approvals }) => {
      const rows = approvals as { kind: string; status: string }[];
      return rows.some(({ kind }) => kind === 'plan');
    });
  });
}
