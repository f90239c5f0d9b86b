/**
 * Three projects side by side: one tells another what it found, one's thread is ended on purpose, one is suspended, the window
 * is reloaded, and one is completed and archived. As a person sees it, by what a person presses.
 */
import assert from 'node:assert/strict';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Frame, Locator } from 'playwright-core';
import { loadScenario } from '../../src/app/assets/scenarios.ts';
import type { Step } from './journey.ts';
import { until } from './patience.ts';
import { DARK, PICTURE_SIZE } from './pictures.ts';
import { copyExtensions, startVsCode } from './vsCode.ts';
import { inWindow, type Place, type Workplace, type World } from './world.ts';

const [FINDER, HEARER, CRASHER] = ['api-migration', 'frontend-redesign', 'docs'] as const;
const FINDING = 'POST /orders answers 202';
/** While this file is there, the next thread of a project ends as it begins to work. */
const CRASH = 'crash';

/** A copy of the extensions, in which a thread of one project ends once when it is told to: a real thread, ended for real. */
function fragileExtensions({ folder, extensionsDir }: World): string {
  const copy = copyExtensions(extensionsDir, join(folder, 'fragile'));
  const works = globSync(join(copy, '*', 'dist', 'worker-*.js'));
  assert.equal(works.length, 1, 'the extension has one work of a thread');
  const told = JSON.stringify(join(folder, CRASH));
  const ending = [
    "import { existsSync as isTold, rmSync as forget } from 'node:fs';",
    "import { workerData as given } from 'node:worker_threads';",
    `if (given?.start?.projectId === '${CRASHER}' && isTold(${told})) { forget(${told}); process.exit(9); }`,
  ];
  const [work = ''] = works;
  writeFileSync(work, [...ending, readFileSync(work, 'utf8')].join('\n'));
  return copy;
}

/** In a terminal, which ends when the main agent has answered: what that began goes on in the window. */
async function setUp({ terminal }: Workplace): Promise<void> {
  const simulated = ['--provider', 'simulated', '--scenario', 'projects'];
  const { code, printed } = await terminal.autonomous('chat', ...simulated, '--message', 'Set up the three projects.');
  assert.equal(code, 0, printed);
}

/** In a VS Code of its own. */
export async function inFragileWindow(world: World, use: (place: Place) => Promise<void>): Promise<void> {
  const extensionsDir = fragileExtensions(world);
  const vsCode = await startVsCode(world.editor, join(world.folder, 'code'), { extensionsDir });
  try {
    await inWindow(world, { vsCode, prepare: setUp, size: PICTURE_SIZE, user: DARK }, use);
  } finally {
    await vsCode.stop();
  }
}

/** Without what was told meanwhile in front of it. */
async function picture({ window, pictures }: Place, name: string): Promise<void> {
  await window.command('Notifications: Clear All Notifications');
  await pictures.take(name);
}

async function openTalk({ window }: Place): Promise<Frame> {
  await window.command('Autonomous: Open Board');
  const board = await window.frameWith('#tab-conversations');
  await board.locator('#tab-conversations').click();
  await board.locator('.talkers').waitFor();
  return board;
}

const said = (board: Frame, words: string): Locator => board.locator('.said').filter({ hasText: words }).first();

async function talkTo(board: Frame, project: string): Promise<void> {
  await board.locator('.talker').filter({ hasText: project }).click();
  await board.getByRole('heading', { name: project, exact: true }).waitFor();
}

async function say(board: Frame, project: string, text: string): Promise<void> {
  await talkTo(board, project);
  await board.getByRole('textbox', { name: `Message to ${project}`, exact: true }).fill(text);
  await board.getByRole('button', { name: 'Send', exact: true }).click();
}

async function findingIsCarried(place: Place): Promise<void> {
  const board = await openTalk(place);
  for (const name of Object.keys((await loadScenario('projects')).projects))
    await board.locator('.talker').filter({ hasText: name }).waitFor();
  await talkTo(board, FINDER);
  await said(board, FINDING).waitFor();
  await talkTo(board, HEARER);
  await said(board, FINDING).getByText('passed on').waitFor();
  await said(board, 'filed a brief').waitFor();
  await picture(place, 'conversations');
}

/** Told where the project talks; then it answers all the same. */
async function crashIsTold(place: Place): Promise<void> {
  const board = await openTalk(place);
  writeFileSync(join(place.folder, CRASH), '');
  await suspend(place, CRASHER);
  await resume(place, CRASHER);
  await say(board, CRASHER, 'Write the guide to orders once more.');
  await said(board, 'ended with 9').waitFor();
  await board
    .locator('.said.you')
    .filter({ hasText: 'once more' })
    .getByText('not read yet')
    .waitFor({ state: 'hidden' });
  await picture(place, 'crashed');
}

async function sidebar({ window }: Place): Promise<Frame> {
  await window.door.command('workbench.view.extension.autonomous');
  const side = await window.frameWith('.sidebar .section');
  const collapsed = side.locator('.section:not([open]) > summary', { hasText: 'Projects' });
  if ((await collapsed.count()) > 0) await collapsed.click();
  return side;
}

const row = (side: Frame, project: string): Locator => side.locator('.project').filter({ hasText: project });

async function press(place: Place, act: string, project: string): Promise<Locator> {
  const side = await sidebar(place);
  await side.getByRole('button', { name: `${act} ${project}`, exact: true }).click();
  return row(side, project);
}

async function suspend(place: Place, project: string): Promise<void> {
  await (await press(place, 'Suspend', project)).getByText('Suspended').waitFor();
}

async function resume(place: Place, project: string): Promise<void> {
  await (await press(place, 'Resume', project)).getByText('Suspended').waitFor({ state: 'hidden' });
}

/** After it the suspended one is suspended, the others are at work, and what was said is there. */
async function reloadChangesNothing(place: Place): Promise<void> {
  await suspend(place, CRASHER);
  await place.window.reload();
  const side = await sidebar(place);
  await row(side, CRASHER).getByText('Suspended').waitFor();
  for (const project of [FINDER, HEARER]) await row(side, project).waitFor();
  const board = await openTalk(place);
  await talkTo(board, FINDER);
  await said(board, FINDING).waitFor();
  await picture(place, 'projects');
}

async function endsInTheArchive(place: Place): Promise<void> {
  await press(place, 'Complete', `${FINDER}…`);
  await place.window.input.answer(`Complete ${FINDER}`, 'Everybody knows of it.');
  const side = await sidebar(place);
  await row(side, FINDER).getByText('Completed').waitFor();
  await press(place, 'Archive', `${FINDER}…`);
  await side.getByText('1 archived').click();
  await row(side, FINDER).getByText('Archived').waitFor();
  await picture(place, 'archived');
  const file = join(place.project, '.autonomous', 'projects', FINDER, 'PROJECT.md');
  await until('PROJECT.md to say so', () => /^status: archived$/m.test(readFileSync(file, 'utf8')));
}

export const projectSteps: readonly Step<Place>[] = [
  { name: 'projects work side by side, and one tells another what it found', body: findingIsCarried },
  { name: 'a crash of one project is told where it talks, and it answers all the same', body: crashIsTold },
  { name: 'a reload changes nothing of the projects', body: reloadChangesNothing },
  { name: 'a project ends in the archive', body: endsInTheArchive },
];
