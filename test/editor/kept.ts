/** What is kept, by the commands of the palette: an attempt as a branch or a patch again, clones that go, a record that leaves. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { shortScenario } from './finished.ts';
import { PROGRAM } from './stewardJob.ts';
import { WAITS } from './terminal.ts';
import { newProject, type Place, type Workplace } from './world.ts';

const BRANCH = 'autonomous/attempt-1';

/** Of a workspace whose only job was merged. */
export async function workIsTakenAlong(place: Place): Promise<void> {
  const main = await place.terminal.git('rev-parse', 'main');
  await branchIsRestored(place);
  await patchIsRestored(place);
  await cloneGoes(place);
  // What it left is there without the clone too.
  await place.terminal.git('branch', '--delete', '--force', BRANCH);
  await branchIsRestored(place);
  await recordLeaves(place);
  await nothingIsImportedInto(place);
  assert.equal(await place.terminal.git('rev-parse', 'main'), main);
}

async function restores({ window }: Place, as: string): Promise<void> {
  await window.command('Autonomous: Restore Attempt…');
  await window.input.pick('Attempt 1: Succeeded');
  await window.input.pick(as);
}

async function branchIsRestored(place: Place): Promise<void> {
  const { window, terminal, pictures } = place;
  await restores(place, 'As a Branch');
  await window.input.answer('Nothing is checked out', BRANCH);
  const restored = `is the branch ${BRANCH}`;
  await pictures.take('restored', await window.notifications.saying(restored));
  assert.match(await terminal.git('show', `${BRANCH}:${PROGRAM}`), /Hello/);
  assert.equal((await terminal.git('branch', '--show-current')).trim(), 'main');
  // The way to it is the editor's own list of branches.
  await window.notifications.press(restored, 'Check Out…');
  await window.input.row(BRANCH).waitFor();
  await window.input.dismiss();
  await window.command('Notifications: Clear All Notifications');
}

async function patchIsRestored(place: Place): Promise<void> {
  const { window, folder } = place;
  await restores(place, 'As a Branch');
  await window.input.answer('Nothing is checked out', BRANCH);
  await window.notifications.saying('Choose another name.');
  const file = join(folder, 'attempt.patch');
  await restores(place, 'As a Patch File');
  await window.input.file('Restore Attempt', file);
  await window.notifications.press(file, 'Show');
  await window.tab('attempt.patch').waitFor();
  assert.match(readFileSync(file, 'utf8'), /^\+console\.log\('Hello', name\);$/m);
}

async function cloneGoes({ window, terminal, pictures }: Place): Promise<void> {
  const clones = async (): Promise<number> => {
    const { go, stay } = await terminal.ask('clean', '--all');
    return [go, stay].flat().length;
  };
  const dialog = window.page.locator('.monaco-dialog-box').filter({ hasText: 'Greetings' });
  const press = (label: string) => dialog.locator('.monaco-button').filter({ hasText: label }).click();
  await window.command('Autonomous: Clean Up Clones…');
  await dialog.waitFor();
  await pictures.take('clean-up');
  assert.match((await dialog.textContent()) ?? '', /\d kB {2}Greetings .*each attempt can be restored/s);
  await press('Cancel');
  await dialog.waitFor({ state: 'hidden' });
  assert.equal(await clones(), 1, 'what was dismissed removes nothing');
  await window.command('Autonomous: Clean Up Clones…');
  await press('Remove Clones');
  await window.notifications.saying('Clones removed: 1.');
  assert.equal(await clones(), 0);
  await window.command('Autonomous: Clean Up Clones…');
  await window.notifications.saying('There are no clones.');
}

async function recordLeaves({ window, folder }: Place): Promise<void> {
  const file = join(folder, 'record.tar.gz');
  await window.command('Autonomous: Export…');
  await window.input.file('Export Everything', file);
  await window.notifications.saying(`Exported to ${file}. Jobs: 1`);
  const taken = join(folder, 'taken.tar.gz');
  writeFileSync(taken, 'of the person');
  await window.command('Autonomous: Export…');
  await window.input.file('Export Everything', taken);
  // The editor's own question; whatever is answered there, no file is written over.
  await window.input.box.filter({ hasText: 'already exists' }).waitFor();
  await window.input.tick();
  await window.notifications.saying('Choose another name.');
  assert.equal(readFileSync(taken, 'utf8'), 'of the person');
  assert.ok(existsSync(file));
}

const RECORD = 'elsewhere.tar.gz';

/** Of another repository, whose job waits at its gate there. */
export async function recordFromElsewhere({ world, folder }: Workplace): Promise<void> {
  const elsewhere = await newProject(world, 'elsewhere');
  const { terminal } = elsewhere;
  const options = ['--provider', 'simulated', '--scenario', shortScenario(elsewhere), '--gates', 'merge'];
  const { code, printed } = await terminal.autonomous('run', 'Write notes.', ...options);
  assert.equal(code, WAITS, printed);
  await terminal.ask('export', join(folder, RECORD));
}

/** Into a workspace in which nothing was done. */
export async function recordIsImported({ window, terminal: inTerminal, folder }: Place): Promise<void> {
  const rubbish = join(folder, 'rubbish.tar.gz');
  writeFileSync(rubbish, 'no archive');
  await window.command('Autonomous: Import…');
  await window.input.file('Import an Export', rubbish);
  await window.notifications.saying('Repeat the export in the workspace that it came from.');
  const { jobs: none } = await inTerminal.ask('jobs');
  assert.deepEqual(none, []);
  await window.command('Autonomous: Import…');
  await window.input.file('Import an Export', join(folder, RECORD));
  await window.notifications.press('Imported 1 jobs', 'Open Board');
  await (await window.frameWith('.board')).getByText('Plain notes').first().waitFor();
  const { jobs } = await inTerminal.ask('jobs');
  assert.deepEqual(
    (jobs as { status: string }[]).map(({ status }) => status),
    ['cancelled'],
    'what waited there is over here',
  );
  await window.command('Notifications: Clear All Notifications');
}

/** No file is asked for where none could be taken. */
async function nothingIsImportedInto({ window }: Place): Promise<void> {
  await window.command('Autonomous: Import…');
  await window.notifications.saying('a workspace in which nothing was done yet');
}
