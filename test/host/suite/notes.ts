/** What the demo's agent noted at a line of its clone stands at that line of the merged file. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type CodeLens, ConfigurationTarget, commands, type Hover, Position, Uri, workspace } from 'vscode';
import { projectDir } from './extension.ts';
import { test } from './registry.ts';

const NOTED = 'what was read so far becomes the left side';
const NOTE = 'Sums and products group from the left';
const TITLE = 'Note for feature Parser';

async function notedLine(): Promise<{ readonly uri: Uri; readonly at: Position }> {
  const document = await workspace.openTextDocument(Uri.file(join(projectDir(), 'src', 'parser.js')));
  const at = document.positionAt(document.getText().indexOf(NOTED));
  assert.ok(at.line > 0);
  return { uri: document.uri, at };
}

async function lenses(uri: Uri): Promise<(string | undefined)[]> {
  const found = await commands.executeCommand<CodeLens[]>('vscode.executeCodeLensProvider', uri);
  return found.map(({ command }) => command?.title);
}

async function noteIsShown(): Promise<void> {
  const { uri, at } = await notedLine();
  const hovers = await commands.executeCommand<Hover[]>('vscode.executeHoverProvider', uri, at);
  const texts = hovers.flatMap(({ contents }) => contents.map((one) => (typeof one === 'string' ? one : one.value)));
  assert.ok(texts.some((text) => text.includes(TITLE) && text.includes(NOTE)));
  const other = await commands.executeCommand<Hover[]>('vscode.executeHoverProvider', uri, new Position(0, 0));
  assert.ok(!JSON.stringify(other).includes(NOTE));
}

async function lensIsShown(): Promise<void> {
  const { uri } = await notedLine();
  assert.deepEqual(await lenses(uri), []);
  const settings = workspace.getConfiguration('autonomous');
  await settings.update('notes.codeLens', true, ConfigurationTarget.Global);
  try {
    assert.deepEqual(await lenses(uri), [`$(note) ${TITLE}`]);
  } finally {
    await settings.update('notes.codeLens', undefined, ConfigurationTarget.Global);
  }
}

test("an agent's note is shown where the mouse rests on its line, as text", noteIsShown);
test('a noted line has a lens for who asks for it', lensIsShown);
