/** A brief is written in a document of its own, as long as it needs to be, and started from its first line. */
import * as vscode from 'vscode';
import { failure } from '../../shared/errors.ts';
import { DEFAULT_PROJECT } from '../../shared/projects.ts';
import type { HostContext } from '../context.ts';
import { oneByKey } from '../oneByKey.ts';
import { briefProjects, currentProject } from '../project/currentProject.ts';
import { namedProject } from '../project/pickProject.ts';
import { given, registerCommand } from '../stewardship/command.ts';
import { type BriefOptions, optionsLine } from './briefOptions.ts';
import { type KeptOptions, keptOptions } from './keptOptions.ts';
import { exampleBrief, showPlaceholders } from './placeholder.ts';

/** Paths of the briefs that are being written, for `resourcePath in …` of menus. */
const BRIEFS = 'autonomous.briefs';

/**
 * `autonomous.newBrief` takes a file's resource, `{text}`, `{project}`, or nothing: then what is selected is the beginning. Unsent briefs
 * that the editor restores with its window are known again by their name.
 */
export function registerBrief(context: HostContext): vscode.Disposable {
  const options = keptOptions(context.extension.workspaceState);
  const filing = oneByKey();
  const lenses = new vscode.EventEmitter<void>();
  const known = (): vscode.Uri[] => vscode.workspace.textDocuments.map(({ uri }) => uri).filter(isBrief);
  const mark = (): void => {
    const paths = known().map((uri) => uri.path);
    void vscode.commands.executeCommand('setContext', BRIEFS, paths);
  };
  const projects = (): readonly string[] => briefProjects(context.engine.state);
  const current = (): string => currentProject(context.extension.workspaceState, context.engine.state);
  const open = (text: string, project = current()): Promise<void> => openBrief(text, known(), options, project);
  mark();
  return vscode.Disposable.from(
    lenses,
    showPlaceholders(isBrief),
    vscode.workspace.onDidOpenTextDocument(mark),
    vscode.workspace.onDidCloseTextDocument(mark),
    vscode.languages.registerCodeLensProvider(
      { scheme: 'untitled', pattern: '**/*.brief.md' },
      {
        onDidChangeCodeLenses: lenses.event,
        provideCodeLenses: (document) => {
          const { path } = document.uri;
          const chosen = optionsLine(options.of(path), projects(), context.agents);
          return lensesFor(document, chosen, filing.has(path));
        },
      },
    ),
    registerCommand(context, 'autonomous.newBrief', async (target) => {
      const project = target instanceof vscode.Uri ? undefined : namedProject(target);
      await open(await beginning(target), project);
    }),
    registerCommand(context, 'autonomous.newBriefFromFile', async (file) => open(await beginning(file))),
    registerCommand(context, 'autonomous.newBriefFromSelection', async () => open(selected())),
    registerCommand(context, 'autonomous.runBacklog', async () => {
      const { runBacklog } = await import('./runBacklog.ts');
      await runBacklog(context);
    }),
    registerCommand(context, 'autonomous.startBrief', async (target) => {
      const document = briefAt(target);
      if (document === null) return;
      const { path } = document.uri;
      const filed = filing.run(path, () => start(context, document, options.of(path)));
      lenses.fire();
      await filed.finally(() => lenses.fire());
    }),
    registerCommand(context, 'autonomous.insertExampleBrief', async (target) => {
      const document = briefAt(target);
      if (document !== null) await insertExample(document);
    }),
    registerCommand(context, 'autonomous.briefOptions', async (target) => {
      const document = briefAt(target);
      if (document === null) return;
      const { path } = document.uri;
      const { askOptions } = await import('./askOptions.ts');
      await askOptions(options.of(path), projects(), context.agents, async (chosen) => {
        await options.keep(path, chosen);
        lenses.fire();
      });
    }),
  );
}

export function isBrief(uri: vscode.Uri): boolean {
  return uri.scheme === 'untitled' && uri.path.endsWith('.brief.md');
}

function lensesFor(document: vscode.TextDocument, chosen: string, isFiled: boolean): vscode.CodeLens[] {
  const { uri } = document;
  const top = new vscode.Range(0, 0, 0, 0);
  if (isFiled) return [new vscode.CodeLens(top, { title: vscode.l10n.t('$(loading~spin) Filing…'), command: '' })];
  return [
    new vscode.CodeLens(top, {
      title: vscode.l10n.t('$(play) Start'),
      tooltip: vscode.l10n.t('Make a plan from this brief and carry it out'),
      command: 'autonomous.startBrief',
      arguments: [uri],
    }),
    new vscode.CodeLens(top, {
      title: `$(settings) ${chosen}`,
      tooltip: vscode.l10n.t('Change the options of this brief'),
      command: 'autonomous.briefOptions',
      arguments: [uri],
    }),
    ...(document.getText() === ''
      ? [
          new vscode.CodeLens(top, {
            title: vscode.l10n.t('$(lightbulb) Insert Example'),
            tooltip: vscode.l10n.t('Insert an example to edit. It cannot be started unchanged.'),
            command: 'autonomous.insertExampleBrief',
            arguments: [uri],
          }),
        ]
      : []),
  ];
}

/** What the new brief begins with. */
async function beginning(target: unknown): Promise<string> {
  const text = given(target, 'text');
  if (typeof text === 'string') return text;
  if (target instanceof vscode.Uri && !isBrief(target) && target.scheme === 'file') {
    return (await vscode.workspace.openTextDocument(target)).getText();
  }
  return selected();
}

function selected(): string {
  const editor = vscode.window.activeTextEditor;
  return editor === undefined ? '' : editor.document.getText(editor.selection);
}

/** It stays in the project that it was begun in, unless its writer says otherwise. */
async function openBrief(
  text: string,
  open: readonly vscode.Uri[],
  options: KeptOptions,
  project: string,
): Promise<void> {
  const taken = new Set(open.map((uri) => uri.path));
  let number = 1;
  // With a slash in front: without it the editor finds no backup of it after a reload.
  while (taken.has(`/${number}.brief.md`)) number++;
  const uri = vscode.Uri.from({ scheme: 'untitled', path: `/${number}.brief.md` });
  const document = await vscode.workspace.openTextDocument(uri);
  // These are of an earlier brief with this name. A closed document is no sign that its brief is gone: a reload may close it too.
  if (document.getText() === '') await options.drop(uri.path);
  if (project !== DEFAULT_PROJECT) await options.keep(uri.path, { ...options.of(uri.path), project });
  const editor = await vscode.window.showTextDocument(document, { preview: false });
  if (text !== '') await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), text));
}

/** The document that is meant: the given one, or the one in front. */
function briefAt(target: unknown): vscode.TextDocument | null {
  const uri = target instanceof vscode.Uri ? target : vscode.window.activeTextEditor?.document.uri;
  const found = vscode.workspace.textDocuments.find((one) => one.uri.toString() === uri?.toString());
  if (found !== undefined && isBrief(found.uri)) return found;
  void vscode.window.showInformationMessage(vscode.l10n.t('There is no brief in front: begin one with New Brief.'));
  return null;
}

async function insertExample(document: vscode.TextDocument): Promise<void> {
  const editor = await vscode.window.showTextDocument(document);
  await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), exampleBrief()));
}

/** The document closes when the job is filed, and stays as it is when it cannot be. */
async function start(context: HostContext, document: vscode.TextDocument, chosen: BriefOptions): Promise<void> {
  const brief = document.getText();
  if (brief.trim() === '') {
    throw failure('BRIEF_EMPTY', vscode.l10n.t('The brief is empty.'), {
      hint: vscode.l10n.t('Say what should be done.'),
    });
  }
  if (brief.trim() === exampleBrief()) {
    throw failure('BRIEF_EMPTY', vscode.l10n.t('The brief is still the example.'), {
      hint: vscode.l10n.t('Change the text to what should be done.'),
    });
  }
  const title = vscode.l10n.t('Filing the brief');
  const { jobId } = await vscode.window.withProgress({ location: vscode.ProgressLocation.Window, title }, () =>
    context.engine.wish('submitBrief', { brief, ...chosen }),
  );
  await vscode.window.showTextDocument(document);
  await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  await vscode.commands.executeCommand('autonomous.openBoard', { jobId });
}
