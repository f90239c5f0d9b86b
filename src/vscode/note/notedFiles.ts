/** Which of the files in sight have notes: their title then shows the button that lists them, one click away. */
import * as vscode from 'vscode';
import type { Clock } from '../../shared/clock.ts';
import type { State } from '../../shared/workspace/state.ts';
import { withErrorMessage } from '../window/command.ts';
import type { HostContext } from '../window/context.ts';
import { throttle } from '../window/throttle.ts';
import type { FeaturesByFile } from './featuresByFile.ts';
import { fileOf } from './noteThreads.ts';

/** Paths as `resourcePath` has them, for `resourcePath in …` of menus. */
const NOTED_FILES = 'autonomous.notedFiles';

const BETWEEN_MS = 250;

export function markNotedFiles(context: HostContext, clock: Clock, touched: FeaturesByFile): vscode.Disposable {
  let shown = '[]';
  const look = async (): Promise<void> => {
    const documents = vscode.window.visibleTextEditors.map(({ document }) => document);
    const noted: string[] = [];
    for (const document of documents) {
      const file = fileOf(context, document);
      if (file !== null && (await hasNotes(context.engine.state, file, touched))) noted.push(document.uri.fsPath);
    }
    const paths = [...new Set(noted)].sort();
    if (JSON.stringify(paths) === shown) return;
    shown = JSON.stringify(paths);
    await vscode.commands.executeCommand('setContext', NOTED_FILES, paths);
  };
  const later = throttle(clock, BETWEEN_MS, () => withErrorMessage(context, look));
  later.ask();
  return vscode.Disposable.from(
    later,
    vscode.window.onDidChangeVisibleTextEditors(() => later.ask()),
    context.engine.onDidChange(() => later.ask()),
  );
}

/** At its lines, or of the features that changed it and their categories. Notes for everything would mark every file. */
async function hasNotes({ notes }: State, file: string, touched: FeaturesByFile): Promise<boolean> {
  const features = new Set<number>();
  const categories = new Set<string>();
  for (const note of notes.values()) {
    if (note.superseded_by !== null) continue;
    if (note.file === file) return true;
    if (note.feature_id !== null) features.add(note.feature_id);
    else if (note.category !== null) categories.add(note.category);
  }
  if (features.size + categories.size === 0) return false;
  return (await touched(file, ({ id, category }) => features.has(id) || categories.has(category))).length > 0;
}
