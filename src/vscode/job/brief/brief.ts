/** Opens a separate document for a brief of any length. It is started from the lens on its first line. */
import * as vscode from 'vscode';
import { namedProject, registerCommand } from '../../window/command.ts';
import type { HostContext } from '../../window/context.ts';
import { briefProjects, currentProject } from '../../window/currentProject.ts';
import { oneByKey } from '../../window/oneByKey.ts';
import { savedOptions } from '../savedOptions.ts';
import { optionsLine } from './briefOptions.ts';
import { isBrief } from './briefUri.ts';
import { showPlaceholders } from './placeholder.ts';

/** Paths of the briefs that are being written, for `resourcePath in …` of menus. */
const BRIEFS = 'autonomous.briefs';

/**
 * `autonomous.newBrief` takes a file's resource, `{text}`, `{project}`, or nothing: then the selection is the initial text. Unsent briefs that the
 * editor restores with its window are recognized by their name.
 */
export function registerBrief(context: HostContext): vscode.Disposable {
  const options = savedOptions(context.extension.workspaceState);
  const filing = oneByKey();
  const lenses = new vscode.EventEmitter<void>();
  const known = (): vscode.Uri[] => vscode.workspace.textDocuments.map(({ uri }) => uri).filter(isBrief);
  const mark = (): void => {
    const paths = known().map((uri) => uri.path);
    void vscode.commands.executeCommand('setContext', BRIEFS, paths);
  };
  const projects = (): readonly string[] => briefProjects(context.engine.state);
  const current = (): string => currentProject(context.extension.workspaceState, context.engine.state);
  const open = async (target: unknown, project = current()): Promise<void> => {
    const { beginning, openBrief } = await import('./briefActs.ts');
    await openBrief(await beginning(target), known(), options, project);
    const { offerWsl } = await import('../../window/wsl.ts');
    await offerWsl(context.extension);
  };
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
      await open(target, project);
    }),
    registerCommand(context, 'autonomous.newBriefFromFile', async (file) => open(file)),
    registerCommand(context, 'autonomous.newBriefFromSelection', async () => open(undefined)),
    registerCommand(context, 'autonomous.runBacklog', async () => {
      const { runBacklog } = await import('./runBacklog.ts');
      await runBacklog(context);
    }),
    registerCommand(context, 'autonomous.startBrief', async (target) => {
      const document = briefAt(target);
      if (document === null) return;
      const { path } = document.uri;
      const filed = filing.run(path, async () => {
        const { start } = await import('./briefActs.ts');
        await start(context, document, options.of(path));
      });
      lenses.fire();
      await filed.finally(() => lenses.fire());
    }),
    registerCommand(context, 'autonomous.insertExampleBrief', async (target) => {
      const document = briefAt(target);
      if (document === null) return;
      const { insertExample } = await import('./briefActs.ts');
      await insertExample(document);
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

function lensesFor(document: vscode.TextDocument, chosen: string, isFiled: boolean): vscode.CodeLens[] {
  const { uri } = document;
  const top = new vscode.Range(0, 0, 0, 0);
  if (isFiled) return [new vscode.CodeLens(top, { title: vscode.l10n.t('$(loading~spin) Filing…'), command: '' })];
  return [
    new vscode.CodeLens(top, {
      title: vscode.l10n.t('$(play) Start'),
      tooltip: vscode.l10n.t('Plan and run this brief'),
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

/** Returns the given document, or the one in the active editor. */
function briefAt(target: unknown): vscode.TextDocument | null {
  const uri = target instanceof vscode.Uri ? target : vscode.window.activeTextEditor?.document.uri;
  const found = vscode.workspace.textDocuments.find((one) => one.uri.toString() === uri?.toString());
  if (found !== undefined && isBrief(found.uri)) return found;
  void vscode.window.showInformationMessage(
    vscode.l10n.t('No brief is open in the active editor. Run New Brief to write one.'),
  );
  return null;
}
