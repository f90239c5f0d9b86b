/** Notes beside the code, as a person meets them. */
import assert from 'node:assert/strict';
import type { NoteRow } from '../../src/shared/note.ts';
import { Code } from './code.ts';
import { Comments } from './comments.ts';
import { AGENTS_NOTE, GUIDE } from './stewardJob.ts';
import type { Terminal } from './terminal.ts';
import type { Place } from './world.ts';

const SHOW_NOTES = 'Show Notes for This File';

/** Of the job of stewardJob.ts, and of the file that it is about. */
export async function notesAreKept(place: Place): Promise<void> {
  await areWritten(place);
  await agentsAreShown(place);
  await moveWithTheCode(place);
  await place.window.tidy();
  // The result of the job changes this file too.
  await place.terminal.git('checkout', '--', GUIDE);
}

/** The agent noted line 4 of its clone; here that line is the third. */
async function agentsAreShown({ window, terminal, pictures }: Place): Promise<void> {
  const { page } = window;
  const comments = new Comments(page);
  const code = new Code(window);
  await code.open(GUIDE);
  const thread = await comments.open(code.line('Good day'), 'Keep line 3');
  await comments.titled(thread, 'Note for feature Say hello');
  await comments.until(thread, AGENTS_NOTE);
  assert.equal(await thread.locator('.comment-body a').count(), 0, 'what an agent wrote is no link');
  await pictures.take('notes');
  const hover = await code.hover('Good day');
  await hover.filter({ hasText: AGENTS_NOTE }).waitFor();
  assert.equal(await hover.locator('.hover-contents a').count(), 0, 'nor in the hover');
  // About no line, but its feature changed this file.
  await terminal.ask('note', '1', 'Greet everybody.');
  await window.titleAction(SHOW_NOTES).click();
  await window.input.box.filter({ hasText: `Notes for ${GUIDE}` }).waitFor();
  await window.input.row('Keep line 3').waitFor();
  await window.input.row('Greet everybody.').waitFor();
  await window.input.dismiss();
  // No feature changed it.
  await code.open('README.md');
  await window.titleAction(SHOW_NOTES).waitFor({ state: 'hidden' });
}

async function areWritten({ window, terminal }: Place): Promise<void> {
  const comments = new Comments(window.page);
  const code = new Code(window);
  await code.open(GUIDE);
  await comments.write(await comments.begin(code.line('Sleep well')), 'Say it softly.', 'Add Note');
  await window.input.pick('Everything');
  const thread = comments.thread('Note for everything');
  await comments.until(thread, 'Say it softly.');
  await comments.write(thread, 'And once.', 'Add Note');
  await comments.until(thread, 'Say it softly.', 'And once.');
  await comments.edit(thread, 'And once.', 'Only once.', 'Save Note');
  await comments.until(thread, 'Say it softly.', 'Only once.');
  await comments.edit(thread, 'Say it softly.', 'Shout it.', 'Cancel');
  await comments.until(thread, 'Say it softly.', 'Only once.');
  assert.deepEqual(await inTerminal(terminal), [
    ['Say it softly.', 4, null],
    ['Only once.', 4, null],
  ]);
  await thread.getByRole('button', { name: 'Change Scope' }).click();
  await window.input.pick('gestures');
  await comments.until(comments.thread('Note for category gestures'), 'Say it softly.', 'Only once.');
  assert.deepEqual(await inTerminal(terminal), [
    ['Say it softly.', 4, 'gestures'],
    ['Only once.', 4, 'gestures'],
  ]);
  await comments.thread('Note for category gestures').getByRole('button', { name: 'Resolve Note' }).click();
  await comments.thread('Note for category').waitFor({ state: 'detached' });
  assert.deepEqual(await inTerminal(terminal), []);
}

async function moveWithTheCode({ window, terminal }: Place): Promise<void> {
  const { page } = window;
  const comments = new Comments(page);
  const code = new Code(window);
  await terminal.ask('note', '--global', 'Say it softly.', '--file', GUIDE, '--line', '4');
  await code.open(GUIDE);
  await comments.sign(code.line('Sleep well'));
  await code.goTo('Good day');
  await page.keyboard.type('A new line.\n');
  await comments.sign(code.line('Sleep well'));
  await code.save(GUIDE);
  await window.reload();
  await code.openAgain(GUIDE);
  await code.marginAgain(GUIDE, 'package.json');
  const thread = await comments.open(code.line('Sleep well'), 'Say it softly.');
  await comments.titled(thread, 'Note for everything');
  await code.goTo('Sleep well');
  await page.keyboard.press('ControlOrMeta+Shift+K');
  await comments.thread('Note for everything (outdated)').waitFor();
  await page.keyboard.press('ControlOrMeta+Z');
  await comments.thread('Note for everything (outdated)').waitFor({ state: 'detached' });
}

/** Content, line and category of the notes by hand that hold, as another process reads them. */
async function inTerminal(terminal: Terminal): Promise<unknown[]> {
  const { notes } = await terminal.ask('notes', '1', 'gestures');
  return (notes as NoteRow[])
    .filter((note) => note.created_by_session === null)
    .map(({ content, line, category }) => [content, line, category]);
}
