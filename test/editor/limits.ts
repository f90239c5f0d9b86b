import assert from 'node:assert/strict';
import type { Terminal } from './terminal.ts';
import { inWindow, type Place, type World } from './world.ts';

/** Exit code of the terminal program when the steward is waited for. */
const WAITS = 3;

/** Less than its first call may cost. */
async function jobOfSmallBudget(terminal: Terminal): Promise<void> {
  const options = ['--provider', 'simulated', '--budget', '0.03', '--gates', 'plan'];
  const { code, printed } = await terminal.autonomous('run', 'Write a few notes.', ...options);
  assert.equal(code, WAITS, printed);
}

/** A press on the page is an answer only when the editor's own dialog has it too. */
async function boardAnswers({ window }: Place, button: string, answer: string): Promise<void> {
  await window.command('Autonomous: Open Board');
  const board = await window.frameWith('.tab-panel .approval');
  await board.locator('.approval').getByText(button, { exact: true }).first().click();
  await window.answerDialog(answer);
}

async function waitsFor(terminal: Terminal, kind: string): Promise<boolean> {
  const { approvals } = (await terminal.ask('approvals')) as { approvals: { kind: string; status: string }[] };
  return approvals.some((row) => row.kind === kind && row.status === 'pending');
}

export async function limitIsRaisedOnce(world: World): Promise<void> {
  await inWindow(world, 'l', { prepare: jobOfSmallBudget }, async (place) => {
    const { window, terminal, pictures } = place;
    const asking = await window.notifications.saying('The job limit is reached. Raise it to $');
    await pictures.take('limit');
    await boardAnswers(place, 'Raise Limit', 'Cancel');
    assert.ok(await waitsFor(terminal, 'limit'), 'nothing is raised by a page alone');
    await asking.locator('.monaco-button').filter({ hasText: 'Raise Limit' }).click();
    // Its planner's calls all have their money now: the next question is the plan's.
    await window.notifications.saying('Carry out this plan');
    await window.tab('plan.yaml').waitFor();
    await boardAnswers(place, 'Approve', 'Cancel');
    assert.ok(await waitsFor(terminal, 'plan'), 'nor approved');
    await boardAnswers(place, 'Approve', 'Approve');
    await terminal.until('board', ({ features }) => (features as unknown[]).length > 0);
  });
}
