/** Limits and plans, answered on the board: a press on the page is an answer only when the editor's own dialog has it too. */
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Terminal, WAITS } from './terminal.ts';
import type { Place, Workplace } from './world.ts';

const LIMIT = 'The job limit is reached. Raise it to $';

/** Its budget is less than its first call may cost; its repository has a lock file, which says how packages are installed. */
export async function jobOfSmallBudget({ terminal, project }: Workplace): Promise<void> {
  const { name, version } = JSON.parse(await readFile(join(project, 'package.json'), 'utf8'));
  const lock = { name, version, lockfileVersion: 3, requires: true, packages: { '': { name, version } } };
  await writeFile(join(project, 'package-lock.json'), JSON.stringify(lock));
  await terminal.git('add', 'package-lock.json');
  const author = ['-c', 'user.name=You', '-c', 'user.email=you@localhost'];
  await terminal.git(...author, 'commit', '--quiet', '--message', 'Lock the packages');
  const options = ['--provider', 'simulated', '--budget', '0.03', '--gates', 'plan'];
  const { code, printed } = await terminal.autonomous('run', 'Write a few notes.', ...options);
  assert.equal(code, WAITS, printed);
}

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

export async function limitIsRaisedOnce(place: Place): Promise<void> {
  const { window, terminal, pictures } = place;
  await window.notifications.saying(LIMIT);
  await pictures.take('limit');
  await boardAnswers(place, 'Raise Limit', 'Cancel');
  assert.ok(await waitsFor(terminal, 'limit'), 'nothing is raised by a page alone');
  await window.notifications.press(LIMIT, 'Raise Limit');
  // Its planner's calls all have their money now: the next question is the plan's.
  await window.notifications.saying('Carry out this plan');
  await window.frameWith('.plan-page .plan-acts');
  await boardAnswers(place, 'Approve', 'Cancel');
  assert.ok(await waitsFor(terminal, 'plan'), 'nor approved');
  await boardAnswers(place, 'Approve', 'Approve');
  await terminal.until('board', ({ features }) => (features as unknown[]).length > 0);
}
