/**
 * Three projects side by side: one tells another what it found, one's thread is ended on purpose, one is suspended, the window
 * is reloaded, and one is completed and archived. As a person sees it, by what a person presses.
 */
import assert from 'node:assert/strict';
import { cpSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Frame, Locator } from 'playwright-core';
import { demoProjects } from '../../src/adapters/simulated/scenarios/projects.ts';
import { dress, PICTURE_SIZE } from './shoot.ts';
import type { Terminal } from './terminal.ts';
import { shows } from './window.ts';
import { inWindow, type Place, type World } from './world.ts';

const [FINDER, HEARER, CRASHER] = ['api-migration', 'frontend-redesign', 'docs'] as const;
const FINDING = 'POST /orders answers 202';
/** While this file is there, the next thread of a project ends as it begins to work. */
const CRASH = 'crash';

/** The extension, whose thread of one project ends once when it is told to: a real thread, ended for real. */
function fragile(world: World, folder: string): World {
  const extensionsDir = join(folder, 'fragile');
  cpSync(world.extensionsDir, extensionsDir, { recursive: true });
  const works = globSync(join(extensionsDir, '*', 'dist', 'workerBody-*.js'));
  assert.equal(works.length, 1, 'the extension has one work of a thread');
  const told = JSON.stringify(join(folder, CRASH));
  const ending = [
    "import { existsSync as isTold, rmSync as forget } from 'node:fs';",
    "import { workerData as given } from 'node:worker_threads';",
    `if (given?.start?.projectId === '${CRASHER}' && isTold(${told})) { forget(${told}); process.exit(9); }`,
  ];
  const [work = ''] = works;
  writeFileSync(work, [...ending, readFileSync(work, 'utf8')].join('\n'));
  return { ...world, extensionsDir };
}

/** In a terminal, which ends when the main agent has answered: what that began goes on in the window. */
async function setUp(terminal: Terminal): Promise<void> {
  const simulated = ['--provider', 'simulated', '--scenario', 'projects'];
  const { code, printed } = await terminal.autonomous('chat', ...simulated, '--message', 'Set up the three projects.');
  assert.equal(code, 0, printed);
}

/** Of one wait: nothing here takes long. */
const PATIENCE_MS = 60_000;

/** Without what was told meanwhile in front of it. */
async function picture({ window, pictures }: Place, name: string): Promise<void> {
  await window.command('Notifications: Clear All Notifications');
  await pictures.take(name);
}

async function openTalk({ window }: Place): Promise<Frame> {
  window.page.setDefaultTimeout(PATIENCE_MS);
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
  for (const { name } of demoProjects) await board.locator('.talker').filter({ hasText: name }).waitFor();
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
  const title = window.page.locator('.part.sidebar .composite.title').filter({ hasText: 'Autonomous' });
  const icon = window.page.locator('.part.activitybar [aria-label^="Autonomous"]').first();
  // It closes what is open, and a window that begins opens what was open before, at a time of its own.
  while (!(await shows(title))) await icon.click();
  return window.frameWith('.sidebar .project');
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
  await place.window.page.reload();
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
  assert.match(readFileSync(file, 'utf8'), /^status: archived$/m);
}

export async function projectsWorkSideBySide(world: World): Promise<void> {
  const folder = join(world.folder, 'pr');
  const prepare = async (terminal: Terminal): Promise<void> => {
    await dress(folder, 'Dark Modern');
    await setUp(terminal);
  };
  await inWindow(fragile(world, folder), 'pr', { prepare, size: PICTURE_SIZE }, async (place) => {
    await findingIsCarried(place);
    await crashIsTold(place);
    await reloadChangesNothing(place);
    await endsInTheArchive(place);
  });
}
